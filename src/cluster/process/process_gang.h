#ifndef VERNIER_CLUSTER_PROCESS_PROCESS_GANG_H_
#define VERNIER_CLUSTER_PROCESS_PROCESS_GANG_H_

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "cluster/replica.h"
#include "cluster/trial_environment.h"

namespace vernier {

/// The program of one replica.
struct ReplicaProgram {
  ReplicaId replica;
  std::string path;               ///< Absolute, of the program.
  std::vector<std::string> argv;  ///< argv[0] as the user wrote it.
  Environment environment;        ///< Complete; nothing is inherited.
  std::string preface = "";       ///< Written to its log before it starts.
  int input_fd = -1;  ///< Its standard input; borrowed. -1: /dev/null.
};

/// One replica's process.
struct ReplicaProcess {
  pid_t pid = 0;    ///< Leads a session and a process group of its own.
  UniqueFd output;  ///< Its stdout and stderr; does not block.
};

/// The processes of a gang, which start together or not at all: all are forked
/// and wait at a barrier, and they run their programs only when every one
/// exists. The kernel kills each one when this process dies. Each has /dev/null
/// as stdin, unless its program defines another one, and inherits no other
/// descriptor. Not thread-safe: the supervisor, which has one thread, owns it;
/// the kernel ties the children's lives to the thread that forked them.
class ProcessGang {
 public:
  /// Forks all processes and opens the barrier. After an error no process is
  /// left. UNAVAILABLE or RESOURCE_EXHAUSTED if a process or descriptor is
  /// refused.
  static absl::StatusOr<ProcessGang> Start(
      const std::vector<ReplicaProgram>& programs, const std::string& work_dir);

  std::vector<ReplicaProcess>& processes() { return processes_; }

  /// Becomes readable when TakeStartReport has news; -1 after the last news.
  int start_fd() const { return start_.get(); }

  enum class StartState { kPending, kAllRun, kFailed };
  struct StartReport {
    StartState state = StartState::kPending;
    std::size_t position = 0;  ///< kFailed: which replica,
    int error = 0;             ///< and why: an errno.
  };
  /// Returns whether every program runs, as far as is known now. Does not
  /// block.
  StartReport TakeStartReport();

 private:
  ProcessGang() = default;

  std::vector<ReplicaProcess> processes_;
  UniqueFd start_;  // Closed in every child by a successful exec.
  StartReport report_;
};

/// Returns the pids of a process's children. The kernel does not reuse those of
/// this process until it has reaped them. An error if they cannot be read.
absl::StatusOr<std::vector<pid_t>> ListChildren(pid_t parent);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PROCESS_PROCESS_GANG_H_
