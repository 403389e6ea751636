#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/verb.h"
#include "cli/text/console.h"
#include "cli/verbs/gcloud_settings.h"
#include "cli/verbs/verbs.h"
#include "study/job_id.h"

namespace vernier {
namespace {

/// A typical call of gcloud's users.
struct GcloudCheck {
  const char* what;
  std::vector<std::string> words;
};

const std::vector<GcloudCheck>& Checks() {
  static const auto* const kChecks = new std::vector<GcloudCheck>{
      {"gcloud is installed", {"gcloud", "--version"}},
      {"jobs are listed",
       {"gcloud", "ai-platform", "jobs", "list", "--limit=1"}},
      {"buckets are listed", {"gcloud", "storage", "buckets", "list"}},
  };
  return *kChecks;
}

/// Runs a program and discards its output; returns whether it exits with 0.
absl::StatusOr<bool> Succeeds(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const std::string& word : words) {
    argv.push_back(const_cast<char*>(word.c_str()));
  }
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY, 0);
  }
  pid_t pid = 0;
  const int error =
      posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) return false;
  if (error != 0) {
    return absl::ErrnoToStatus(error, "cannot start " + words[0]);
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return absl::ErrnoToStatus(errno, "waitpid");
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

absl::Status PrintSettings(Invocation& invocation, const std::string& project) {
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  VERNIER_ASSIGN_OR_RETURN(const GcloudTarget target,
                           PrepareGcloud(*client, project));
  const auto variables = GcloudVariables(target);
  if (invocation.wants_table()) {
    WriteData(stdout, ExportLines(variables));
    return absl::OkStatus();
  }
  Json document = Json::object();
  TextTable table{{"VARIABLE", "VALUE"}, {}};
  for (const auto& [name, value] : variables) {
    document[name] = value;
    table.rows.push_back({name, value});
  }
  return invocation.Show(document, table);
}

absl::StatusOr<int> CheckGcloud(Invocation& invocation,
                                const std::string& project) {
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  VERNIER_ASSIGN_OR_RETURN(const GcloudTarget target,
                           PrepareGcloud(*client, project));
  for (const auto& [name, value] : GcloudVariables(target)) {
    setenv(name.c_str(), value.c_str(), 1);
  }
  Json checks = Json::array();
  TextTable table{{"CHECK", "RESULT", "COMMAND"}, {}};
  bool all_work = true;
  for (const GcloudCheck& check : Checks()) {
    VERNIER_ASSIGN_OR_RETURN(const bool works, Succeeds(check.words));
    all_work = all_work && works;
    std::string command;
    for (const std::string& word : check.words) {
      absl::StrAppend(&command, command.empty() ? "" : " ", word);
    }
    checks.push_back(
        {{"check", check.what}, {"works", works}, {"command", command}});
    table.rows.push_back({check.what, works ? "works" : "FAILS", command});
    if (!works && &check == &Checks().front()) break;
  }
  Json document = {{"url", target.http_url}, {"checks", std::move(checks)}};
  VERNIER_RETURN_IF_ERROR(invocation.Show(document, table));
  if (!all_work && invocation.wants_table()) {
    PrintTo(stderr,
            "vernier: for the reason: eval \"$(vernier gcloud env)\", then the "
            "command that fails\n");
  }
  return all_work ? kExitDone : kExitJobFailed;
}

template <typename Result>
void Declare(CLI::App& app, Invocation& invocation, const char* name,
             const char* about,
             Result (*action)(Invocation&, const std::string&)) {
  const Verb<std::string> verb(app, invocation, name, about);
  verb.words() = kDefaultProject;
  verb->add_option("--project", verb.words(),
                   "The project that jobs belong to (default: default)");
  verb.Does(Flags::kClient,
            [action](Invocation& caller, const std::string& project) -> Result {
              VERNIER_RETURN_IF_ERROR(CheckProjectId(project));
              return action(caller, project);
            });
}

}  // namespace

void DeclareGcloudVerbs(CLI::App& app, Invocation& invocation) {
  CLI::App* gcloud = app.add_subcommand(
      "gcloud", "Let Google Cloud CLI work with this service");
  gcloud->require_subcommand(1);
  Declare(*gcloud, invocation, "env",
          "Print its settings, for: eval \"$(vernier gcloud env)\"",
          &PrintSettings);
  Declare(*gcloud, invocation, "check", "Try what it does and say what works",
          &CheckGcloud);
}

}  // namespace vernier
