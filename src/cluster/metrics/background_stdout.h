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

/// Follows what an attempt's chief prints, as StdoutFollower does, on threads
/// of a pool: a job's own patterns may take seconds for a line, which nobody
/// else is to wait for.
///
/// At most one piece of work of an attempt is with the pool, and it ends after
/// a fraction of a second, or with the line that it is at: so attempts take
/// turns. Not thread-safe: its owner calls it; the work runs elsewhere.
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
  /// Gives up the work under way, which ends soon, and does not wait for it.
  ~BackgroundStdout();
  BackgroundStdout(const BackgroundStdout&) = delete;
  BackgroundStdout& operator=(const BackgroundStdout&) = delete;

  /// Whether Read has something to take.
  bool has_result() const;

  /// Adds what was found since the last call to `fresh` and has more looked
  /// for. Sets is_pending while that is not all there is; after the attempt's
  /// end it is given up once that has taken five minutes, and named.
  void Read(const std::string& attempt_dir, LastLine last_line, bool is_alone,
            MetricReading& fresh);

 private:
  struct Work;

  void Begin(const std::string& attempt_dir, LastLine last_line, bool is_alone);

  const Options options_;
  const Clock& clock_;  // Thread-safe.
  // Also held by the work under way, which may last longer than this.
  std::shared_ptr<Work> work_;
  std::optional<SteadyTime> final_since_;
  bool is_over_ = false;  // All was read after the end.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_BACKGROUND_STDOUT_H_
