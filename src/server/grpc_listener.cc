#include "server/grpc_listener.h"

#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "study/status_macros.h"

namespace vernier {
namespace {

// OSS Vizier's algorithms keep megabytes of state in metadata.
constexpr int kMaxReceive = 32 << 20;
// A job of 10,000 trials is some 4 MiB.
constexpr int kMaxSend = 64 << 20;
constexpr int kMaxMetadata = 8 << 10;
constexpr std::size_t kMaxMemory = std::size_t{256} << 20;
constexpr std::chrono::seconds kShutdownLimit{5};

void SetOptions(grpc::ServerBuilder* builder) {
  builder->SetMaxReceiveMessageSize(kMaxReceive);
  builder->SetMaxSendMessageSize(kMaxSend);
  grpc::ResourceQuota quota("vernier");
  quota.Resize(kMaxMemory);
  builder->SetResourceQuota(quota);
  const std::pair<const char*, int> arguments[] = {
      {GRPC_ARG_MAX_METADATA_SIZE, kMaxMetadata},
      {GRPC_ARG_MAX_CONCURRENT_STREAMS, 100},
      {GRPC_ARG_KEEPALIVE_TIME_MS, 60000},
      {GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20000},
      {GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1},
      {GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10000},
      {GRPC_ARG_MAX_CONNECTION_IDLE_MS, 600000},
      {GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, 10000},
      // Else a second service would share the port and get half of the calls.
      {GRPC_ARG_ALLOW_REUSEPORT, 0},
  };
  for (const auto& [name, value] : arguments) {
    builder->AddChannelArgument(name, value);
  }
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file || text.str().empty()) {
    return absl::InvalidArgumentError("TLS: cannot read " + path);
  }
  return text.str();
}

absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> TlsCredentials(
    const TlsFiles& files) {
  grpc::SslServerCredentialsOptions options(
      files.client_ca.empty()
          ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
          : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  grpc::SslServerCredentialsOptions::PemKeyCertPair pair;
  VERNIER_ASSIGN_OR_RETURN(pair.private_key, ReadFile(files.key));
  VERNIER_ASSIGN_OR_RETURN(pair.cert_chain, ReadFile(files.certificate));
  options.pem_key_cert_pairs.push_back(std::move(pair));
  if (!files.client_ca.empty()) {
    VERNIER_ASSIGN_OR_RETURN(options.pem_root_certs, ReadFile(files.client_ca));
  }
  return grpc::SslServerCredentials(options);
}

}  // namespace

absl::StatusOr<std::unique_ptr<GrpcListener>> GrpcListener::Listen(
    const std::vector<Endpoint*>& endpoints,
    const std::vector<grpc::Service*>& services, const TlsFiles& tls) {
  std::shared_ptr<grpc::ServerCredentials> tcp_credentials =
      grpc::InsecureServerCredentials();
  if (!tls.certificate.empty()) {
    VERNIER_ASSIGN_OR_RETURN(tcp_credentials, TlsCredentials(tls));
  }
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder builder;
  SetOptions(&builder);
  std::vector<int> ports(endpoints.size());
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    const Endpoint& endpoint = *endpoints[i];
    const bool is_unix = !endpoint.socket_path.empty();
    if (is_unix && SomebodyListens(endpoint.socket_path)) {
      return absl::AlreadyExistsError(
          absl::StrCat("another service listens at ", endpoint.ToString(),
                       "; give this one another --listen"));
    }
    builder.AddListeningPort(
        endpoint.ToString(),
        is_unix ? grpc::InsecureServerCredentials() : tcp_credentials,
        &ports[i]);
  }
  for (grpc::Service* service : services) builder.RegisterService(service);
  // The socket is never open to others, not even for an instant.
  const mode_t old_mask = umask(0177);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  umask(old_mask);
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    const bool is_unix = !endpoints[i]->socket_path.empty();
    if (server == nullptr || (!is_unix && ports[i] == 0)) {
      return absl::UnavailableError(
          absl::StrCat("cannot listen at ", endpoints[i]->ToString(),
                       is_unix ? ": is its folder there and writable?"
                               : ": is the port in use?"));
    }
    if (!is_unix) endpoints[i]->port = ports[i];
  }
  return std::unique_ptr<GrpcListener>(new GrpcListener(std::move(server)));
}

GrpcListener::GrpcListener(std::unique_ptr<grpc::Server> server)
    : server_(std::move(server)) {}

void GrpcListener::StopServing() {
  if (auto* health = server_->GetHealthCheckService()) {
    health->SetServingStatus(false);
  }
}

void GrpcListener::Shutdown() {
  server_->Shutdown(std::chrono::system_clock::now() + kShutdownLimit);
  server_->Wait();
}

}  // namespace vernier
