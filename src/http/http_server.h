#ifndef VERNIER_HTTP_HTTP_SERVER_H_
#define VERNIER_HTTP_HTTP_SERVER_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "http/http_handler.h"
#include "http/http_server_options.h"

namespace vernier {

/// An HTTP/1.1 server: it accepts, keeps connections alive, enforces limits and
/// timeouts, and streams bodies in both directions. Its handler provides the
/// content. A handler that throws is answered with 500, or with 503 if it was
/// out of memory, and never ends the process. Thread-safe.
class HttpServer {
 public:
  using Executor = HttpExecutor;

  /// Listens and serves. Borrows `handler`, which must outlive the server.
  ///
  /// Errors: INVALID_ARGUMENT for a malformed address or bad TLS files;
  /// UNAVAILABLE if the port is taken.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Start(
      HttpServerOptions options, HttpHandler& handler, Executor executor);

  virtual ~HttpServer() = default;

  /// Returns the port on which it listens, even if the kernel chose it.
  virtual int port() const = 0;
  /// Stops accepting, closes every connection and joins the threads. Requests
  /// that a worker is serving continue, but their answers are lost. The
  /// executor must still run the work it was given. Idempotent.
  virtual void Stop() = 0;

 protected:
  HttpServer() = default;
};

}  // namespace vernier

#endif  // VERNIER_HTTP_HTTP_SERVER_H_
