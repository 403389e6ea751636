#include "edge/http/http_gateway.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "access/token_text.h"
#include "base/calls/call_meter.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "edge/http/field_selection.h"
#include "edge/http/indented_json.h"
#include "edge/http/metered_exchange.h"
#include "edge/http/query_parameters.h"
#include "edge/http/request_json.h"
#include "edge/http/rest_error.h"
#include "edge/http/safety_headers.h"
#include "edge/http/session_cookie.h"
#include "http/header_text.h"
#include "study/job_id.h"

namespace vernier {
namespace {

// Every request takes the same way: host name and origin (CheckOrigin), then a
// page for everybody, or a token from a header, a cookie or the path, then a
// mount or a route with its permission, and finally a share of the service's
// load (LoadLimiter). A refusal at any step is an exchange that answers without
// reading the body. What is admitted is wrapped: GuardedExchange counts and
// logs the call, AdmittedExchange ends it when the token is revoked.

constexpr std::uint64_t kMaxUnreadBody = 4 << 10;
constexpr std::string_view kAttempts = "/attempts/";
constexpr char kJsonType[] = "application/json; charset=UTF-8";

/// Gives its answer without reading a body.
class AnsweredExchange final : public HttpExchange {
 public:
  explicit AnsweredExchange(HttpResponse answer) : answer_(std::move(answer)) {}
  bool is_refusal() const override { return true; }
  // It reads no body, so there is no limit. Otherwise a long upload would be
  // refused as too long instead of with the real reason.
  std::uint64_t body_limit() const override { return UINT64_MAX; }
  std::optional<HttpResponse> Receive(std::string_view) override {
    return std::move(answer_);
  }
  HttpResponse Finish() override { return std::move(answer_); }

 private:
  HttpResponse answer_;
};

/// Serves a caller who need not have any rights, so it gives way to others.
class OpenExchange final : public WrappedExchange {
 public:
  explicit OpenExchange(std::unique_ptr<HttpExchange> exchange)
      : WrappedExchange(std::move(exchange)) {}
  bool is_refusal() const override { return true; }
};

std::unique_ptr<HttpExchange> Answered(HttpResponse answer) {
  return std::make_unique<AnsweredExchange>(std::move(answer));
}

constexpr std::size_t kMaxLoggedError = 500;

/// Counts as a call while it lives, reports it at its end, and adds safety
/// headers and the request's id to its answer.
class GuardedExchange final : public WrappedExchange {
 public:
  GuardedExchange(std::unique_ptr<HttpExchange> exchange,
                  CallActivity& activity, CallRecord call)
      : WrappedExchange(std::move(exchange)),
        activity_(activity),
        began_(activity_.Begin()),
        call_(std::move(call)) {
    call_.code = "left";  // Without an answer its client left before.
  }
  ~GuardedExchange() override { activity_.End(began_, std::move(call_)); }
  std::optional<HttpResponse> Receive(std::string_view piece) override {
    auto answer = WrappedExchange::Receive(piece);
    if (answer.has_value()) Complete(&*answer);
    return answer;
  }
  HttpResponse Finish() override {
    HttpResponse answer = WrappedExchange::Finish();
    Complete(&answer);
    return answer;
  }

 private:
  void Complete(HttpResponse* answer) {
    AddSafetyHeaders(answer);
    answer->headers.emplace_back("X-Request-Id", call_.request_id);
    call_.code = absl::StrCat(answer->status);
    if (IsServiceFault(call_.code)) {
      call_.error = answer->text().substr(0, kMaxLoggedError);
    }
  }

  CallActivity& activity_;
  const SteadyTime began_;
  CallRecord call_;
};

/// A long body that ends when its caller may not have it any more.
class AdmittedSource final : public ByteSource {
 public:
  AdmittedSource(std::unique_ptr<ByteSource> source,
                 std::function<absl::Status()> admitted)
      : source_(std::move(source)), admitted_(std::move(admitted)) {}
  bool Next(std::string* piece) override {
    return admitted_().ok() && source_->Next(piece);
  }
  std::chrono::milliseconds pause() const override { return source_->pause(); }

 private:
  const std::unique_ptr<ByteSource> source_;
  const std::function<absl::Status()> admitted_;
};

/// Checks the caller again whenever a piece of the body has come, since a body
/// may take hours.
class AdmittedExchange final : public WrappedExchange {
 public:
  AdmittedExchange(std::unique_ptr<HttpExchange> exchange,
                   std::function<absl::Status()> admitted)
      : WrappedExchange(std::move(exchange)), admitted_(std::move(admitted)) {}
  std::optional<HttpResponse> Receive(std::string_view piece) override {
    const absl::Status status = admitted_();
    if (!status.ok()) return ErrorResponse(status);
    return WrappedExchange::Receive(piece);
  }
  HttpResponse Finish() override {
    const absl::Status status = admitted_();
    if (!status.ok()) return ErrorResponse(status);
    HttpResponse answer = WrappedExchange::Finish();
    if (answer.source != nullptr) {
      answer.source =
          std::make_unique<AdmittedSource>(std::move(answer.source), admitted_);
    }
    return answer;
  }

