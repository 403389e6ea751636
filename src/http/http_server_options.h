#ifndef VERNIER_HTTP_HTTP_SERVER_OPTIONS_H_
#define VERNIER_HTTP_HTTP_SERVER_OPTIONS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

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
  /// The most connections of all clients, and of one address (see
  /// ClientAddress). For one more, the longest idle connection is closed, or
  /// one whose body does not progress (see ConnectionTable). If all are busy,
  /// the new one gets 503 and is closed.
  int max_connections = 1024;
  int max_connections_per_address = 512;
  std::uint32_t max_head_bytes = 16 << 10;
  std::chrono::milliseconds head_timeout{10000};   ///< For a whole head.
  std::chrono::milliseconds idle_timeout{75000};   ///< Between two requests.
  std::chrono::milliseconds stall_timeout{30000};  ///< For the next bytes.
  /// The time that a body may keep the server waiting before it must have come
  /// at the least rate (see BodyPace). Unless the body is streamed, this is
  /// also the limit of the whole waiting time.
  std::chrono::milliseconds body_grace{30000};
  std::uint64_t least_body_bytes_per_second = 512;  ///< >= 1.
  std::chrono::milliseconds body_timeout{600000};
  /// Unset for plain HTTP.
  std::unique_ptr<const TlsFiles> tls;
};

/// Runs work that may wait, on another thread. `caller` is the caller that the
/// work belongs to, as HttpExchange::caller.
using HttpExecutor =
    std::function<void(const std::string& caller, std::function<void()> work)>;

}  // namespace vernier

#endif  // VERNIER_HTTP_HTTP_SERVER_OPTIONS_H_
