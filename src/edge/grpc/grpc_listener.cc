#include "edge/grpc/grpc_listener.h"

#include <grpcpp/grpcpp.h>
#include <grpcpp/resource_quota.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <utility>

#include "base/small_file.h"
#include "base/status_macros.h"
#include "edge/grpc/transfer_limits.h"
#include "edge/listening_socket.h"

namespace vernier {
namespace {

constexpr int kMaxMetadata = 8 << 10;
constexpr std::size_t kMaxMemory = std::size_t{256} << 20;
constexpr std::chrono::seconds kShutdownLimit{5};

void SetOptions(grpc::ServerBuilder* builder) {
  builder->SetMaxReceiveMessageSize(kMaxReceivedBytes);
  builder->SetMaxSendMessageSize(kMaxSentBytes);
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
      // gRPC decompresses a message before it checks its size, and a megabyte
      // may become a gigabyte. So nothing is decompressed; a call that says it
      // is compressed gets UNIMPLEMENTED.
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

/// Passes each call to the table at its headers.
class TableService final : public grpc::CallbackGenericService {
 public:
  explicit TableService(const GrpcMethods& methods) : methods_(methods) {}
  GrpcMethods::Reactor* CreateReactor(GrpcMethods::Context* context) override {
    return methods_.Begin(context);
  }

 private:
  const GrpcMethods& methods_;
};

/// A gRPC server that serves the connections handed to it.
class GrpcListener::Server {
 public:
  /// Borrows `methods`. Errors: INTERNAL.
  static absl::StatusOr<std::unique_ptr<Server>> Start(
      const GrpcMethods& methods,
      const std::shared_ptr<grpc::ServerCredentials>& credentials) {
    std::unique_ptr<Server> made(new Server(methods));
    grpc::ServerBuilder builder;
    SetOptions(&builder);
    made->acceptor_ = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
        credentials);
    builder.RegisterCallbackGenericService(&made->service_);
    made->server_ = builder.BuildAndStart();
    if (made->server_ == nullptr) {
      return absl::InternalError("gRPC does not start");
    }
    return made;
  }

  void HandOver(UniqueFd fd) {
    grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters
        parameters;
    parameters.fd = fd.Release();
    acceptor_->HandleNewConnection(&parameters);
  }

  void Shutdown(std::chrono::system_clock::time_point deadline) {
    server_->Shutdown(deadline);
    server_->Wait();
  }

 private:
  explicit Server(const GrpcMethods& methods) : service_(methods) {}

  TableService service_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor_;
  std::unique_ptr<grpc::Server> server_;
};

GrpcListener::GrpcListener() = default;
GrpcListener::~GrpcListener() = default;

absl::StatusOr<std::unique_ptr<GrpcListener>> GrpcListener::Listen(
    const std::vector<Endpoint*>& endpoints, GrpcMethods methods,
    Options options) {
  const bool is_encrypted = !options.tls.certificate.empty();
  std::shared_ptr<grpc::ServerCredentials> tcp_credentials =
      grpc::InsecureServerCredentials();
  if (is_encrypted) {
    VERNIER_ASSIGN_OR_RETURN(tcp_credentials, TlsCredentials(options.tls));
  }
  std::unique_ptr<GrpcListener> made(new GrpcListener);
  made->methods_ = std::move(methods);
  made->health_.AddTo(&made->methods_);
  std::vector<AcceptLoop::ListeningSocket> listeners;
  // The socket has its own server, whose memory callers by TCP cannot use up.
  for (const bool is_unix : {true, false}) {
    std::vector<UniqueFd> fds;
    for (Endpoint* endpoint : endpoints) {
      if (endpoint->socket_path.empty() == is_unix) continue;
      VERNIER_ASSIGN_OR_RETURN(std::vector<UniqueFd> sockets,
                               ListenAt(endpoint));
      if (is_unix) made->socket_paths_.push_back(endpoint->socket_path);
      for (UniqueFd& each : sockets) fds.push_back(std::move(each));
    }
    if (fds.empty()) continue;
    VERNIER_ASSIGN_OR_RETURN(
        std::unique_ptr<Server> server,
        Server::Start(made->methods_, is_unix
                                          ? grpc::InsecureServerCredentials()
                                          : tcp_credentials));
    const AcceptLoop::HandOver hand_over = [to = server.get()](UniqueFd fd) {
      to->HandOver(std::move(fd));
    };
    made->servers_.push_back(std::move(server));
    const auto kind = is_unix        ? AcceptLoop::Kind::kTrusted
                      : is_encrypted ? AcceptLoop::Kind::kCounted
                                     : AcceptLoop::Kind::kGuarded;
    for (UniqueFd& each : fds) {
      listeners.push_back({std::move(each), kind, hand_over});
    }
  }
  made->loop_ = std::make_unique<AcceptLoop>(
      std::move(listeners),
      AcceptLoop::Options{{}, std::move(options.on_offence)});
  return made;
}

void GrpcListener::StopServing() { health_.StopServing(); }

void GrpcListener::Shutdown() {
  // gRPC would forget a connection that is handed over after this point, and it
  // would stay open.
  loop_->CloseListeners();
  const auto deadline = std::chrono::system_clock::now() + kShutdownLimit;
  for (const auto& server : servers_) server->Shutdown(deadline);
  loop_->Stop();
  for (const std::string& path : socket_paths_) unlink(path.c_str());
  socket_paths_.clear();
}

}  // namespace vernier
