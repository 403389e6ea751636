#ifndef VERNIER_HTTP_HTTP_SERVER_H_
#define VERNIER_HTTP_HTTP_SERVER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "http/http_handler.h"

namespace vernier {

/// PEM files of a TLS endpoint.
struct TlsFiles {
  std::string certificate;  ///< With its chain.
  std::string key;
  std::string client_ca;  ///< If set, clients must show a certificate of it.
};

struct HttpServerOptions {
  std::string host = "127.0.0.1";  ///< A numeric address, or "localhost".
  int port = 0;                    ///< 0: the kernel chooses.
  int io_threads = 2;              ///< >= 1.
  /// Of all clients, and of one address (see ClientAddress). For one more the
  /// longest idle one is closed; if none is idle, it is told 503 and closed.
  int max_connections = 1024;
  int max_connections_per_address = 512;
  std::uint32_t max_head_bytes = 16 << 10;
  std::chrono::milliseconds head_timeout{10000};   ///< For a whole head.
  std::chrono::milliseconds idle_timeout{75000};   ///< Between two requests.
  std::chrono::milliseconds stall_timeout{30000};  ///< For the next bytes.
  /// Else plain HTTP.
  std::unique_ptr<const TlsFiles> tls;
};

/// An HTTP/1.1 server: accepts, keeps connections alive, holds limits and
/// timeouts, streams bodies in both directions. What it serves is its
/// handler's; what a handler throws is answered with 500, or with 503 if it was
/// out of memory, and never ends the process. Thread-safe.
class HttpServer {
 public:
  /// Runs work that may wait, on some other thread.
  using Executor = std::function<void(std::function<void()>)>;

  /// Listens and serves. Borrows `handler`, which must outlive the server.
  ///
  /// Errors: INVALID_ARGUMENT for an address or TLS files that cannot be;
  /// UNAVAILABLE if the port is taken.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Start(
      HttpServerOptions options, HttpHandler& handler, Executor executor);

  virtual ~HttpServer() = default;

  /// Where it listens, also if the kernel chose.
  virtual int port() const = 0;
  /// Accepts no more, closes every connection and joins the threads. Requests
  /// that a worker has in hand run on; their answers are lost. The executor
  /// must still run what it was given. Idempotent.
  virtual void Stop() = 0;

 protected:
  HttpServer() = default;
};

}  // namespace vernier

#endif  // VERNIER_HTTP_HTTP_SERVER_H_
