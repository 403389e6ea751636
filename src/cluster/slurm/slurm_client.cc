#include "cluster/slurm/slurm_client.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "cluster/program_search.h"

namespace vernier {
namespace {

// Enough for some 200,000 jobs; a cluster's controller allows 10,000 by
// default.
constexpr std::size_t kMaxListing = 32u << 20;

// The time limit of a Cancel after Stop, because the service waits for it.
constexpr std::chrono::milliseconds kLastCancelLimit{5000};

absl::Status Failure(const std::string& program, const CommandEnd& end) {
  if (end.is_timed_out) {
    return absl::UnavailableError(program + " did not end in time");
  }
  const std::string words = LastLineOf(end.output);
  const std::string message =
      absl::StrCat(program, " failed: ", words.empty() ? "no words" : words);
  if (words.find("accounting storage is disabled") != std::string::npos) {
    return absl::FailedPreconditionError(message);
  }
  return absl::UnavailableError(message);
}

absl::Status CheckListing(const std::string& program, const CommandEnd& end) {
  if (!end.is_success()) return Failure(program, end);
  if (end.is_cut_off) {
    return absl::ResourceExhaustedError(
        absl::StrCat(program, " printed more than ", kMaxListing, " bytes"));
  }
  return absl::OkStatus();
}

}  // namespace

SlurmCommands::SlurmCommands(Environment environment,
                             std::chrono::milliseconds time_limit)
    : environment_(std::move(environment)), time_limit_(time_limit) {}

absl::Status SlurmCommands::CheckInstalled() const {
  const auto path = environment_.find("PATH");
  for (const char* program : {"sbatch", "squeue", "scancel"}) {
    VERNIER_RETURN_IF_ERROR(
        FindProgram(program, path == environment_.end() ? "" : path->second,
                    "/")
            .status());
  }
  return absl::OkStatus();
}

absl::StatusOr<Command> SlurmCommands::CommandOf(
    const std::string& program, std::vector<std::string> words) const {
  const auto path = environment_.find("PATH");
  Command command;
  VERNIER_ASSIGN_OR_RETURN(
      command.path,
      FindProgram(program, path == environment_.end() ? "" : path->second,
                  "/"));
  command.argv = {program};
  for (std::string& word : words) command.argv.push_back(std::move(word));
  command.environment = environment_;
  command.time_limit = time_limit_;
  command.stop_fd = stop_.fd();
  return command;
}

absl::StatusOr<CommandEnd> SlurmCommands::Run(const std::string& program,
                                              std::vector<std::string> words,
                                              std::size_t max_output) const {
  VERNIER_ASSIGN_OR_RETURN(Command command,
                           CommandOf(program, std::move(words)));
  command.max_output = max_output;
  return RunCommand(command);
}

absl::StatusOr<SubmissionAnswer> SlurmCommands::Submit(const SbatchCall& call) {
  VERNIER_ASSIGN_OR_RETURN(const CommandEnd end, Run("sbatch", call.words));
  return JudgeSubmission(end);
}

absl::StatusOr<JobListing> SlurmCommands::List(const std::string& prefix) {
  VERNIER_ASSIGN_OR_RETURN(
      const CommandEnd end,
      Run("squeue",
          {"--noheader", "--states=all", absl::StrCat("--user=", ::geteuid()),
           "--format=" + std::string(kQueueFormat)},
          kMaxListing));
  VERNIER_RETURN_IF_ERROR(CheckListing("squeue", end));
  return ParseQueue(end.output, prefix);
}

absl::StatusOr<JobListing> SlurmCommands::Accounts(
    const std::vector<std::string>& names, const std::string& prefix) {
  VERNIER_ASSIGN_OR_RETURN(
      const CommandEnd end,
      Run("sacct",
          {"--allocations", "--duplicates", "--noheader", "--parsable2",
           // Without this, sacct reports only jobs that ended today.
           "--starttime=now-30days", "--name=" + absl::StrJoin(names, ","),
           "--format=" + std::string(kAccountsFormat)},
          kMaxListing));
  VERNIER_RETURN_IF_ERROR(CheckListing("sacct", end));
  return ParseAccounts(end.output, prefix);
}

absl::Status SlurmCommands::Cancel(const std::string& name, CancelKind kind) {
  // Jobs are selected by name only, since a number may by now be another job's.
  std::vector<std::string> words = {"--quiet", "--name=" + name};
  switch (kind) {
    case CancelKind::kIfPending:
      words.push_back("--state=PENDING");
      break;
    case CancelKind::kAsk:
      words.push_back("--batch");
      words.push_back("--signal=TERM");
      words.push_back("--state=RUNNING");
      break;
    case CancelKind::kEnd:
      break;
  }
  VERNIER_ASSIGN_OR_RETURN(Command command,
                           CommandOf("scancel", std::move(words)));
  // The last job must still be cancelled while the service ends, but must not
  // delay that end for long.
  if (stop_.is_set()) {
    command.stop_fd = -1;
    command.time_limit = std::min(time_limit_, kLastCancelLimit);
  }
  VERNIER_ASSIGN_OR_RETURN(const CommandEnd end, RunCommand(command));
  return end.is_success() ? absl::OkStatus() : Failure("scancel", end);
}

void SlurmCommands::Stop() { stop_.Set(); }

}  // namespace vernier
