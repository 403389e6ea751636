#ifndef VERNIER_CLUSTER_METRICS_TRACKIO_TRACKIO_FOLLOWER_H_
#define VERNIER_CLUSTER_METRICS_TRACKIO_TRACKIO_FOLLOWER_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cluster/metrics/files/metric_file_access.h"
#include "cluster/metrics/trackio/trackio_database.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// The most databases of an attempt that are read, and the most names in their
/// folder that are looked at.
inline constexpr std::size_t kMaxTrackioDatabases = 20;
inline constexpr std::size_t kMaxTrackioNames = 20000;
/// The most metrics that are kept besides the study's, and the most points of
/// one.
inline constexpr std::size_t kMaxTrackioMetrics = 1000;
inline constexpr std::size_t kMaxTrackioPoints = 1000;

/// Follows the databases of Trackio's library in one folder, of which each
/// project has one ("NAME.db"), while they appear and grow. All runs of all
/// projects count, in the order of their rows.
///
/// A poll costs a look at the folder, and nothing more while nothing changes.
/// Not thread-safe.
class TrackioFollower {
 public:
  /// `metrics` are the study's.
  TrackioFollower(std::string folder, std::vector<std::string> metrics,
                  FileOwner owner);

  /// Adds the new measurements to `fresh`; sets has_more if there are more to
  /// read at once. `now` is the system clock's time.
  void Read(bool final, Timestamp now, MetricReading& fresh);

 private:
  void Take(FileReading reading, MetricReading& fresh);

  const std::string folder_;
  const std::vector<std::string> metrics_;
  const FileOwner owner_;
  std::map<std::string, TrackioDatabase> databases_;  // By name.
  std::map<std::string, std::size_t> other_points_;
  bool is_over_ = false;  // There was a final reading.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TRACKIO_TRACKIO_FOLLOWER_H_
