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
#include "cluster/metrics/logged_files_follower.h"
#include "cluster/metrics/metric_lines_follower.h"
#include "cluster/metrics/stdout_follower.h"
#include "cluster/metrics/trackio/trackio_follower.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Reads the metrics that training programs leave on this machine or on a file
/// system that it shares: cloudml-hypertune's file, the file of
/// VERNIER_METRICS, the files of logging libraries (LoggedFileKind), Trackio's
/// databases, and the chief's output. Only the sources that the job enables are
/// read (vernier.metricSources).
///
/// The first two are read as soon as a program has written and closed them, and
/// all of them at intervals. After an attempt's end, only the bytes that
/// existed at the end are read. Not thread-safe: the orchestrator owns it.
class TrialMetricSource final : public MetricSource {
 public:
  struct Options {
    /// The interval at which files are polled even if no event came; > 0.
    std::chrono::milliseconds poll_interval{1000};
    bool use_inotify = true;  ///< Off: only the interval counts.
    /// The number of threads that apply jobs' own patterns to the output of
    /// programs, which may take seconds for a line. Each project uses at most
    /// one at a time, in turn. With 0, Read applies the patterns itself.
    int pattern_threads = 0;
    /// Returns the folder on this machine below which an attempt's programs
    /// write their logged files, or an empty path if there is none. If null,
    /// the job's output folder is used.
    std::function<std::string(const LiveAttempt&, const JobSpec&)>
        output_folder;
  };

  /// `clock` must outlive the source.
  TrialMetricSource(Options options, const Clock& clock);

  /// File descriptors that become readable when a file has changed or a
  /// background scan is done; -1 for those that the kernel does not provide.
  /// For LocalLauncher::AddWakeFd.
  std::vector<int> wake_fds() const { return {watch_.fd(), ready_.get()}; }

  MetricReading Read(const LiveAttempt& attempt, const JobSpec& spec,
                     bool final) override;
  void Forget(const AttemptKey& attempt) override;

 private:
  struct Followed {
    bool is_dirty = true;  // The metric folder has changed.
    bool is_due = true;    // So may all else have.
    // The most explicit file source that has reported a tuned metric.
    std::optional<MetricRoad> road;
    SteadyTime last_read{};
    std::optional<FullDiskMark> full_disk;  // See MetricReading::full_disk.
    std::vector<std::string> problems;      // Those already returned.
    // Only the sources that the job enables.
    std::optional<HypertuneFollower> hypertune;
    std::vector<MetricLinesFollower> lines;           // Of each replica.
    std::optional<LoggedFilesFollower> output_files;  // In the output folder.
    std::optional<LoggedFilesFollower> work_files;    // In the work folder.
    // In the code's own folder, if trials run there one after the other.
    std::optional<LoggedFilesFollower> place_files;
    std::string place;                               // That folder.
    std::optional<LoggedFilesFollower> wandb_files;  // In WandbDirectory.
    std::optional<TrackioFollower> trackio;
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

  void FollowLoggedFiles(const LiveAttempt& attempt, const JobSpec& spec,
                         Followed& followed);
  void FollowSharedFolder(const LiveAttempt& attempt, const JobSpec& spec,
                          Followed& followed);
  void ReadLoggedFiles(const LiveAttempt& attempt, Followed& followed,
                       bool final, MetricReading& fresh) const;
  /// Adds a problem if the attempt wrote such files into a folder that it
  /// shares with other trials.
  void NoteSharedFiles(const LiveAttempt& attempt, const JobSpec& spec,
                       MetricReading& fresh) const;

  const Options options_;
  const Clock& clock_;  // Thread-safe.
  FolderWatch watch_;
  const UniqueFd ready_;  // Written to by the pool's threads.
  // The pool must outlive `followed_`, whose destruction cancels its work.
  std::unique_ptr<ThreadPool> pool_;
  std::map<AttemptKey, Followed> followed_;
  // Of a folder in which trials run one after the other: how far its tables
  // reached before the latest trial, and at the end of its latest attempt.
  struct SharedTables {
    AttemptKey latest;
    TableEnds before;
    TableEnds after;
  };
  std::map<std::string, SharedTables> shared_tables_;  // By the folder.
};

/// Returns what to look for in the output of a job's chief: its own patterns if
/// it has any, else its tuned metrics. Patterns that do not compile are left
/// out; the parser of job files has refused them already.
StdoutRules StdoutRulesOf(const JobSpec& spec);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TRIAL_METRIC_SOURCE_H_
