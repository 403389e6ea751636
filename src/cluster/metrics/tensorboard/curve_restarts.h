#ifndef VERNIER_CLUSTER_METRICS_TENSORBOARD_CURVE_RESTARTS_H_
#define VERNIER_CLUSTER_METRICS_TENSORBOARD_CURVE_RESTARTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "study/measurement.h"

namespace vernier {

/// At most this many restarts of an attempt are reported; later ones are
/// ignored.
inline constexpr std::size_t kMaxCurveRestarts = 1000;

/// The place at which a point of an event file was written.
struct EventPlace {
  std::string folder;           ///< A run, as TensorBoard calls it.
  std::int64_t version = 0;     ///< EventSeriesRank's.
  bool has_old_format = false;  ///< Its file_version is below 2, or missing.
};

/// Finds out from event files where a program went back to an earlier step of a
/// metric. The first two rules are those of TensorBoard's event_accumulator:
///
/// - a SessionLog START (purge_step) ends all series of its folder at its step;
/// - in a file of the old format, which has no such events, a step below an
///   earlier one ends the series of its tag at that step;
///
/// The third one joins what TensorBoard would show as two runs, but people see
/// as one curve:
///
/// - the first point of a series in a folder "version_N" ends the same series
///   in folders of smaller numbers at its step.
///
/// If several folders have a series of one name and none of them is newer, the
/// series are left alone, because it is unknown whose points are meant. Not
/// thread-safe: its follower owns it.
class CurveRestarts {
 public:
  /// Takes a START. Files of one folder must come in the order of their names.
  void TakeStart(const std::string& folder, std::int64_t from_step,
                 Timestamp at);

  /// Takes a point of the metric `point.metric` from the source `point.road`.
  /// Returns whether to keep it: a point is dropped if it was written before
  /// its series went back to an earlier step in a newer folder.
  bool TakePoint(const EventPlace& place, const Measurement& point);

  /// Returns the restarts since the last call.
  std::vector<CurveRestart> TakeNew() { return std::exchange(fresh_, {}); }

  /// Returns whether there were more than kMaxCurveRestarts.
  bool is_full() const { return is_full_; }

 private:
  struct Start {
    std::int64_t from_step = 0;
    Timestamp at{};
  };
  using SeriesName = std::pair<std::string, MetricRoad>;
  struct Series {
    std::string folder;
    std::int64_t version = 0;
    Start begin;  // The first point of this version.
    std::int64_t last_step = 0;
    std::size_t num_told = 0;  // Of its folder's starts.
    bool is_shared = false;    // Other folders of this version have it, too.
  };

  void TellStarts(const SeriesName& name, Series& series);
  void Tell(const SeriesName& name, const Start& start);

  std::map<std::string, std::vector<Start>> starts_;  // By folder.
  std::map<SeriesName, Series> series_;
  std::size_t num_starts_ = 0;
  std::size_t num_told_ = 0;
  bool is_full_ = false;
  std::vector<CurveRestart> fresh_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TENSORBOARD_CURVE_RESTARTS_H_