 private:
  const std::function<absl::Status()> admitted_;
};

/// Removes the port from "example.com:80" or "[::1]:80"; empty for a malformed
/// text.
std::string_view HostOf(std::string_view authority) {
  const bool is_v6 = !authority.empty() && authority.front() == '[';
  const std::size_t end = std::min(
      is_v6 ? authority.find(']') : authority.find(':'), authority.size());
  const std::string_view host = authority.substr(0, is_v6 ? end + 1 : end);
  std::string_view port = authority.substr(host.size());
  if (port.empty()) return host;
  if (port.front() != ':') return "";
  port.remove_prefix(1);
  constexpr std::size_t kMaxDigits = 5;
  const bool is_port = port.size() <= kMaxDigits &&
                       std::all_of(port.begin(), port.end(),
                                   [](char c) { return c >= '0' && c <= '9'; });
  return is_port ? host : "";
}

// A method of HTTP, of which there are few; anything else that a caller sends
// has one name.
std::string MethodName(const std::string& method) {
  for (const char* known : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}) {
    if (method == known) return method;
  }
  return "OTHER";
}

bool ChangesNothing(const std::string& method) {
  return method == "GET" || method == "HEAD" || method == "OPTIONS";
}

MeteredExchange::Effect EffectOf(const std::string& method) {
  return ChangesNothing(method) ? MeteredExchange::Effect::kNone
                                : MeteredExchange::Effect::kSome;
}

absl::Status CheckContentType(const HttpRequest& request) {
  const std::string_view type = request.Header("content-type");
  if (type.empty() ||
      absl::StartsWithIgnoreCase(Absl(type), "application/json")) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "Content-Type must be application/json: ", std::string(type)));
}

absl::Status CheckFormat(const HttpRequest& request) {
  const auto format = request.Query("alt");
  if (!format.has_value() || *format == "json") return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("alt must be json: \"", std::string(*format), "\""));
}

bool IsTrue(std::optional<std::string_view> text) {
  return text.has_value() && (*text == "true" || *text == "1" || text->empty());
}

/// The answer as the query asks for it: selected parts of it, or indented.
absl::StatusOr<HttpResponse> Present(const HttpRequest& request,
                                     const RestAnswer& answer) {
  HttpResponse response = TextResponse(200, kJsonType, "");
  const auto fields = request.Query("fields");
  const bool is_pretty = IsTrue(request.Query("prettyPrint"));
  if (!fields.has_value() && !is_pretty) {
    response.shared_body = answer;
    return response;
  }
  // One copy is cut or indented, and then it is made anew.
  if (ChangesNothing(request.method)) {
    VERNIER_RETURN_IF_ERROR(UseInCall({0, 3 * std::uint64_t{answer->size()}}));
  }
  response.body = *answer;
  if (fields.has_value() && !fields->empty()) {
    VERNIER_ASSIGN_OR_RETURN(const FieldSelection selection,
                             FieldSelection::Parse(*fields));
    VERNIER_ASSIGN_OR_RETURN(response.body, selection.Apply(response.body));
  }
  if (is_pretty) {
    auto indented = IndentJson(response.body);
    if (indented.has_value()) response.body = *std::move(indented);
  }
  return response;
}

// The job that a path names; empty if it names none.
std::string JobIn(const std::map<std::string, std::string>& variables) {
  const auto project = variables.find("project");
  const auto job = variables.find("job");
  if (project == variables.end() || job == variables.end()) return "";
  return ShowText(JobIdIn(project->second, job->second), kMaxSubject);
}

// Checks that the caller may make the call, and that its query belongs to the
// route.
absl::Status CheckRoute(const HttpRequest& request,
                        const RestRouter::Match& match,
                        const Principal& caller) {
  VERNIER_RETURN_IF_ERROR(CheckPermission(caller, match.route->permission));
  const auto project = match.variables.find("project");
  if (project != match.variables.end()) {
    VERNIER_RETURN_IF_ERROR(CheckProjectId(project->second));
    VERNIER_RETURN_IF_ERROR(CheckProject(caller, project->second));
  }
  VERNIER_RETURN_IF_ERROR(CheckFormat(request));
  return CheckQueryParameters(request.query, *match.route);
}

}  // namespace

std::string AttemptPrefix(const std::string& token) {
  return std::string(kAttempts) + token;
}

