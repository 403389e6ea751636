#ifndef VERNIER_CLUSTER_ATTEMPT_EXIT_RECORD_H_
#define VERNIER_CLUSTER_ATTEMPT_EXIT_RECORD_H_

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cluster/replica.h"

namespace vernier {

/// The end of one replica's process. At most one of the two is set; neither is
/// if it was never started.
struct ReplicaEnd {
  std::optional<int> exit_code;
  std::optional<int> signal;

  bool is_success() const { return exit_code == 0; }
  /// A shell that waited for a program exits with 128 and the program's signal.
  bool is_by_termination() const {
    return signal == SIGTERM || exit_code == 128 + SIGTERM;
  }
  friend bool operator==(const ReplicaEnd&, const ReplicaEnd&) = default;
};

/// The end of an attempt, as its supervisor recorded it.
struct ExitRecord {
  std::string nonce;
  std::vector<ReplicaId> replicas;
  std::vector<ReplicaEnd> ends;  ///< Parallel to `replicas`.
  /// The position of the replica whose end decided the attempt's: the primary,
  /// or one that failed before it. Unset if nothing was started.
  std::optional<std::size_t> deciding;
  bool out_of_memory = false;  ///< The kernel killed that replica for memory.
  bool stopped_by_request = false;
  bool launch_failed = false;
  std::int64_t lost_output = 0;  ///< See AttemptObservation::lost_output.
  std::string message;           ///< See AttemptObservation::message.
  std::string log_tail;          ///< See AttemptObservation::log_tail.
  std::chrono::microseconds lasted{0};
};

/// Describes in AI Platform's words how the deciding replica ended, e.g. "The
/// replica master 0 exited with a non-zero status of 7. Termination reason:
/// Error."; empty if it ended with success.
std::string DescribeEnd(const ExitRecord& record);

/// Returns the record of an attempt whose programs could not be started, with
/// the reason.
ExitRecord FailedLaunch(const absl::Status& why);

/// Returns the record of an attempt that was asked to end before anything
/// started.
ExitRecord StoppedBeforeStart();

/// Writes `exit.json`, synced: after OK it survives a power cut.
absl::Status WriteExitRecord(const std::string& attempt_dir,
                             const ExitRecord& record);

/// Errors: NOT_FOUND if there is none, and only then; DATA_LOSS if it cannot be
/// parsed. Any other code means that it could not be read now, so it may exist.
absl::StatusOr<ExitRecord> ReadExitRecord(const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_ATTEMPT_EXIT_RECORD_H_
