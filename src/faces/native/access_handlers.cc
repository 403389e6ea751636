#include "faces/native/access_handlers.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "access/token_text.h"
#include "base/status_macros.h"
#include "faces/messages/proto_time.h"
#include "study/job_id.h"

namespace vernier {
namespace {

constexpr std::size_t kIdDigits = 8;
constexpr std::size_t kLongestText = 128;  // The limit of labels.
// No key should live longer than this; the limit also keeps sums of times in
// range.
constexpr std::int64_t kLongestLife = std::int64_t{100} * 366 * 24 * 3600;
constexpr std::chrono::hours kLongestSession{30 * 24};

v1::Token TokenToProto(const TokenRecord& token) {
  v1::Token proto;
  proto.set_id(token.id);
  proto.set_scope(std::string(ToString(token.scope)));
  proto.set_project(token.project);
  proto.set_may_run(token.may_run);
  proto.set_label(token.label);
  *proto.mutable_create_time() = ToProto(token.created_at);
  if (token.expires_at)
    *proto.mutable_expire_time() = ToProto(*token.expires_at);
  if (token.revoked_at)
    *proto.mutable_revoke_time() = ToProto(*token.revoked_at);
  return proto;
}

absl::Status CheckLength(const std::string& text, const char* field) {
  if (text.size() <= kLongestText) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(field, " must have at most ", kLongestText,
                   " bytes: it has ", text.size()));
}

}  // namespace

absl::Status AccessHandlers::CreateToken(const v1::CreateTokenRequest& request,
                                         v1::CreateTokenResponse* response) {
  VERNIER_RETURN_IF_ERROR(CheckLength(request.label(), "label"));
  if (!request.project().empty()) {
    VERNIER_RETURN_IF_ERROR(CheckProjectId(request.project()));
  }
  TokenRecord token;
  VERNIER_ASSIGN_OR_RETURN(token.scope, ParseTokenScope(request.scope()));
  token.project = request.project();
  token.may_run = request.may_run() || token.scope == TokenScope::kAdmin;
  if (request.may_run() && token.scope == TokenScope::kProjectRead) {
    return absl::InvalidArgumentError(
        "may_run needs the scope project-write: who only reads runs nothing");
  }
  token.label = request.label();
  token.created_at = clock_.Now();
  if (request.has_lifetime()) {
    const std::int64_t seconds = request.lifetime().seconds();
    if (seconds <= 0 || seconds > kLongestLife) {
      return absl::InvalidArgumentError(
          absl::StrCat("lifetime must be 1 s to 100 years: ", seconds, " s"));
    }
    token.expires_at = token.created_at + std::chrono::seconds(seconds);
  }
  const std::string secret = DrawToken();
  token.hash = HashToken(secret);
  // The id is part of the hash, so that the owner of a token can tell which one
  // it is.
  token.id = token.hash.substr(0, kIdDigits);
  VERNIER_RETURN_IF_ERROR(tokens_.Add(token));
  *response->mutable_token() = TokenToProto(token);
  response->set_secret(secret);
  return absl::OkStatus();
}

absl::Status AccessHandlers::ListTokens(
    const v1::ListTokensRequest& /*request*/,
    v1::ListTokensResponse* response) {
  for (const TokenRecord& token : tokens_.List()) {
    *response->add_tokens() = TokenToProto(token);
  }
  return absl::OkStatus();
}

absl::Status AccessHandlers::RevokeToken(const v1::RevokeTokenRequest& request,
                                         v1::RevokeTokenResponse*) {
  return tokens_.Revoke(request.id(), clock_.Now());
}

absl::Status AccessHandlers::CreateSignInCode(
    const v1::CreateSignInCodeRequest& request,
    v1::CreateSignInCodeResponse* response) {
  if (http_url_.empty()) {
    return absl::FailedPreconditionError(
        "the service has no HTTP interface (--http off), so it has no "
        "dashboard");
  }
  SignInCodes::Grant grant;
  grant.project = request.project();
  if (!grant.project.empty()) {
    VERNIER_RETURN_IF_ERROR(CheckProjectId(grant.project));
    grant.scope = request.read_only() ? TokenScope::kProjectRead
                                      : TokenScope::kProjectWrite;
    grant.may_run = !request.read_only();
  } else if (request.read_only()) {
    return absl::InvalidArgumentError(
        "read_only needs a project: who may only look sees one project");
  }
  if (request.has_lifetime()) {
    grant.lifetime = std::chrono::seconds(request.lifetime().seconds());
    if (grant.lifetime <= std::chrono::seconds(0) ||
        grant.lifetime > kLongestSession) {
      return absl::InvalidArgumentError(absl::StrCat(
          "lifetime must be 1 s to 30 days: ", request.lifetime().seconds(),
          " s"));
    }
  }
  response->set_code(sign_in_codes_.Issue(grant));
  response->set_url(absl::StrCat(http_url_, "/ui/login#", response->code()));
  return absl::OkStatus();
}

}  // namespace vernier
