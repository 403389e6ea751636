#include "server/grpc_listener.h"

#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <sys/stat.h>

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"

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

}  // namespace

absl::StatusOr<std::unique_ptr<GrpcListener>> GrpcListener::Listen(
    Endpoint* endpoint, const std::vector<grpc::Service*>& services) {
  const bool is_unix = !endpoint->socket_path.empty();
  if (is_unix && SomebodyListens(endpoint->socket_path)) {
    return absl::AlreadyExistsError(
        absl::StrCat("another service listens at ", endpoint->ToString(),
                     "; give this one another --listen"));
  }
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder builder;
  SetOptions(&builder);
  int port = 0;
  builder.AddListeningPort(endpoint->ToString(),
                           grpc::InsecureServerCredentials(), &port);
  for (grpc::Service* service : services) builder.RegisterService(service);
  // The socket is never open to others, not even for an instant.
  const mode_t old_mask = umask(0177);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  umask(old_mask);
  if (server == nullptr || (!is_unix && port == 0)) {
    return absl::UnavailableError(
        absl::StrCat("cannot listen at ", endpoint->ToString(),
                     is_unix ? ": is its folder there and writable?"
                             : ": is the port in use?"));
  }
  if (!is_unix) endpoint->port = port;
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
