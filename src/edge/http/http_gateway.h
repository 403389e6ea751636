#ifndef VERNIER_EDGE_HTTP_HTTP_GATEWAY_H_
#define VERNIER_EDGE_HTTP_HTTP_GATEWAY_H_

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "access/attempt_tokens.h"
#include "access/authenticator.h"
#include "access/rate_limiter.h"
#include "edge/call_activity.h"
#include "edge/call_record.h"
#include "edge/http/rest_router.h"
#include "edge/load_limiter.h"
#include "http/http_handler.h"

namespace vernier {

/// Serves everything over HTTP behind one gate: host names, origins, tokens and
/// permissions are checked here, for every path, and nowhere else. Thread-safe
/// once it serves.
class HttpGateway final : public HttpHandler {
 public:
  struct Dependencies {
    const Authenticator& authenticator;
    const AttemptTokens& attempts;
    CallActivity& activity;
    RateLimiter& limiter;
    LoadLimiter& load;
  };
  struct Options {
    /// Names, besides those of loopback, that a Host header may have. The check
    /// stops web pages whose host name resolves to this machine (DNS
    /// rebinding).
    std::vector<std::string> host_names;
    std::string scheme = "http";  ///< Or "https".
    /// The cookie that may hold the token of a call below kSessionPath. Empty:
    /// none.
    std::string session_cookie = {};
  };
  /// Returns whether a path, still encoded, belongs to a mount.
  using Takes = std::function<bool(std::string_view path)>;
  /// Takes a request from anybody.
  using OpenMount =
      std::function<std::unique_ptr<HttpExchange>(const HttpRequest& request)>;
  /// Takes an admitted request from `caller`; mounts serve streamed bodies.
  /// `base_url` is the part of the client's URL before the mount's path:
  /// "http://HOST:PORT", possibly with an attempt's prefix.
  using Mount = std::function<std::unique_ptr<HttpExchange>(
      const HttpRequest& request, const Principal& caller,
      const std::string& base_url)>;

  /// Borrows the objects that `dependencies` refers to; they must outlive this
  /// object.
  HttpGateway(const Dependencies& dependencies, Options options)
      : dependencies_(dependencies), options_(std::move(options)) {}

  /// Opens the gate. Before this, every call is answered with 503.
  void Open() { is_open_ = true; }

  /// Add all routes before the first request.
  RestRouter& router() { return router_; }
  const RestRouter& router() const { return router_; }
  /// Serves the paths that `takes` accepts: GET and HEAD need the permission
  /// `read`, all other methods `write`. Programs that cannot send a header use
  /// paths below AttemptPrefix. `name` stands for all its paths in the log and
  /// in traces.
  void AddMount(Takes takes, v1::Permission read, v1::Permission write,
                Mount mount, std::string name = "mount");

  /// Serves the paths that `takes` accepts to callers without a token, such as
  /// the page on which they sign in. Precedes everything else.
  void AddOpenMount(Takes takes, OpenMount mount);

  std::unique_ptr<HttpExchange> Begin(const HttpRequest& request) override;
  HttpResponse Malformed(int status, const std::string& why) override;

 private:
  struct Mounted {
    Takes takes;
    v1::Permission read;
    v1::Permission write;
    Mount mount;
    std::string name;
  };

  struct OpenMounted {
    Takes takes;
    OpenMount mount;
  };

  /// Returns an answer that needs no body, or none if the request may proceed.
  std::optional<HttpResponse> CheckOrigin(const HttpRequest& request) const;
  std::unique_ptr<HttpExchange> BeginRoute(const HttpRequest& request,
                                           std::string_view token,
                                           CallRecord* call);
  std::unique_ptr<HttpExchange> BeginMount(const HttpRequest& request,
                                           const Mounted& mounted,
                                           std::string_view token,
                                           const std::string& base_url,
                                           CallRecord* call);
  /// These store in `call` what they learn about it.
  std::unique_ptr<HttpExchange> Admit(const HttpRequest& request,
                                      CallRecord* call);
  std::unique_ptr<HttpExchange> Route(const HttpRequest& request,
                                      CallRecord* call);
  /// Returns the caller with this token, unless it has made too many calls.
  absl::StatusOr<Principal> Authenticate(std::string_view token) const;
  /// Returns the caller with this token, without counting a call.
  absl::StatusOr<Principal> CallerOf(std::string_view token) const;
  /// Returns the exchange so that it ends when the token is no longer valid.
  std::unique_ptr<HttpExchange> Admitted(std::unique_ptr<HttpExchange> exchange,
                                         std::string_view token) const;
  bool IsKnownHost(std::string_view authority) const;

  const Dependencies dependencies_;
  const Options options_;
  RestRouter router_;
  std::vector<OpenMounted> open_mounts_;
  std::vector<Mounted> mounts_;
  std::atomic<bool> is_open_ = false;
};

/// Returns the path prefix "/attempts/TOKEN" with which an attempt's program
/// calls if it cannot send a header.
std::string AttemptPrefix(const std::string& token);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_HTTP_GATEWAY_H_
