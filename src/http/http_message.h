#ifndef VERNIER_HTTP_HTTP_MESSAGE_H_
#define VERNIER_HTTP_HTTP_MESSAGE_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vernier {

using HttpFields = std::vector<std::pair<std::string, std::string>>;

/// The head of a request. Its body comes through an HttpExchange.
struct HttpRequest {
  std::string method;  ///< "GET"; upper case as sent.
  std::string path;    ///< Still percent-encoded; begins with '/'.
  HttpFields query;    ///< Decoded, in order.
  HttpFields headers;  ///< Names in lower case, in order.
  std::string peer;    ///< "127.0.0.1:40000"; for logs.
  /// The subject of the client's certificate; empty without mutual TLS.
  std::string peer_subject;

  /// Returns the first header with this lower-case name; empty if there is
  /// none.
  std::string_view Header(std::string_view name) const;
  /// Returns the first query parameter with this name.
  std::optional<std::string_view> Query(std::string_view name) const;
  /// Returns the same; empty if there is none.
  std::string QueryText(std::string_view name) const;
};

/// Produces a long body piece by piece. Not thread-safe.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Appends the next bytes to `piece`, at most some 256 KiB; none at the end.
  /// May block. Returns false on a failure: the connection is then cut, so that
  /// the client does not take a part for the whole.
  virtual bool Next(std::string* piece) = 0;
  /// Returns how long to wait before Next is called again, for a body that
  /// reports events as they happen. No thread is held meanwhile. If it is not
  /// 0, a piece without bytes is not the end. Called after each Next.
  virtual std::chrono::milliseconds pause() const {
    return std::chrono::milliseconds(0);
  }
};

struct HttpResponse {
  int status = 200;
  HttpFields headers;  ///< Content-Type among them; lengths are added.
  std::string body;
  /// Used instead of `body` when many responses share one text.
  std::shared_ptr<const std::string> shared_body;
  /// Used instead of `body`; sent with its length, or chunked without one.
  std::unique_ptr<ByteSource> source;
  std::optional<std::uint64_t> source_length;
  bool close = false;  ///< End the connection after this response.

  std::string_view text() const { return shared_body ? *shared_body : body; }
};

/// Returns whether a response has this header, by its exact name.
bool HasHeader(const HttpResponse& response, std::string_view name);

/// Returns text with `content_type`, e.g. "application/json; charset=UTF-8".
HttpResponse TextResponse(int status, std::string content_type,
                          std::string body);

}  // namespace vernier

#endif  // VERNIER_HTTP_HTTP_MESSAGE_H_
