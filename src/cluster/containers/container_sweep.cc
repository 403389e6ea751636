#include "cluster/containers/container_sweep.h"

#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "cluster/containers/container_record.h"
#include "cluster/containers/engine_command.h"

namespace vernier {
namespace {

constexpr int kMostFailures = 3;

absl::StatusOr<ProcessGang> StartRemoval(const ContainerRecord& record,
                                         const Environment& environment) {
  ReplicaProgram program;
  program.path = record.engine.path;
  program.argv = RemoveWords(record.engine, record.names);
  program.environment = environment;
  return ProcessGang::Start({program}, "/");
}

}  // namespace

bool MayHaveContainers(const std::string& attempt_dir) {
  return !absl::IsNotFound(ReadContainerRecord(attempt_dir).status());
}

ContainerSweep::Progress ContainerSweep::Continue(
    const std::string& attempt_dir, const Environment& environment) {
  const auto known = removals_.find(attempt_dir);
  if (known == removals_.end()) {
    if (!MayHaveContainers(attempt_dir)) return Progress::kDone;
    removals_[attempt_dir];
  }
  Removal& removal = removals_[attempt_dir];
  if (removal.process) {
    int status = 0;
    const pid_t pid = removal.process->processes().front().pid;
    const pid_t ended = ::waitpid(pid, &status, WNOHANG);
    if (ended == 0) return Progress::kUnderWay;
    removal.process.reset();
    if (ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      removals_.erase(attempt_dir);
      return Progress::kDone;
    }
    ++removal.failures;
  }
  const absl::StatusOr<ContainerRecord> record =
      ReadContainerRecord(attempt_dir);
  if (absl::IsDataLoss(record.status()) || removal.failures >= kMostFailures) {
    removals_.erase(attempt_dir);
    return Progress::kGivenUp;
  }
  if (!record.ok()) return Progress::kUnderWay;  // It cannot be read now.
  absl::StatusOr<ProcessGang> started = StartRemoval(*record, environment);
  if (started.ok()) {
    removal.process.emplace(*std::move(started));
  } else {
    ++removal.failures;
  }
  return Progress::kUnderWay;
}

}  // namespace vernier
