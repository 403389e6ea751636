#include "cluster/containers/container_sweep.h"

#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "cluster/containers/container_record.h"
#include "cluster/containers/engine_command.h"

namespace vernier {
namespace {

constexpr int kMostFailures = 3;

absl::StatusOr<ProcessGang> Start(const std::string& path, Words words,
                                  const Environment& environment) {
  ReplicaProgram program;
  program.path = path;
  program.argv = std::move(words);
  program.environment = environment;
  return ProcessGang::Start({program}, "/");
}

}  // namespace

bool MayHaveContainers(const std::string& attempt_dir) {
  return !absl::IsNotFound(ReadContainerRecord(attempt_dir).status());
}

void ContainerSweep::NoteMonitor(const ContainerMonitor& monitor) {
  removals_[monitor.nonce].monitors[monitor.container] = monitor;
}

ContainerSweep::Progress ContainerSweep::Continue(
    const std::string& nonce, const std::string& attempt_dir,
    const Environment& environment) {
  if (removals_.count(nonce) == 0 && !MayHaveContainers(attempt_dir)) {
    return Progress::kDone;
  }
  Removal& removal = removals_[nonce];
  if (removal.process) {
    int status = 0;
    const pid_t pid = removal.process->processes().front().pid;
    const pid_t ended = ::waitpid(pid, &status, WNOHANG);
    if (ended == 0) return Progress::kUnderWay;
    removal.process.reset();
    const bool is_ok =
        ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (is_ok && !removal.is_of_runtime) {
      removals_.erase(nonce);
      return Progress::kDone;
    }
    // If the runtime does not know the container, there is nothing to remove.
    if (!removal.is_of_runtime) ++removal.failures;
  }
  const absl::StatusOr<ContainerRecord> record =
      ReadContainerRecord(attempt_dir);
  const bool can_read =
      !absl::IsDataLoss(record.status()) && !absl::IsNotFound(record.status());
  if (!can_read || removal.failures >= kMostFailures) {
    removals_.erase(nonce);
    return Progress::kGivenUp;
  }
  if (!record.ok()) return Progress::kUnderWay;  // It cannot be read now.
  absl::StatusOr<ProcessGang> started = absl::UnknownError("");
  removal.is_of_runtime = !removal.monitors.empty();
  if (removal.is_of_runtime) {
    const auto first = removal.monitors.begin();
    started =
        Start(first->second.runtime,
              {"runtime", "delete", "--force", first->first}, environment);
    removal.monitors.erase(first);
  } else {
    started = Start(record->engine.path,
                    RemoveWords(record->engine, record->names), environment);
    if (!started.ok()) ++removal.failures;
  }
  if (started.ok()) removal.process.emplace(*std::move(started));
  return Progress::kUnderWay;
}

}  // namespace vernier