void HttpGateway::AddMount(Takes takes, v1::Permission read,
                           v1::Permission write, Mount mount,
                           std::string name) {
  mounts_.push_back(
      {std::move(takes), read, write, std::move(mount), std::move(name)});
}

void HttpGateway::AddOpenMount(Takes takes, OpenMount mount) {
  open_mounts_.push_back({std::move(takes), std::move(mount)});
}

absl::StatusOr<Principal> HttpGateway::Authenticate(
    std::string_view token) const {
  auto caller = CallerOf(token);
  if (!caller.ok()) return caller;
  VERNIER_RETURN_IF_ERROR(dependencies_.limiter.Admit(caller->name));
  return caller;
}

absl::StatusOr<Principal> HttpGateway::CallerOf(std::string_view token) const {
  return AttemptTokens::IsOne(token)
             ? dependencies_.attempts.Authenticate(token)
             : dependencies_.authenticator.Authenticate(token);
}

std::unique_ptr<HttpExchange> HttpGateway::Admitted(
    std::unique_ptr<HttpExchange> exchange, std::string_view token) const {
  return std::make_unique<AdmittedExchange>(
      std::move(exchange),
      [this, token = std::string(token)] { return CallerOf(token).status(); });
}

bool HttpGateway::IsKnownHost(std::string_view authority) const {
  const std::string host =
      absl::AsciiStrToLower(std::string(HostOf(authority)));
  if (host == "localhost" || host == "127.0.0.1" || host == "[::1]") {
    return true;
  }
  return std::find(options_.host_names.begin(), options_.host_names.end(),
                   host) != options_.host_names.end();
}

std::optional<HttpResponse> HttpGateway::CheckOrigin(
    const HttpRequest& request) const {
  const std::string_view host = request.Header("host");
  // A page whose name was made to resolve to this machine sends that name (DNS
  // rebinding).
  if (!IsKnownHost(host)) {
    return ErrorResponse(
        absl::InvalidArgumentError(
            absl::StrCat("this service is not called \"", std::string(host),
                         "\"; name it with vernier serve --http-host-name")),
        421);
  }
  if (ChangesNothing(request.method)) return std::nullopt;
  const std::string_view site = request.Header("sec-fetch-site");
  const std::string_view origin = request.Header("origin");
  const std::size_t scheme = origin.find("://");
  const bool is_ours = origin.empty() || (scheme != std::string_view::npos &&
                                          origin.substr(scheme + 3) == host);
  if (!is_ours || site == "cross-site" || site == "same-site") {
    return ErrorResponse(absl::PermissionDeniedError(
        "a page of another origin may not call this service"));
  }
  return std::nullopt;
}

std::unique_ptr<HttpExchange> HttpGateway::Begin(const HttpRequest& request) {
  if (!is_open_) {
    return Answered(Malformed(503, "the service is starting; try again"));
  }
  CallRecord call;
  call.transport = Transport::kHttp;
  call.request_id = RequestIdFor(request.Header("x-request-id"));
  call.caller = ParseTraceParent(request.Header("traceparent"));
  call.began = dependencies_.activity.Now();
  auto exchange = Admit(request, &call);
  return std::make_unique<GuardedExchange>(
      std::move(exchange), dependencies_.activity, std::move(call));
}

std::unique_ptr<HttpExchange> HttpGateway::Admit(const HttpRequest& request,
                                                 CallRecord* call) {
  call->method = MethodName(request.method);
  if (auto refusal = CheckOrigin(request)) {
    return Answered(*std::move(refusal));
  }
  return Route(request, call);
}

std::unique_ptr<HttpExchange> HttpGateway::Route(const HttpRequest& request,
                                                 CallRecord* call) {
  const std::string base_url =
      absl::StrCat(options_.scheme, "://", std::string(request.Header("host")));
  for (const OpenMounted& mounted : open_mounts_) {
    if (!mounted.takes(request.path)) continue;
    absl::StrAppend(&call->method, " page");
    return std::make_unique<OpenExchange>(mounted.mount(request));
  }
  std::string_view token = BearerToken(request.Header("authorization"));
  std::string_view path = request.path;
  if (token.empty() && path.substr(0, kSessionPath.size()) == kSessionPath) {
    token = CookieValue(request, options_.session_cookie);
    const absl::Status genuine = token.empty() || ChangesNothing(request.method)
                                     ? absl::OkStatus()
                                     : CheckForgery(request, token);
    if (!genuine.ok()) return Answered(ErrorResponse(genuine));
  }
  if (path.substr(0, kAttempts.size()) == kAttempts) {
    const std::size_t end =
        std::min(path.find('/', kAttempts.size()), path.size());
    token = path.substr(kAttempts.size(), end - kAttempts.size());
    path.remove_prefix(end);
    // Addresses are logged and passed on, so no other token may be in one.
    if (!AttemptTokens::IsOne(token)) {
      return Answered(ErrorResponse(absl::UnauthenticatedError(
          "only the token of an attempt may be a part of the address; show "
          "yours in a header, \"Authorization: Bearer ...\"")));
    }
  }
  for (const Mounted& mounted : mounts_) {
    if (!mounted.takes(path)) continue;
    HttpRequest inner = request;
    inner.path = std::string(path);
    const std::string prefix =
        request.path.substr(0, request.path.size() - path.size());
    return BeginMount(inner, mounted, token, base_url + prefix, call);
  }
  HttpRequest inner = request;
  inner.path = std::string(path);
  return BeginRoute(inner, token, call);
}

