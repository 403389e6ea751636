#ifndef VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_FOLDER_FOLLOWER_H_
#define VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_FOLDER_FOLLOWER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "cluster/metrics/files/metric_file_access.h"
#include "cluster/metrics/tensorboard/curve_restarts.h"
#include "cluster/metrics/tensorboard/event_file.h"
#include "study/metrics/metric_road.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Most folders below an attempt's that are looked into, most event files in
/// them that are read, most names of one folder that are looked at, and most
/// folders in one another.
inline constexpr std::size_t kMaxEventFolders = 1000;
inline constexpr std::size_t kMaxEventFiles = 1000;
inline constexpr std::size_t kMaxFolderNames = 20000;
inline constexpr int kMaxEventDepth = 16;
/// Most bytes that are read of what event files have at the attempt's end and
/// was not read before.
inline constexpr std::uint64_t kMaxEventBacklog = std::uint64_t{4} << 30;
/// Most points of a metric that the study does not ask for.
inline constexpr std::size_t kMaxOtherPoints = 1000;

/// Follows the TensorBoard event files in a folder and those below it, while
/// they come and grow.
///
/// A tag counts under each name that the study asks for among its
/// EventMetricNames, otherwise under the first of them, and the kind of the
/// folder says by which MetricRoad. A file that was not written since the
/// attempt began is another's and not read. One that was replaced or has become
/// shorter is read again. Symbolic links are not followed, and what
/// OpenMetricFile refuses is not read. At the attempt's end no more is read
/// than there is then, and no more than kMaxEventBacklog of it.
///
/// Where a program went back to an earlier step, the reading says so: see
/// CurveRestarts.
///
/// A look costs a stat for each folder and each file; names are read where a
/// folder has changed. Not thread-safe.
class EventFolderFollower {
 public:
  /// `metrics` are the study's. What was last written before `since` does not
  /// count, nor do files of others than `owner`.
  EventFolderFollower(std::string root, std::vector<std::string> metrics,
                      Timestamp since, FileOwner owner,
                      std::uint64_t max_backlog = kMaxEventBacklog);

  /// Adds what is new to `fresh`; sets has_more if that is not all of it.
  /// `now` is the system clock's.
  void Read(bool final, Timestamp now, MetricReading& fresh);

 private:
  struct Folder {
    std::string path;  // Relative to the root; empty for it.
    int depth = 0;
    std::int64_t listed_ns = -1;  // The change that the list of names is of.
    bool is_settled = false;      // No change can hide in the same instant.
  };
  // What a tag's points count as.
  struct Target {
    std::string metric;
    MetricRoad road = MetricRoad::kEvents;
    std::int64_t version = 0;  // EventSeriesRank's.
    bool is_asked_for = false;
  };
  struct File {
    std::string folder;
    std::string name;
    FileState stamp;
    std::optional<FileState> end;  // At the first reading after the end.
    EventFileReader reader;
    bool was_read_again = false;  // After damage.
    std::unordered_map<std::string, std::vector<Target>> targets;
  };

  void FindFiles(Timestamp now, MetricReading& fresh);
  void ListFolder(std::size_t index, MetricReading& fresh);
  void AddFolder(std::string path, int depth, MetricReading& fresh);
  void AddFile(const std::string& folder, std::string name,
               MetricReading& fresh);
  static bool IsOver(File& file, const FileState& stamp);
  bool ReadFile(File& file, bool final, std::size_t& budget,
                MetricReading& fresh);
  bool ReadParts(File& file, int fd, std::size_t& budget, MetricReading& fresh);
  void Take(File& file, EventReading reading, MetricReading& fresh);
  void TakePoint(File& file, const Measurement& measurement,
                 MetricReading& fresh);
  const std::vector<Target>& TargetsOf(File& file, const std::string& tag);

  const std::string root_;
  std::string real_root_;  // Without links, and a slash; empty: not known yet.
  const std::vector<std::string> metrics_;
  const FileOwner owner_;
  const Timestamp since_;
  std::vector<Folder> folders_;
  std::set<std::string> known_folders_;
  std::vector<File> files_;
  std::set<std::string> known_files_;  // With their folders.
  std::map<std::string, std::size_t> other_points_;
  CurveRestarts restarts_;
  const std::uint64_t max_backlog_;
  std::uint64_t read_at_end_ = 0;
  bool is_over_ = false;  // There was a final reading.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_FOLDER_FOLLOWER_H_
