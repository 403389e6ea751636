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
#include "edge/http/load_limiter.h"
#include "edge/http/rest_router.h"
#include "http/http_handler.h"

namespace vernier {

/// All that is served over HTTP, behind one gate: names of hosts, origins,
/// tokens and permissions are checked here, for every path, and nowhere else.
/// Thread-safe once it serves.
class HttpGateway final : public HttpHandler {
 public:
  struct Dependencies {
    const Authenticator& authenticator;
    const AttemptTokens& attempts;
    CallActivity& activity;
    RateLimiter& limiter;
  };
  struct Options {
    /// Names besides loopback's that a Host header may have: against pages of
    /// others that have their names resolved to this machine (DNS rebinding).
    std::vector<std::string> host_names;
    std::string scheme = "http";  ///< Or "https".
    LoadLimiter::Options load{};
  };
  /// Whether a path, still encoded, is a mount's.
  using Takes = std::function<bool(std::string_view path)>;
  /// Takes a request that the gate let through, from `caller`; for what
  /// streams. `base_url` is what its path began with at the client:
  /// "http://HOST:PORT", and maybe an attempt's prefix.
  using Mount = std::function<std::unique_ptr<HttpExchange>(
      const HttpRequest& request, const Principal& caller,
      const std::string& base_url)>;

  /// Borrows what `dependencies` refers to; it must outlive this object.
  HttpGateway(const Dependencies& dependencies, Options options)
      : dependencies_(dependencies),
        options_(std::move(options)),
        load_(options_.load) {}

  /// Until then every call is answered with 503.
  void Open() { is_open_ = true; }

  /// To be filled before the first request.
  RestRouter& router() { return router_; }
  const RestRouter& router() const { return router_; }
  /// Serves what `takes` takes: GET and HEAD for who has `read`, all else for
  /// who has `write`. Programs that can show no header call it below
  /// AttemptPrefix.
  void AddMount(Takes takes, v1::Permission read, v1::Permission write,
                Mount mount);

  /// Tries every route and mount without a token. INTERNAL if one is not
  /// answered with 401: then nobody must be served.
  absl::Status CheckRefusesAnonymous();

  std::unique_ptr<HttpExchange> Begin(const HttpRequest& request) override;
  HttpResponse Malformed(int status, const std::string& why) override;

 private:
  struct Mounted {
    Takes takes;
    v1::Permission read;
    v1::Permission write;
    Mount mount;
  };

  /// An answer that needs no body, or none if the request may go on.
  std::optional<HttpResponse> CheckOrigin(const HttpRequest& request) const;
  std::unique_ptr<HttpExchange> BeginRoute(const HttpRequest& request);
  std::unique_ptr<HttpExchange> BeginMount(const HttpRequest& request,
                                           const Mounted& mounted,
                                           std::string_view token,
                                           const std::string& base_url);
  std::unique_ptr<HttpExchange> Admit(const HttpRequest& request);
  std::unique_ptr<HttpExchange> Route(const HttpRequest& request);
  /// Whose token it is, unless that caller has called too often.
  absl::StatusOr<Principal> Authenticate(std::string_view token) const;
  /// Whose token it is, without counting a call.
  absl::StatusOr<Principal> CallerOf(std::string_view token) const;
  /// The exchange, for as long as the token is good.
  std::unique_ptr<HttpExchange> Admitted(std::unique_ptr<HttpExchange> exchange,
                                         std::string_view token) const;
  bool IsKnownHost(std::string_view authority) const;

  const Dependencies dependencies_;
  const Options options_;
  LoadLimiter load_;
  RestRouter router_;
  std::vector<Mounted> mounts_;
  std::atomic<bool> is_open_ = false;
};

/// Path that begins every call of an attempt's program to a mount, in the place
/// of a header: "/attempts/TOKEN".
std::string AttemptPrefix(const std::string& token);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_HTTP_GATEWAY_H_
