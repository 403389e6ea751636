#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cli/completion.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/verbs.h"
#include "server/version.h"
#include "study/json.h"
#include "study/nearest_name.h"
#include "study/status_macros.h"

namespace vernier {
namespace {

constexpr char kCompleteVerb[] = "__complete";

absl::StatusOr<int> PrintVersion(const Invocation& invocation) {
  Json document = Json::object();
  document["version"] = kVersion;
  if (invocation.wants_table()) {
    std::printf("vernier %s\n", kVersion);
    return kExitDone;
  }
  VERNIER_RETURN_IF_ERROR(invocation.Print(
      DumpJson(document), TextTable{{"version"}, {{kVersion}}}));
  return kExitDone;
}

void DeclareOtherVerbs(CLI::App& app, Invocation& invocation) {
  CLI::App* version = app.add_subcommand("version", "Print the version");
  invocation.DeclareFormatFlag(*version);
  version->callback([&invocation] {
    invocation.set_action([&invocation] { return PrintVersion(invocation); });
  });
  CLI::App* completion = app.add_subcommand(
      "completion", "Print a script for completion in bash or zsh");
  auto shell = std::make_shared<std::string>();
  completion->add_option("SHELL", *shell, "bash or zsh")->required();
  completion->callback([&invocation, shell] {
    invocation.set_action([shell]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(const std::string script,
                               CompletionScript(*shell));
      std::fputs(script.c_str(), stdout);
      return kExitDone;
    });
  });
}

void DeclareAll(CLI::App& app, Invocation& invocation) {
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "Print the help of all verbs");
  DeclareRunVerb(app, invocation);
  CLI::App* jobs = app.add_subcommand("jobs", "Submit and manage jobs");
  jobs->require_subcommand(1);
  DeclareSubmitVerb(*jobs, invocation);
  DeclareJobVerbs(*jobs, invocation);
  DeclareTrialVerbs(app, invocation);
  DeclareStudyVerbs(app, invocation);
  DeclareInspectVerbs(app, invocation);
  DeclareSuggestVerb(app, invocation);
  DeclareLocalVerb(app, invocation);
  DeclareTokenVerbs(app, invocation);
  DeclareProjectVerbs(app, invocation);
  DeclareBucketVerbs(app, invocation);
  DeclareGcloudVerbs(app, invocation);
  DeclareServeVerb(app, invocation);
  DeclareCheckVerb(app, invocation);
  DeclareOtherVerbs(app, invocation);
}

/// Says which word of `words` is no verb, and which verb it may have meant;
/// empty if all are.
std::string UnknownVerb(const CLI::App& app,
                        const std::vector<std::string>& words) {
  const CLI::App* here = &app;
  for (const std::string& word : words) {
    std::vector<std::string_view> names;
    const CLI::App* next = nullptr;
    for (const CLI::App* verb : here->get_subcommands(nullptr)) {
      if (verb->get_name() == word) next = verb;
      names.push_back(verb->get_name());
    }
    if (names.empty() || word.empty() || word.front() == '-') return "";
    if (next == nullptr) {
      std::string known;
      for (std::string_view name : names) {
        known.append(known.empty() ? "" : ", ").append(name);
      }
      return absl::StrCat("unknown verb \"", word, "\"",
                          DidYouMean(word, names), "; there are ", known);
    }
    here = next;
  }
  return "";
}

int Report(const absl::Status& status) {
  std::fprintf(stderr, "vernier: %s\n", std::string(status.message()).c_str());
  return ExitCodeOf(status);
}

int RunAction(const Invocation& invocation) {
  if (!invocation.action()) return kExitUsage;
  const absl::StatusOr<int> done = invocation.action()();
  if (done.ok()) return *done;
  if (!absl::IsUnavailable(done.status())) return Report(done.status());
  return Report(absl::UnavailableError(absl::StrCat(
      std::string(done.status().message()), invocation.EndpointHint())));
}

}  // namespace

int RunCommandLine(const std::vector<std::string>& words) {
  const auto separator = std::find(words.begin(), words.end(), "--");
  std::optional<std::vector<std::string>> tail;
  if (separator != words.end()) tail.emplace(separator + 1, words.end());
  Invocation invocation(tail);
  CLI::App app("Tunes hyperparameters and runs the trials.", "vernier");
  DeclareAll(app, invocation);
  if (!words.empty() && words.front() == kCompleteVerb) {
    const std::vector<std::string> typed(words.begin() + 1, words.end());
    for (const std::string& word : Completions(app, typed)) {
      std::printf("%s\n", word.c_str());
    }
    return kExitDone;
  }
  // CLI11 takes the words from the back.
  std::vector<std::string> own(words.begin(), separator);
  std::reverse(own.begin(), own.end());
  try {
    app.parse(own);
  } catch (const CLI::ParseError& error) {
    const std::string unknown = UnknownVerb(app, {words.begin(), separator});
    if (!unknown.empty()) return Report(absl::InvalidArgumentError(unknown));
    // Help was asked for, or something is wrong: both are told by CLI11.
    return app.exit(error) == 0 ? kExitDone : kExitUsage;
  }
  return RunAction(invocation);
}

}  // namespace vernier
