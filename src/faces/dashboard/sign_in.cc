#include "faces/dashboard/sign_in.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "access/token_text.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "base/version.h"
#include "edge/http/rest_error.h"
#include "edge/http/session_cookie.h"
#include "faces/dashboard/columns.h"

namespace vernier {
namespace {

constexpr char kSignInType[] = "application/json; charset=UTF-8";
constexpr std::uint64_t kMaxSignInBody = 1024;
constexpr std::size_t kIdDigits = 8;

}  // namespace

std::unique_ptr<HttpExchange> SignIn::Begin(const HttpRequest& request) {
  return std::make_unique<BufferedExchange>(
      kMaxSignInBody, [this, request](const std::string& body) {
        Answer answer = absl::UnimplementedError(
            absl::StrCat("there is no such method: ", request.method));
        if (request.method == "POST") answer = Create(body);
        if (request.method == "GET") answer = Get(request);
        if (request.method == "DELETE") answer = Delete(request);
        return answer.ok() ? *std::move(answer)
                           : ErrorResponse(answer.status());
      });
}

absl::StatusOr<std::string> SignIn::MakeToken(std::string_view code) {
  const auto grant = dependencies_.codes.Redeem(code);
  if (!grant.has_value()) {
    return absl::UnauthenticatedError(
        "this sign-in code was used already or is too old: run vernier ui "
        "again");
  }
  const std::string secret = DrawToken();
  TokenRecord token;
  token.hash = HashToken(secret);
  token.id = token.hash.substr(0, kIdDigits);
  token.scope = grant->scope;
  token.project = grant->project;
  token.may_run = grant->may_run;
  token.label = "dashboard";
  token.created_at = dependencies_.clock.Now();
  token.expires_at = token.created_at + grant->lifetime;
  VERNIER_RETURN_IF_ERROR(dependencies_.tokens.Add(token));
  return secret;
}

SignIn::Answer SignIn::Create(const std::string& body) {
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(body));
  if (!json.is_object()) {
    return absl::InvalidArgumentError("the body must be a JSON object");
  }
  std::string token = TextAt(json, "token");
  if (const std::string code = TextAt(json, "code"); !code.empty()) {
    VERNIER_ASSIGN_OR_RETURN(token, MakeToken(code));
  }
  return Describe(token, /*begins=*/true);
}

SignIn::Answer SignIn::Get(const HttpRequest& request) {
  return Describe(std::string(CookieValue(request, options_.cookie)),
                  /*begins=*/false);
}

SignIn::Answer SignIn::Delete(const HttpRequest& request) {
  const std::string token(CookieValue(request, options_.cookie));
  if (!token.empty()) VERNIER_RETURN_IF_ERROR(CheckForgery(request, token));
  const auto known =
      dependencies_.tokens.Find(HashToken(token), dependencies_.clock.Now());
  // Only tokens made for the dashboard are revoked. A token that a person typed
  // in has other uses.
  if (known.has_value() && known->label == "dashboard") {
    VERNIER_RETURN_IF_ERROR(
        dependencies_.tokens.Revoke(known->id, dependencies_.clock.Now()));
  }
  HttpResponse response = TextResponse(200, kSignInType, "{}");
  response.headers.emplace_back(
      "Set-Cookie",
      SessionCookie(options_.cookie, "", std::nullopt, options_.is_secure));
  return response;
}

SignIn::Answer SignIn::Describe(const std::string& token, bool begins) {
  VERNIER_ASSIGN_OR_RETURN(const Principal caller,
                           dependencies_.authenticator.Authenticate(token));
  const Timestamp now = dependencies_.clock.Now();
  const auto record = dependencies_.tokens.Find(HashToken(token), now);
  const Json json = {{"name", caller.name},
                     {"project", caller.project},
                     {"canWrite", HasPermission(caller, v1::WRITE)},
                     {"canRun", HasPermission(caller, v1::RUN)},
                     {"version", std::string(kVersion)},
                     {"csrf", ForgeryKey(token)},
                     {"now", Milliseconds(now)}};
  std::optional<std::chrono::seconds> lifetime;
  if (record.has_value() && record->expires_at.has_value()) {
    lifetime = std::chrono::duration_cast<std::chrono::seconds>(
        *record->expires_at - now);
  }
  HttpResponse response = TextResponse(200, kSignInType, DumpJson(json));
  if (begins) {
    response.headers.emplace_back(
        "Set-Cookie",
        SessionCookie(options_.cookie, token, lifetime, options_.is_secure));
  }
  return response;
}

}  // namespace vernier
