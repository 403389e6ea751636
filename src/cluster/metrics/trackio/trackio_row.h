#ifndef VERNIER_CLUSTER_METRICS_TRACKIO_TRACKIO_ROW_H_
#define VERNIER_CLUSTER_METRICS_TRACKIO_TRACKIO_ROW_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "cluster/metrics/files/file_reading.h"

namespace vernier {

/// The longest JSON of a row that is read, and the most values in it; others
/// are skipped. Tables and histograms are logged into rows, too.
inline constexpr int kMaxTrackioRow = 1 << 20;
inline constexpr std::int64_t kMaxTrackioValues = 20'000;

/// One row of the table "metrics" of a Trackio database: what one call of
/// `trackio.log` said.
struct TrackioRow {
  std::int64_t id = 0;
  std::optional<std::int64_t> step;
  std::string_view time;     ///< ISO 8601.
  std::string_view metrics;  ///< A JSON object.
};

/// Turns the rows of one database, by ascending id, into measurements.
///
/// Each number is one, and so are the texts "NaN", "Infinity" and "-Infinity",
/// which the library writes for such numbers. Its name is its key, with a point
/// between the keys of nested mappings. Other texts, truth values, lists, and
/// what the library writes for tables and images are passed over. A row without
/// a step stands one behind the row before it.
///
/// The time is the row's own, but at least one microsecond after the row's
/// before it: the library gives all rows of half a second the same time.
/// Copyable, so that rows may be taken back.
class TrackioRows {
 public:
  /// Adds a row's measurements, or a problem if it cannot be read.
  void Take(const TrackioRow& row, FileReading& reading);

 private:
  std::int64_t last_step_ = -1;
  Timestamp last_time_{};
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TRACKIO_TRACKIO_ROW_H_
