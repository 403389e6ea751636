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
#include "base/thread_pool.h"
#include "base/unique_fd.h"
#include "cluster/metrics/background_stdout.h"
#include "cluster/metrics/folder_watch.h"
#include "cluster/metrics/full_disk_mark.h"
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
/// all of them at intervals. After an attempt's end no more is read than was
/// there at the end. Not thread-safe: the orchestrator owns it.
class TrialMetricSource final : public MetricSource {
 public:
  struct Options {
    /// How often files are looked at although no event came; > 0.
    std::chrono::milliseconds poll_interval{1000};
    bool use_inotify = true;  ///< Off: only the interval counts.
    /// Threads on which jobs' own patterns are looked for in what programs
    /// print, since that may take seconds for a line: one for each project, in
    /// turn. 0: Read looks for them itself.
    int pattern_threads = 0;
    /// The folder on this machine below which an attempt's programs write their
    /// event files; empty if there is none. Null: the job's output folder.
    std::function<std::string(const LiveAttempt&, const JobSpec&)>
        output_folder;
  };

  /// `clock` must outlive the source.
  TrialMetricSource(Options options, const Clock& clock);

  /// Become readable, again and again, when some file has changed and when a
  /// reading is done; -1 where the kernel does not report such. For
  /// LocalLauncher::AddWakeFd.
  std::vector<int> wake_fds() const { return {watch_.fd(), ready_.get()}; }

  MetricReading Read(const LiveAttempt& attempt, const JobSpec& spec,
                     bool final) override;
  void Forget(const AttemptKey& attempt) override;

 private:
  struct Followed {
    bool is_dirty = true;  // The metric folder has changed.
    bool is_due = true;    // So may all else have.
    // The clearest by which a file has said what the job is tuned for.
    std::optional<MetricRoad> road;
    SteadyTime last_read{};
    std::optional<FullDiskMark> full_disk;  // See MetricReading::full_disk.
    std::vector<std::string> problems;      // Those already returned.
    // Only those that the job listens to.
    std::optional<HypertuneFollower> hypertune;
    std::vector<MetricLinesFollower> lines;  // Of each replica.
    std::optional<EventFolderFollower> events;
    std::optional<EventFolderFollower> work_events;  // In the work folder.
    // Where the code is, if programs run there, one after the other.
    std::optional<EventFolderFollower> place_events;
    std::unique_ptr<StdoutFollower> stdout_lines;
    std::unique_ptr<BackgroundStdout> patterns;  // In the place of the former.
  };

  Followed& Find(const LiveAttempt& attempt, const JobSpec& spec);
  static void NoteRoad(const JobSpec& spec, const MetricReading& fresh,
                       Followed& followed);
  void LookForRoom(const LiveAttempt& attempt, const JobSpec& spec, bool final,
                   Followed& followed) const;
  static void NoteTruncated(const LiveAttempt& attempt,
                            const Followed& followed, MetricReading& fresh);
  std::string OutputFolder(const LiveAttempt& attempt,
                           const JobSpec& spec) const;
  void FollowOutput(const LiveAttempt& attempt, const JobSpec& spec,
                    Followed& followed);
  void ReadOutput(const LiveAttempt& attempt, Followed& followed,
                  LastLine last_line, MetricReading& fresh);
  static void Mask(const std::string& secrets_file, MetricReading& fresh);
  void ReadMetricFolder(const LiveAttempt& attempt, Followed& followed,
                        bool final, bool may_skip, MetricReading& fresh);

  /// Notes that the attempt wrote event files where those of other trials are,
  /// too.
  void NoteSharedEvents(const LiveAttempt& attempt, const JobSpec& spec,
                        MetricReading& fresh) const;

  const Options options_;
  const Clock& clock_;  // Thread-safe.
  FolderWatch watch_;
  const UniqueFd ready_;  // Written to by the pool's threads.
  // Its work is given up by those that are followed, so these go first.
  std::unique_ptr<ThreadPool> pool_;
  std::map<AttemptKey, Followed> followed_;
};

/// What to look for in what the chief of a job prints: its own patterns, else
/// the metrics that it is tuned for. Patterns that do not compile are left out;
/// the parser of job files has refused them.
StdoutRules StdoutRulesOf(const JobSpec& spec);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TRIAL_METRIC_SOURCE_H_
