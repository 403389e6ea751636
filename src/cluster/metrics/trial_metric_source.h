#ifndef VERNIER_CLUSTER_METRICS_TRIAL_METRIC_SOURCE_H_
#define VERNIER_CLUSTER_METRICS_TRIAL_METRIC_SOURCE_H_

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cluster/metrics/folder_watch.h"
#include "cluster/metrics/hypertune_follower.h"
#include "cluster/metrics/metric_lines_follower.h"
#include "cluster/metrics/stdout_follower.h"
#include "cluster/metrics/tensorboard/event_folder_follower.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Reads what training programs leave behind on this machine or on a file
/// system that it shares: cloudml-hypertune's file, the file of
/// VERNIER_METRICS, TensorBoard's event files, and what the chief prints, as
/// far as the job listens to them (vernier.metricSources).
///
/// The first two are read as soon as a program has written and closed them, and
/// all of them at intervals. Not thread-safe: the orchestrator owns it.
class TrialMetricSource final : public MetricSource {
 public:
  struct Options {
    /// How often files are looked at although no event came; > 0.
    std::chrono::milliseconds poll_interval{1000};
    bool use_inotify = true;  ///< Off: only the interval counts.
    /// The folder on this machine below which an attempt's programs write their
    /// event files; empty if there is none. Null: the job's output folder.
    std::function<std::string(const LiveAttempt&, const JobSpec&)>
        output_folder;
  };

  /// `clock` must outlive the source.
  TrialMetricSource(Options options, const Clock& clock);

  /// Readable when some file has changed; -1 if the kernel does not report
  /// changes. For LocalLauncher::AddWakeFd.
  int wake_fd() const { return watch_.fd(); }

  MetricReading Read(const LiveAttempt& attempt, const JobSpec& spec,
                     bool final) override;
  void Forget(const AttemptKey& attempt) override;

 private:
  struct Followed {
    bool is_dirty = true;     // The metric folder has changed.
    bool is_due = true;       // So may all else have.
    bool has_metric = false;  // A file has said what the job is tuned for.
    SteadyTime last_read{};
    std::vector<std::string> problems;  // Those already returned.
    // Only those that the job listens to.
    std::optional<HypertuneFollower> hypertune;
    std::vector<MetricLinesFollower> lines;  // Of each replica.
    std::optional<EventFolderFollower> events;
    std::optional<EventFolderFollower> work_events;  // In the work folder.
    // Where the code is, if programs run there, one after the other.
    std::optional<EventFolderFollower> place_events;
    std::unique_ptr<StdoutFollower> stdout_lines;
  };

  Followed& Find(const LiveAttempt& attempt, const JobSpec& spec);
  static std::vector<std::string> Masked(std::vector<std::string> problems,
                                         const std::string& secrets_file);
  void ReadMetricFolder(const LiveAttempt& attempt, Followed& followed,
                        bool final, bool may_skip, MetricReading& fresh);

  /// Notes that the attempt wrote event files where those of other trials are,
  /// too.
  void NoteSharedEvents(const LiveAttempt& attempt, const JobSpec& spec,
                        MetricReading& fresh) const;

  const Options options_;
  const Clock& clock_;  // Thread-safe.
  FolderWatch watch_;
  std::map<AttemptKey, Followed> followed_;
};

/// What to look for in what the chief of a job prints: its own patterns, else
/// the metrics that it is tuned for. Patterns that do not compile are left out;
/// the parser of job files has refused them.
StdoutRules StdoutRulesOf(const JobSpec& spec);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TRIAL_METRIC_SOURCE_H_
