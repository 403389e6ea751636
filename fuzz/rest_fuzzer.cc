// Sends whole HTTP requests through the gate and the routes to the handlers,
// over a store in memory. The first line is "ROLE METHOD TARGET"; headers
// follow, an empty line and the body. Any request is answered, never with an
// error of the service, and a caller that may not write changes nothing.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "access/attempt_tokens.h"
#include "base/json.h"
#include "daemon/open_api.h"
#include "edge/call_activity.h"
#include "edge/http/http_gateway.h"
#include "faces/logging/logging_api.h"
#include "faces/ml/ml_absent_api.h"
#include "faces/ml/ml_jobs_api.h"
#include "faces/ml/ml_studies_api.h"
#include "fuzz/fuzzed_service.h"
#include "http/url.h"

namespace vernier {
namespace {

constexpr char kStudy[] =
    R"({"studyConfig":{"metrics":[{"metric":"acc","goal":"MAXIMIZE"}],)"
    R"("algorithm":"RANDOM_SEARCH","parameters":[{"parameter":"x",)"
    R"("type":"DOUBLE","doubleValueSpec":{"minValue":0,"maxValue":1}}]}})";
constexpr char kStudies[] = "/v1/projects/p1/locations/l/studies";

void Require(bool is_kept) {
  if (!is_kept) std::abort();
}

/// Tokens of all roles. They are made once, because each costs a sync of a
/// disk.
class Roles {
 public:
  Roles() {
    SignInCodes codes(clock_, [] { return std::string("a code"); });
    AccessHandlers access({tokens_.store(), clock_, codes, ""});
    for (const auto& [role, scope] :
         {std::pair("admin", "admin"), std::pair("run", "project-write"),
          std::pair("write", "project-write"),
          std::pair("read", "project-read")}) {
      v1::CreateTokenRequest request;
      request.set_scope(scope);
      if (role != std::string("admin")) request.set_project("p1");
      request.set_may_run(role == std::string("run"));
      v1::CreateTokenResponse response;
      CheckStatus(access.CreateToken(request, &response));
      secrets_[role] = response.secret();
    }
  }

  FuzzedTokens& tokens() { return tokens_; }
  /// Empty for a caller without a token.
  std::string SecretOf(const std::string& role) const {
    const auto found = secrets_.find(role);
    return found == secrets_.end() ? "" : found->second;
  }

 private:
  CountingClock clock_;
  FuzzedTokens tokens_;
  std::map<std::string, std::string> secrets_;
};

class Front {
 public:
  explicit Front(Roles& roles) : roles_(roles), service_(roles.tokens()) {
    jobs_.AddRoutes(&front_.router());
    studies_.AddRoutes(&front_.router());
    AddAbsentMlRoutes(&front_.router());
    logging_.AddRoutes(&front_.router());
    AddDescriptionRoute(&front_.router());
    front_.Open();
    Require(Send("admin", Request("POST", std::string(kStudies) + "?studyId=s"),
                 kStudy)
                .status == 200);
  }

  static HttpRequest Request(const std::string& method,
                             const std::string& target) {
    HttpRequest request;
    request.method = method;
    if (auto parsed = ParseTarget(target)) {
      request.path = parsed->path;
      request.query = parsed->query;
    }
    return request;
  }

  HttpResponse Send(const std::string& role, HttpRequest request,
                    const std::string& body) {
    const std::string secret =
        role == "attempt"
            ? attempts_.For(service_.attempt(), FuzzedService::kNonce)
            : roles_.SecretOf(role);
    if (request.Header("host").empty()) {
      request.headers.emplace_back("host", "127.0.0.1:8477");
    }
    if (request.Header("content-type").empty()) {
      request.headers.emplace_back("content-type", "application/json");
    }
    if (!secret.empty()) {
      request.headers.emplace_back("authorization", "Bearer " + secret);
    }
    const std::unique_ptr<HttpExchange> exchange = front_.Begin(request);
    std::optional<HttpResponse> early;
    if (!body.empty()) early = exchange->Receive(body);
    HttpResponse answer = early ? *std::move(early) : exchange->Finish();
    return answer;
  }

  EventSequence LastEvent() { return service_.store().LastEvent(); }

 private:
  Roles& roles_;
  FuzzedService service_;
  CallActivity activity_{service_.clock()};
  AttemptTokens attempts_{service_.store(), std::string(64, 'k')};
  LoadLimiter load_{{}};
  HttpGateway front_{{service_.authenticator(), attempts_, activity_,
                      service_.limiter(), load_},
                     {}};
  MlJobsApi jobs_{{service_.jobs(), service_.store(), service_.hindrances(),
                   service_.clock()}};
  MlStudiesApi studies_{
      {service_.studies(), service_.store(), service_.clock()}};
  LoggingApi logging_{service_.store(), service_.clock()};
};

std::string TakeUntil(char end, std::string_view* text) {
  const std::string_view taken = text->substr(0, text->find(end));
  text->remove_prefix(std::min(text->size(), taken.size() + 1));
  return std::string(taken);
}

void CheckAnswer(const HttpResponse& answer) {
  // 501 says that an interface is not offered here.
  if (answer.status < 200 || answer.status > 599 ||
      (answer.status >= 500 && answer.status != 501)) {
    std::fprintf(stderr, "%d %s\n", answer.status,
                 std::string(answer.text()).c_str());
    std::abort();
  }
  for (const auto& [name, value] : answer.headers) {
    Require(value.find_first_of(std::string_view("\r\n\0", 3)) ==
            std::string::npos);
    if (name == "Content-Type" && value.rfind("application/json", 0) == 0) {
      Require(ParseJson(answer.text()).ok());
    }
  }
}

void Serve(Roles& roles, std::string_view text) {
  std::string_view line_rest;
  const std::string line = TakeUntil('\n', &text);
  line_rest = line;
  const std::string role = TakeUntil(' ', &line_rest);
  const std::string method = TakeUntil(' ', &line_rest);
  HttpRequest request = Front::Request(method, std::string(line_rest));
  if (request.path.empty()) return;
  while (!text.empty()) {
    const std::string header = TakeUntil('\n', &text);
    if (header.empty()) break;
    const std::size_t colon = header.find(':');
    if (colon == std::string::npos) continue;
    request.headers.emplace_back(
        absl::AsciiStrToLower(header.substr(0, colon)),
        absl::StripAsciiWhitespace(header.substr(colon + 1)));
  }
  Front front(roles);
  const EventSequence before = front.LastEvent();
  const HttpResponse answer =
      front.Send(role, std::move(request), std::string(text));
  CheckAnswer(answer);
  const bool is_known = role == "attempt" || !roles.SecretOf(role).empty();
  if (!is_known) Require(answer.status >= 400);
  if (!is_known || role == "read") Require(front.LastEvent() == before);
}

}  // namespace
}  // namespace vernier

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static vernier::Roles roles;
  vernier::Serve(roles, {reinterpret_cast<const char*>(data), size});
  return 0;
}
