#include <vernier/v1/access_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/service_call.h"
#include "cli/command/verb.h"
#include "cli/display/duration_text.h"
#include "cli/display/resource_tables.h"
#include "cli/text/console.h"
#include "cli/verbs/verbs.h"

namespace vernier {
namespace {

using Access = v1::AccessService::Stub;

struct TokenFlags {
  v1::CreateTokenRequest request;
  bool may_run = false;
  std::string lifetime;
};

absl::Status CreateToken(Invocation& invocation, const TokenFlags& flags) {
  v1::CreateTokenRequest request = flags.request;
  request.set_may_run(flags.may_run);
  if (!flags.lifetime.empty()) {
    VERNIER_ASSIGN_OR_RETURN(const auto seconds, ParseDuration(flags.lifetime));
    request.mutable_lifetime()->set_seconds(seconds.count());
  }
  VERNIER_ASSIGN_OR_RETURN(const Json created,
                           Ask(invocation, &Access::CreateToken, request));
  const std::string secret = created.value("secret", "");
  if (!invocation.wants_table()) {
    return invocation.Show(created, TextTable{{"TOKEN"}, {{secret}}});
  }
  // Only the token is printed, so that it can go into a file or a variable.
  PrintTo(stdout, "%s\n", secret);
  PrintTo(stderr, "token %s; it is not shown again\n",
          created["token"].value("id", ""));
  return absl::OkStatus();
}

std::string StateOf(const Json& token, Digits digits) {
  if (token.contains("revokeTime")) return "revoked";
  return token.contains("expireTime")
             ? absl::StrCat("until ",
                            TimeText(token.value("expireTime", ""), digits))
             : "valid";
}

absl::Status ListTokens(const Call& call, const NoWords&) {
  VERNIER_ASSIGN_OR_RETURN(const Json list,
                           Ask(call.client, &Access::ListTokens, {}));
  const Digits digits = call.invocation.digits();
  TextTable table{
      {"TOKEN", "SCOPE", "PROJECT", "MAY RUN", "CREATED", "STATE", "LABEL"},
      {}};
  for (const Json& token : list.value("tokens", Json::array())) {
    table.rows.push_back({token.value("id", ""), token.value("scope", ""),
                          token.value("project", ""),
                          token.value("mayRun", false) ? "yes" : "no",
                          TimeText(token.value("createTime", ""), digits),
                          StateOf(token, digits), token.value("label", "")});
  }
  return call.invocation.Show(list, table);
}

absl::Status RevokeToken(const Call& call,
                         const v1::RevokeTokenRequest& request) {
  VERNIER_RETURN_IF_ERROR(
      call.client.Call(&Access::RevokeToken, request).status());
  PrintTo(stderr, "token %s is revoked\n", request.id());
  return absl::OkStatus();
}

void DeclareCreate(CLI::App& app, Invocation& invocation) {
  const Verb<TokenFlags> verb(
      app, invocation, "create",
      "Make a token; it is printed once and stored nowhere");
  TokenFlags& flags = verb.words();
  verb.Needs("--scope", *flags.request.mutable_scope(),
             "admin, project-write or project-read");
  verb->add_option("--project", *flags.request.mutable_project(),
                   "The project that it is for, unless it is for an admin");
  verb->add_flag("--may-run", flags.may_run,
                 "Let it submit jobs, that is, say what is executed");
  verb->add_option("--label", *flags.request.mutable_label(),
                   "A note for people");
  verb->add_option("--lifetime", flags.lifetime, "E.g. 30d; default: for ever");
  verb.Does(Flags::kClient, &CreateToken);
}

void DeclareRevoke(CLI::App& app, Invocation& invocation) {
  const Verb<v1::RevokeTokenRequest> verb(app, invocation, "revoke",
                                          "End a token for ever");
  verb.Needs("TOKEN", *verb.words().mutable_id(), "As tokens list shows it");
  verb.Does(Flags::kClient, &RevokeToken);
}

}  // namespace

void DeclareTokenVerbs(CLI::App& app, Invocation& invocation) {
  CLI::App* tokens = app.add_subcommand("tokens", "Say who may call");
  tokens->require_subcommand(1);
  DeclareCreate(*tokens, invocation);
  Verb<NoWords>(*tokens, invocation, "list", "List all tokens")
      .Does(Flags::kClient, &ListTokens);
  DeclareRevoke(*tokens, invocation);
}

}  // namespace vernier
