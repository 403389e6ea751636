#ifndef VERNIER_CLUSTER_METRICS_HYPERTUNE_METRIC_SOURCE_H_
#define VERNIER_CLUSTER_METRICS_HYPERTUNE_METRIC_SOURCE_H_

#include <sys/stat.h>
#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Reads the files that unmodified programs write with cloudml-hypertune: that
/// of the primary, and that of evaluator 0 if there is one.
///
/// The library truncates its file at every report and writes its last 100
/// reports again, without a lock; a new writer object starts with none. So the
/// file is read whenever a writer closes it, and at intervals. An unfinished
/// last line is not read yet, contents count only if two reads agree, and new
/// reports are added to the earlier ones. A report is identified by its time,
/// metric, step and value, and is returned once.
///
/// A training program writes the file, so it is not trusted. A symbolic link, a
/// pipe or another user's file is not read, but reported as a problem, and of a
/// long file only the last 8 MiB are read. Not thread-safe: the orchestrator
/// owns it.
class HypertuneMetricSource final : public MetricSource {
 public:
  struct Options {
    /// How often a file is read although no event came; > 0.
    std::chrono::milliseconds poll_interval{1000};
    bool use_inotify = true;  ///< Off: only the interval counts.
  };

  /// `clock` must outlive the source.
  HypertuneMetricSource(Options options, const Clock& clock);

  /// Readable when some file has changed; -1 if the kernel does not report
  /// changes. For LocalLauncher::AddWakeFd.
  int wake_fd() const { return inotify_.get(); }

  MetricReading Read(const LiveAttempt& attempt, bool final) override;
  void Forget(const AttemptKey& attempt) override;

 private:
  /// Shows whether a file can have changed.
  struct FileStamp {
    ino_t inode = 0;
    off_t size = -1;
    std::int64_t changed_ns = 0;

    friend bool operator==(const FileStamp&, const FileStamp&) = default;
  };
  struct Source {
    int watch = -1;  ///< inotify's number.
    bool is_dirty = true;
    SteadyTime last_read{};
    std::array<FileStamp, 2> stamps;  ///< Of the primary and the evaluator.
    std::unordered_set<std::string> seen;
    std::deque<const std::string*> seen_order;  ///< Oldest first.
    std::size_t seen_limit = 0;
    std::vector<std::string> problems;  ///< Those already returned.
  };

  static FileStamp StampOf(const struct stat& info);
  void TakeChanges();
  void WatchDirectory(const LiveAttempt& attempt, Source& source);
  void ReadFile(int fd, bool final, FileStamp& stamp, Source& source,
                MetricReading& fresh) const;
  static void Name(const std::string& problem, Source& source,
                   MetricReading& fresh);
  static bool Remember(const Measurement& measurement, Source& source);

  const Options options_;
  const Clock& clock_;  // Thread-safe.
  UniqueFd inotify_;
  std::map<AttemptKey, Source> sources_;
  std::map<int, AttemptKey> by_watch_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_HYPERTUNE_METRIC_SOURCE_H_
