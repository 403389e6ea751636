#ifndef VERNIER_CLUSTER_METRICS_BACKGROUND_STDOUT_H_
#define VERNIER_CLUSTER_METRICS_BACKGROUND_STDOUT_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "cluster/metrics/files/file_reading.h"
#include "cluster/metrics/stdout_metrics.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Follows the output of an attempt's chief as StdoutFollower does, but on the
/// threads of a pool: the job's own patterns may take seconds for one line, and
/// nobody else should wait for that.
///
/// At most one piece of an attempt's work is with the pool at a time. It ends
/// after a fraction of a second, or with the line that it is scanning, so
/// attempts take turns. Not thread-safe: only the owner calls it; the work
/// itself runs on the pool's threads.
class BackgroundStdout {
 public:
  struct Options {
    /// Runs work on another thread, later.
    std::function<void(std::function<void()>)> run;
    /// Called on that thread when a Read has something to take.
    std::function<void()> on_ready;
  };

  /// `clock` must outlive the work that was handed to `run`.
  BackgroundStdout(StdoutRules rules, Options options, const Clock& clock);
  /// Cancels the running work without waiting for it; it ends soon after.
  ~BackgroundStdout();
  BackgroundStdout(const BackgroundStdout&) = delete;
  BackgroundStdout& operator=(const BackgroundStdout&) = delete;

  /// Returns whether Read has something to take.
  bool has_result() const;

  /// Adds the findings since the last call to `fresh` and continues the scan in
  /// the background. Sets is_pending while the scan is not complete. After the
  /// attempt's end a scan that takes longer than five minutes is given up, and
  /// a problem says so.
  void Read(const std::string& attempt_dir, LastLine last_line, bool is_alone,
            MetricReading& fresh);

 private:
  struct Work;

  void Begin(const std::string& attempt_dir, LastLine last_line, bool is_alone);

  const Options options_;
  const Clock& clock_;  // Thread-safe.
  // Shared with the running work, which may outlive this object.
  std::shared_ptr<Work> work_;
  std::optional<SteadyTime> final_since_;
  bool is_over_ = false;  // All was read after the end.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_BACKGROUND_STDOUT_H_