std::unique_ptr<HttpExchange> HttpGateway::BeginMount(
    const HttpRequest& request, const Mounted& mounted, std::string_view token,
    const std::string& base_url, CallRecord* call) {
  absl::StrAppend(&call->method, " ", mounted.name);
  const auto caller = Authenticate(token);
  if (!caller.ok()) return Answered(ErrorResponse(caller.status()));
  call->principal = caller->name;
  const absl::Status allowed = CheckPermission(
      *caller, ChangesNothing(request.method) ? mounted.read : mounted.write);
  if (!allowed.ok()) return Answered(ErrorResponse(allowed));
  auto share = dependencies_.load.Admit(caller->name);
  if (!share.ok()) return Answered(ErrorResponse(share.status()));
  return Admitted(std::make_unique<MeteredExchange>(
                      *std::move(share), EffectOf(request.method),
                      dependencies_.activity.clock(),
                      mounted.mount(request, *caller, base_url)),
                  token);
}

std::unique_ptr<HttpExchange> HttpGateway::BeginRoute(
    const HttpRequest& request, std::string_view token, CallRecord* call) {
  // The token is checked first: without one, callers must not learn which paths
  // exist.
  const auto caller = Authenticate(token);
  if (!caller.ok()) return Answered(ErrorResponse(caller.status()));
  call->principal = caller->name;
  RestRouter::Match match = router_.Find(request.method, request.path);
  if (match.route == nullptr) {
    const std::string what = request.method + " " + request.path;
    if (match.allowed.empty()) {
      return Answered(ErrorResponse(
          absl::NotFoundError("there is no such method: " + what)));
    }
    HttpResponse response = ErrorResponse(
        absl::UnimplementedError("there is no such method: " + what), 405);
    response.headers.emplace_back("Allow", absl::StrJoin(match.allowed, ", "));
    return Answered(std::move(response));
  }
  absl::StrAppend(&call->method, " ", match.route->pattern);
  call->job = JobIn(match.variables);
  absl::Status status = CheckRoute(request, match, *caller);
  if (!status.ok()) return Answered(ErrorResponse(status));
  if (status = CheckContentType(request); !status.ok()) {
    return Answered(ErrorResponse(status, 415));
  }
  // The body of a GET or DELETE is not read, but is kept until it is whole.
  const std::uint64_t max_body =
      request.method == "GET" || request.method == "DELETE"
          ? std::min(kMaxUnreadBody, match.route->max_body)
          : match.route->max_body;
  auto share = dependencies_.load.Admit(caller->name);
  if (!share.ok()) return Answered(ErrorResponse(share.status()));
  // One exchange owns both, so the share outlives the function.
  auto exchange = std::make_unique<
      BufferedExchange>(max_body, [request, match = std::move(match),
                                   caller = *caller,
                                   &held = **share](std::string body) {
    const absl::Status json = AdmitJson(body, held);
    if (!json.ok()) return ErrorResponse(json);
    const RestCall rest_call{request, match.variables, std::move(body), caller};
    auto answer = match.route->handle(rest_call);
    absl::StatusOr<HttpResponse> response =
        answer.ok() ? Present(request, *answer)
                    : absl::StatusOr<HttpResponse>(answer.status());
    if (!response.ok()) return ErrorResponse(response.status());
    return *std::move(response);
  });
  return Admitted(std::make_unique<MeteredExchange>(
                      *std::move(share), EffectOf(request.method),
                      dependencies_.activity.clock(), std::move(exchange)),
                  token);
}

HttpResponse HttpGateway::Malformed(int status, const std::string& why) {
  const auto code = status == 503   ? absl::StatusCode::kUnavailable
                    : status == 408 ? absl::StatusCode::kDeadlineExceeded
                                    : absl::StatusCode::kInvalidArgument;
  HttpResponse answer = ErrorResponse(absl::Status(code, why), status);
  AddSafetyHeaders(&answer);
  return answer;
}

}  // namespace vernier
