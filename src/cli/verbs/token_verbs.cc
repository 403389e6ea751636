#include <vernier/v1/access_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/service_call.h"
#include "cli/display/duration_text.h"
#include "cli/display/resource_tables.h"
#include "cli/text/console.h"
#include "cli/verbs/verbs.h"
#include "client/client_connection.h"

namespace vernier {
namespace {

using Access = v1::AccessService::Stub;

absl::StatusOr<int> CreateToken(Invocation& invocation,
                                v1::CreateTokenRequest request,
                                const std::string& lifetime) {
  if (!lifetime.empty()) {
    VERNIER_ASSIGN_OR_RETURN(const auto seconds, ParseDuration(lifetime));
    request.mutable_lifetime()->set_seconds(seconds.count());
  }
  VERNIER_ASSIGN_OR_RETURN(
      const std::string text,
      CallForJson(invocation, &Access::CreateToken, request));
  VERNIER_ASSIGN_OR_RETURN(const Json created, ParseJson(text));
  if (!invocation.wants_table()) {
    VERNIER_RETURN_IF_ERROR(invocation.Print(
        text, TextTable{{"TOKEN"}, {{created.value("secret", "")}}}));
    return kExitDone;
  }
  // Only the token is printed, so that it can go into a file or a variable.
  PrintTo(stdout, "%s\n", created.value("secret", "").c_str());
  PrintTo(stderr, "token %s; it is not shown again\n",
          created["token"].value("id", "").c_str());
  return kExitDone;
}

std::string StateOf(const Json& token, Digits digits) {
  if (token.contains("revokeTime")) return "revoked";
  return token.contains("expireTime")
             ? absl::StrCat("until ",
                            TimeText(token.value("expireTime", ""), digits))
             : "valid";
}

absl::StatusOr<int> ListTokens(Invocation& invocation) {
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           CallForJson(invocation, &Access::ListTokens, {}));
  VERNIER_ASSIGN_OR_RETURN(const Json list, ParseJson(text));
  TextTable table{
      {"TOKEN", "SCOPE", "PROJECT", "MAY RUN", "CREATED", "STATE", "LABEL"},
      {}};
  for (const Json& token : list.value("tokens", Json::array())) {
    table.rows.push_back(
        {token.value("id", ""), token.value("scope", ""),
         token.value("project", ""),
         token.value("mayRun", false) ? "yes" : "no",
         TimeText(token.value("createTime", ""), invocation.digits()),
         StateOf(token, invocation.digits()), token.value("label", "")});
  }
  VERNIER_RETURN_IF_ERROR(invocation.Print(text, table));
  return kExitDone;
}

void DeclareCreate(CLI::App& app, Invocation& invocation) {
  CLI::App* verb = app.add_subcommand(
      "create", "Make a token; it is printed once and stored nowhere");
  auto request = std::make_shared<v1::CreateTokenRequest>();
  auto may_run = std::make_shared<bool>(false);
  auto lifetime = std::make_shared<std::string>();
  verb->add_option("--scope", *request->mutable_scope(),
                   "admin, project-write or project-read")
      ->required();
  verb->add_option("--project", *request->mutable_project(),
                   "The project that it is for, unless it is for an admin");
  verb->add_flag("--may-run", *may_run,
                 "Let it submit jobs, that is, say what is executed");
  verb->add_option("--label", *request->mutable_label(), "A note for people");
  verb->add_option("--lifetime", *lifetime, "E.g. 30d; default: for ever");
  invocation.DeclareClientFlags(*verb);
  verb->callback([&invocation, request, may_run, lifetime] {
    invocation.set_action([&invocation, request, may_run, lifetime] {
      request->set_may_run(*may_run);
      return CreateToken(invocation, *request, *lifetime);
    });
  });
}

void DeclareListTokens(CLI::App& app, Invocation& invocation) {
  CLI::App* verb = app.add_subcommand("list", "List all tokens");
  invocation.DeclareClientFlags(*verb);
  verb->callback([&invocation] {
    invocation.set_action([&invocation] { return ListTokens(invocation); });
  });
}

void DeclareRevoke(CLI::App& app, Invocation& invocation) {
  CLI::App* verb = app.add_subcommand("revoke", "End a token for ever");
  auto request = std::make_shared<v1::RevokeTokenRequest>();
  verb->add_option("TOKEN", *request->mutable_id(), "As tokens list shows it")
      ->required();
  invocation.DeclareClientFlags(*verb);
  verb->callback([&invocation, request] {
    invocation.set_action([&invocation, request]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                               invocation.Client());
      VERNIER_RETURN_IF_ERROR(
          client->Call(&Access::RevokeToken, *request).status());
      PrintTo(stderr, "token %s is revoked\n", request->id().c_str());
      return kExitDone;
    });
  });
}

}  // namespace

void DeclareTokenVerbs(CLI::App& app, Invocation& invocation) {
  CLI::App* tokens = app.add_subcommand("tokens", "Say who may call");
  tokens->require_subcommand(1);
  DeclareCreate(*tokens, invocation);
  DeclareListTokens(*tokens, invocation);
  DeclareRevoke(*tokens, invocation);
}

}  // namespace vernier
