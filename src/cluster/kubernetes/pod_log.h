#ifndef VERNIER_CLUSTER_KUBERNETES_POD_LOG_H_
#define VERNIER_CLUSTER_KUBERNETES_POD_LOG_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "cluster/log_times.h"
#include "cluster/replica.h"
#include "cluster/replica_log.h"

namespace vernier {

/// The part of a pod's log that was copied: all lines before `time`, `lines` of
/// those with exactly that time, and `bytes` of the next one.
struct PodLogPosition {
  std::int64_t time = 0;  ///< Nanoseconds since 1970; 0: nothing was taken.
  std::int64_t lines = 0;
  std::int64_t bytes = 0;
};

/// Copies a replica's output from the API server into its log. A stream
/// continues where the one before it ended, even in another process: as far as
/// Kubernetes still has the output, nothing is lost and nothing is copied
/// twice. Not thread-safe: the thread of KubernetesJobs owns it.
class PodLog {
 public:
  /// Continues with the files in `attempt_dir`, or makes them.
  static absl::StatusOr<PodLog> Open(const std::string& attempt_dir,
                                     ReplicaId replica, std::int64_t cap_bytes);

  /// Begins a stream; returns its query: "timestamps=true&sinceTime=...".
  std::string BeginStream();
  /// Takes the next bytes of the stream, in pieces of any length.
  void Take(std::string_view data);

 private:
  PodLog(ReplicaLogWriter log, LogTimesWriter times, UniqueFd position)
      : log_(std::move(log)),
        times_(std::move(times)),
        position_file_(std::move(position)) {}

  void ReadPosition();
  void WritePosition();
  /// Called with the first word of a line in head_, which should be its time.
  void BeginLine();
  void TakeContent(std::string_view content);
  void EndLine();

  ReplicaLogWriter log_;
  LogTimesWriter times_;
  UniqueFd position_file_;
  PodLogPosition position_;
  /// Bytes that an earlier process wrote without noting them.
  std::int64_t skip_bytes_ = 0;
  // The state of the current stream.
  PodLogPosition skip_;  ///< What was taken before.
  std::int64_t lines_at_skip_time_ = 0;
  bool is_in_line_ = false;
  std::string head_;  ///< The beginning of the line, up to its time's end.
  bool skips_line_ = false;
  bool counts_line_ = false;  ///< Its time is that of the position.
  std::int64_t skip_in_line_ = 0;
  std::string pending_;  ///< To be appended.
};

/// Returns the time at the beginning of a line of a log with timestamps, in
/// nanoseconds since 1970; 0 if there is none. Pure.
std::int64_t ParseLogTime(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_POD_LOG_H_
