#include "edge/grpc/grpc_listener.h"

#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <utility>

#include "base/status_macros.h"
#include "cluster/small_file.h"
#include "edge/listening_socket.h"

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
      // gRPC unpacks a message before it looks at its size, and before anybody
      // has asked who sent it: a megabyte may become a gigabyte. So nothing is
      // unpacked; a call that says it is compressed gets UNIMPLEMENTED.
      {GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0},
      {GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET,
       1 << GRPC_COMPRESS_NONE},
  };
  for (const auto& [name, value] : arguments) {
    builder->AddChannelArgument(name, value);
  }
}

absl::StatusOr<std::string> ReadPem(const std::string& path) {
  const std::string text = ReadSmallFile(path).value_or("");
  if (!text.empty()) return text;
  return absl::InvalidArgumentError("TLS: cannot read " + path);
}

absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> TlsCredentials(
    const TlsFiles& files) {
  grpc::SslServerCredentialsOptions options(
      files.client_ca.empty()
          ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
          : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  grpc::SslServerCredentialsOptions::PemKeyCertPair pair;
  VERNIER_ASSIGN_OR_RETURN(pair.private_key, ReadPem(files.key));
  VERNIER_ASSIGN_OR_RETURN(pair.cert_chain, ReadPem(files.certificate));
  options.pem_key_cert_pairs.push_back(std::move(pair));
  if (!files.client_ca.empty()) {
    VERNIER_ASSIGN_OR_RETURN(options.pem_root_certs, ReadPem(files.client_ca));
  }
  return grpc::SslServerCredentials(options);
}

}  // namespace

absl::StatusOr<std::unique_ptr<GrpcListener>> GrpcListener::Listen(
    const std::vector<Endpoint*>& endpoints,
    const std::vector<grpc::Service*>& services, Options options) {
  const bool is_encrypted = !options.tls.certificate.empty();
  // Without an AuthMetadataProcessor, which would ask who calls before a
  // message is read: gRPC 1.51 aborts when it hands one the header
  // grpclb_client_stats.
  std::shared_ptr<grpc::ServerCredentials> tcp_credentials =
      grpc::InsecureServerCredentials();
  if (is_encrypted) {
    VERNIER_ASSIGN_OR_RETURN(tcp_credentials, TlsCredentials(options.tls));
  }
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder builder;
  SetOptions(&builder);
  std::unique_ptr<GrpcListener> made(new GrpcListener);
  std::vector<AcceptLoop::Door> doors;
  for (Endpoint* endpoint : endpoints) {
    VERNIER_ASSIGN_OR_RETURN(std::vector<UniqueFd> sockets, ListenAt(endpoint));
    const bool is_unix = !endpoint->socket_path.empty();
    if (is_unix) made->socket_paths_.push_back(endpoint->socket_path);
    made->acceptors_.push_back(
        builder.experimental().AddExternalConnectionAcceptor(
            grpc::ServerBuilder::experimental_type::ExternalConnectionType::
                FROM_FD,
            is_unix ? grpc::InsecureServerCredentials() : tcp_credentials));
    const AcceptLoop::HandOver hand_over =
        [acceptor = made->acceptors_.back().get()](UniqueFd fd) {
          Acceptor::NewConnectionParameters parameters;
          parameters.fd = fd.Release();
          acceptor->HandleNewConnection(&parameters);
        };
    const auto kind = is_unix        ? AcceptLoop::Kind::kTrusted
                      : is_encrypted ? AcceptLoop::Kind::kCounted
                                     : AcceptLoop::Kind::kGuarded;
    for (UniqueFd& each : sockets) {
      doors.push_back({std::move(each), kind, hand_over});
    }
  }
  for (grpc::Service* service : services) builder.RegisterService(service);
  made->server_ = builder.BuildAndStart();
  if (made->server_ == nullptr) {
    return absl::InternalError("gRPC does not start");
  }
  made->loop_ = std::make_unique<AcceptLoop>(
      std::move(doors), AcceptLoop::Options{{}, std::move(options.on_offence)});
  return made;
}

void GrpcListener::StopServing() {
  if (auto* health = server_->GetHealthCheckService()) {
    health->SetServingStatus(false);
  }
}

void GrpcListener::Shutdown() {
  // gRPC would forget a connection that is handed to it from now on, open.
  loop_->CloseDoors();
  server_->Shutdown(std::chrono::system_clock::now() + kShutdownLimit);
  server_->Wait();
  loop_->Stop();
  for (const std::string& path : socket_paths_) unlink(path.c_str());
  socket_paths_.clear();
}

}  // namespace vernier
