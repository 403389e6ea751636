#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "base/version.h"
#include "cli/command/completion.h"
#include "cli/command/exit_code.h"
#include "cli/command/invocation.h"
#include "cli/command/usage_error.h"
#include "cli/command/verb.h"
#include "cli/display/output_format.h"
#include "cli/imports/import_verb.h"
#include "cli/text/console.h"
#include "cli/verbs/verbs.h"

namespace vernier {
namespace {

constexpr char kCompleteVerb[] = "__complete";

absl::Status PrintVersion(Invocation& invocation, const NoWords&) {
  if (!invocation.wants_table()) {
    return invocation.Show(Json{{"version", kVersion}},
                           TextTable{{"version"}, {{kVersion}}});
  }
  PrintTo(stdout, "vernier %s\n", kVersion);
  return absl::OkStatus();
}

absl::Status PrintCompletionScript(Invocation&, const std::string& shell) {
  VERNIER_ASSIGN_OR_RETURN(const std::string script, CompletionScript(shell));
  WriteData(stdout, script);
  return absl::OkStatus();
}

void DeclareOtherVerbs(CLI::App& app, Invocation& invocation) {
  Verb<NoWords>(app, invocation, "version", "Print the version")
      .Does(Flags::kFormat, &PrintVersion);
  const Verb<std::string> completion(
      app, invocation, "completion",
      "Print a script for completion in bash or zsh");
  completion.Needs("SHELL", completion.words(), "bash or zsh");
  completion.Does(Flags::kNone, &PrintCompletionScript);
}

void DeclareHelpVerb(CLI::App& app, Invocation& invocation) {
  const Verb<std::vector<std::string>> help(
      app, invocation, "help", "Explain a verb: vernier help jobs list");
  help->add_option("VERB", help.words(), "E.g. jobs list; default: all verbs");
  help.Does(Flags::kNone,
            [&app](Invocation&,
                   const std::vector<std::string>& verb) -> absl::Status {
              const std::string text = HelpOf(app, verb);
              if (text.empty()) {
                return absl::InvalidArgumentError(UnknownVerb(app, verb));
              }
              WriteText(stdout, text);
              return absl::OkStatus();
            });
}

void DeclareAll(CLI::App& app, Invocation& invocation) {
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "Print the help of all verbs");
  DeclareRunVerb(app, invocation);
  DeclareConvertVerb(app, invocation);
  CLI::App* jobs = app.add_subcommand("jobs", "Submit and manage jobs");
  jobs->require_subcommand(1);
  DeclareSubmitVerb(*jobs, invocation);
  DeclareJobVerbs(*jobs, invocation);
  DeclareStatusVerb(app, invocation);
  DeclareTopVerb(app, invocation);
  DeclareUiVerb(app, invocation);
  DeclareTrialVerbs(app, invocation);
  DeclareStudyVerbs(app, invocation);
  DeclareImportVerb(app, invocation);
  DeclareInspectVerbs(app, invocation);
  DeclareDevicesVerb(app, invocation);
  DeclareDoctorVerb(app, invocation);
  DeclareInsightsVerb(app, invocation);
  DeclareSuggestVerb(app, invocation);
  DeclareLocalVerb(app, invocation);
  DeclareTokenVerbs(app, invocation);
  DeclareProjectVerbs(app, invocation);
  DeclareBucketVerbs(app, invocation);
  DeclareGcloudVerbs(app, invocation);
  DeclareServeVerb(app, invocation);
  DeclareCheckVerb(app, invocation);
  DeclareOtherVerbs(app, invocation);
  DeclareHelpVerb(app, invocation);
}

void PrintCompletions(CLI::App& app, Invocation& invocation,
                      const std::vector<std::string>& typed) {
  std::vector<std::string> found = Completions(app, typed);
  if (WantsJobName(app, typed)) {
    // Earlier flags may select the service, so they are parsed first; arguments
    // that are still missing do not matter.
    std::vector<std::string> before(typed.rbegin() + 1, typed.rend());
    try {
      app.parse(before);
    } catch (const CLI::ParseError&) {
    }
    found = invocation.JobNamesNow(typed.back());
    if (TakesStudyName(app, typed)) {
      for (std::string& name : invocation.StudyNamesNow(typed.back())) {
        found.push_back(std::move(name));
      }
    }
  }
  for (const std::string& word : found) PrintTo(stdout, "%s\n", word.c_str());
}

int Report(const absl::Status& status) {
  PrintTo(stderr, "vernier: %s\n", std::string(status.message()));
  return ExitCodeOf(status);
}

/// Returns the value of JOB or STUDY of the verb that was parsed; or an empty
/// text.
std::string JobOf(const CLI::App& app) {
  for (const CLI::App* verb : app.get_subcommands()) return JobOf(*verb);
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional() || option->count() == 0) continue;
    const std::string name = option->get_name(true);
    if (name == "JOB" || name == "STUDY") return option->results().front();
  }
  return "";
}

/// Returns whether an error says that there is no such job or study. Others may
/// be, for example, about its trial.
bool IsAboutNoJob(const absl::Status& status) {
  const std::string message(status.message());
  return absl::IsNotFound(status) &&
         (message.rfind("there is no job", 0) == 0 ||
          message.rfind("there is no study", 0) == 0 ||
          message.rfind("no such job", 0) == 0);
}

int RunAction(const CLI::App& app, Invocation& invocation) {
  if (!invocation.action()) return kExitUsage;
  // The format is checked before a job has run, not after it.
  const absl::Status format = ParseOutputFormat(invocation.format()).status();
  if (!format.ok()) return Report(format);
  const absl::StatusOr<int> done = invocation.action()();
  if (done.ok()) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return *done;
    return Report(absl::InternalError("cannot write to standard output"));
  }
  if (IsAboutNoJob(done.status())) {
    const std::string message(done.status().message());
    const bool may_be_study = message.find(" or study") != std::string::npos ||
                              message.find("no study") != std::string::npos;
    return Report(absl::NotFoundError(absl::StrCat(
        message, invocation.NearestJobHint(JobOf(app), may_be_study))));
  }
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
    PrintCompletions(app, invocation, {words.begin() + 1, words.end()});
    return kExitDone;
  }
  // CLI11 takes the words in reverse.
  std::vector<std::string> own(words.begin(), separator);
  std::reverse(own.begin(), own.end());
  try {
    app.parse(own);
  } catch (const CLI::ParseError& error) {
    // Help was asked for.
    if (error.get_exit_code() == 0) return app.exit(error);
    return Report(absl::InvalidArgumentError(
        ExplainUsageError(app, error, {words.begin(), separator})));
  }
  return RunAction(app, invocation);
}

}  // namespace vernier
