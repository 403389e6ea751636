#include "client/client_connection.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <chrono>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/process_environment.h"
#include "base/small_file.h"
#include "edge/grpc/grpc_status.h"
#include "http/trace_context.h"

namespace vernier {
namespace {

constexpr int kMaxMetadata = 64 * 1024;
// A write waits for the disk, and a submission for a copy of the code.
constexpr std::chrono::minutes kCallLimit{10};

// A file that cannot be read counts as empty; the service then refuses the
// call.
std::string ReadPem(const std::string& path) {
  return ReadSmallFile(path).value_or("");
}

std::shared_ptr<grpc::ChannelCredentials> ChannelCredentialsOf(
    const Endpoint& endpoint, const ClientCredentials& credentials) {
  if (!endpoint.socket_path.empty() || credentials.ca_file.empty()) {
    return grpc::InsecureChannelCredentials();
  }
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = ReadPem(credentials.ca_file);
  if (!credentials.cert_file.empty()) {
    options.pem_cert_chain = ReadPem(credentials.cert_file);
    options.pem_private_key = ReadPem(credentials.key_file);
  }
  return grpc::SslCredentials(options);
}

std::shared_ptr<grpc::Channel> Open(const Endpoint& endpoint,
                                    const ClientCredentials& credentials) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  arguments.SetInt(GRPC_ARG_MAX_METADATA_SIZE, kMaxMetadata);
  // The service is a local or private one, so web proxies must not be used.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  return grpc::CreateCustomChannel(endpoint.ToString(),
                                   ChannelCredentialsOf(endpoint, credentials),
                                   arguments);
}

}  // namespace

ClientConnection::ClientConnection(const Endpoint& endpoint,
                                   const ClientCredentials& credentials)
    : endpoint_(endpoint.ToString()),
      token_(credentials.token),
      project_(credentials.project),
      channel_(Open(endpoint, credentials)) {}

void ClientConnection::Authorize(grpc::ClientContext* context) const {
  if (!token_.empty()) {
    context->AddMetadata("authorization", "Bearer " + token_);
  }
  // A verb that runs as a part of something larger belongs to that trace.
  const std::string place = EnvironmentVariable("TRACEPARENT");
  if (ParseTraceParent(place).has_value()) {
    context->AddMetadata("traceparent", place);
  }
}

void ClientConnection::LimitTime(grpc::ClientContext* context) {
  context->set_deadline(std::chrono::system_clock::now() + kCallLimit);
}

absl::Status ClientConnection::Explain(const grpc::Status& status) const {
  const absl::Status error = FromGrpc(status);
  const std::string said(error.message());
  // gRPC's messages for a peer that died in the middle of a call.
  const bool is_cut_off =
      absl::IsUnknown(error) && said.find("Stream removed") == 0;
  if (!absl::IsUnavailable(error) && !is_cut_off) return error;
  // gRPC's messages for a peer that speaks HTTP/1, and for none at all.
  if (said.find("http1.x") != std::string::npos) {
    return absl::UnavailableError(absl::StrCat(
        endpoint_,
        " speaks HTTP, not gRPC: it may be the HTTP interface of a "
        "service, which --endpoint does not take"));
  }
  if (said.find("failed to connect to all addresses") != std::string::npos) {
    return absl::UnavailableError(
        absl::StrCat("no service answers at ", endpoint_));
  }
  return absl::UnavailableError(
      absl::StrCat("service at ", endpoint_, ": ", said));
}

}  // namespace vernier
