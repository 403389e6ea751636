#include "http/http_server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <exception>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/descriptor_reserve.h"
#include "base/status_macros.h"
#include "http/connection.h"
#include "http/server_state.h"

namespace vernier {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using Error = boost::system::error_code;

absl::Status CannotUse(const std::string& file, const Error& error) {
  return absl::InvalidArgumentError(
      absl::StrCat("TLS: cannot use ", file, ": ", error.message()));
}

absl::Status LoadTls(const TlsFiles& files, asio::ssl::context* context) {
  Error error;
  context->set_options(asio::ssl::context::default_workarounds |
                           asio::ssl::context::no_tlsv1 |
                           asio::ssl::context::no_tlsv1_1,
                       error);
  if (error) return CannotUse("the TLS options", error);
  context->use_certificate_chain_file(files.certificate, error);
  if (error) return CannotUse(files.certificate, error);
  context->use_private_key_file(files.key, asio::ssl::context::pem, error);
  if (error) return CannotUse(files.key, error);
  if (files.client_ca.empty()) return absl::OkStatus();
  context->load_verify_file(files.client_ca, error);
  if (error) return CannotUse(files.client_ca, error);
  context->set_verify_mode(
      asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert, error);
  if (error) return CannotUse(files.client_ca, error);
  return absl::OkStatus();
}

class AsioHttpServer final : public HttpServer {
 public:
  AsioHttpServer(HttpServerOptions options, HttpHandler& handler,
                 Executor executor)
      : options_(std::move(options)),
        state_(options_, handler, std::move(executor)),
        acceptor_(asio::make_strand(io_)),
        retry_(acceptor_.get_executor()) {}
  ~AsioHttpServer() override { Stop(); }

  absl::Status Listen();
  void Run();

  int port() const override { return port_; }
  void Stop() override;

 private:
  void Serve();
  void Accept();
  void OnAccept(Error error, Tcp::socket socket);
  void Begin(Tcp::socket socket);

  const HttpServerOptions options_;
  ServerState state_;
  asio::io_context io_;
  std::optional<asio::ssl::context> tls_;
  Tcp::acceptor acceptor_;  // Its strand calls it, but for Listen and Run.
  asio::steady_timer retry_;
  int port_ = 0;
  std::vector<std::thread> threads_;
};

absl::Status AsioHttpServer::Listen() {
  if (options_.tls != nullptr) {
    tls_.emplace(asio::ssl::context::tls_server);
    VERNIER_RETURN_IF_ERROR(LoadTls(*options_.tls, &*tls_));
  }
  Error error;
  const std::string host =
      options_.host == "localhost" ? "127.0.0.1" : options_.host;
  const auto address = asio::ip::make_address(host, error);
  if (error) {
    return absl::InvalidArgumentError(absl::StrCat(
        "http: the host must be a numeric address or localhost: \"",
        options_.host, "\""));
  }
  const Tcp::endpoint endpoint(address,
                               static_cast<unsigned short>(options_.port));
  acceptor_.open(endpoint.protocol(), error);
  if (!error) {
    // A service that was restarted must not wait until old connections have
    // timed out.
    acceptor_.set_option(asio::socket_base::reuse_address(true), error);
  }
  if (!error) acceptor_.bind(endpoint, error);
  if (!error)
    acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat("http: cannot listen at ", options_.host, ":",
                     options_.port, ": ", error.message()));
  }
  port_ = acceptor_.local_endpoint().port();
  return absl::OkStatus();
}

void AsioHttpServer::Run() {
  Accept();
  for (int i = 0; i < options_.io_threads; ++i) {
    threads_.emplace_back([this] { Serve(); });
  }
}

void AsioHttpServer::Serve() {
  while (true) {
    try {
      io_.run();
      return;
    } catch (const std::exception&) {
      // For example out of memory. The connection whose step failed is gone;
      // the others continue.
    }
  }
}

void AsioHttpServer::Accept() {
  acceptor_.async_accept(asio::make_strand(io_),
                         [this](Error error, Tcp::socket socket) {
                           OnAccept(error, std::move(socket));
                         });
}

void AsioHttpServer::OnAccept(Error error, Tcp::socket socket) {
  if (error == asio::error::operation_aborted || !acceptor_.is_open()) return;
  if (error) {
    // For example out of descriptors; open connections will be closed in time.
    retry_.expires_after(std::chrono::milliseconds(100));
    retry_.async_wait([this](Error cancelled) {
      if (!cancelled) Accept();
    });
    return;
  }
  try {
    Begin(std::move(socket));
  } catch (const std::exception&) {
    // There was no memory for one more connection; later ones may find some.
  }
  Accept();
}

void AsioHttpServer::Begin(Tcp::socket socket) {
  if (IsInLastReserve(socket.native_handle())) return;
  Error ignored;
  socket.set_option(Tcp::no_delay(true), ignored);
  if (tls_.has_value()) {
    std::make_shared<Connection<TlsStream>>(
        TlsStream(PlainStream(std::move(socket)), *tls_), state_)
        ->Start();
  } else {
    std::make_shared<Connection<PlainStream>>(PlainStream(std::move(socket)),
                                              state_)
        ->Start();
  }
}

void AsioHttpServer::Stop() {
  if (threads_.empty()) return;
  asio::post(acceptor_.get_executor(), [this] {
    Error ignored;
    acceptor_.close(ignored);
    retry_.cancel();
  });
  state_.CloseAll();
  state_.WaitForWorkers();
  // Closed streams end their steps with an error, and then no work is left.
  for (std::thread& thread : threads_) thread.join();
  // A piece of a body that came in between may have gone to a worker.
  state_.WaitForWorkers();
  threads_.clear();
}

}  // namespace

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Start(
    HttpServerOptions options, HttpHandler& handler, Executor executor) {
  auto server = std::make_unique<AsioHttpServer>(std::move(options), handler,
                                                 std::move(executor));
  VERNIER_RETURN_IF_ERROR(server->Listen());
  server->Run();
  return server;
}

}  // namespace vernier
