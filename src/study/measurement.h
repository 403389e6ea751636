#ifndef VERNIER_STUDY_MEASUREMENT_H_
#define VERNIER_STUDY_MEASUREMENT_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "study/metrics/metric_road.h"

namespace vernier {

/// The largest number of metrics besides the objective that a trial may report,
/// and the largest size of their names in bytes.
inline constexpr std::size_t kMaxMetricsSeen = 100;
inline constexpr std::size_t kMaxMetricName = 256;
/// The largest number of messages that are kept about problems with a trial's
/// reports, and their largest size in bytes.
inline constexpr std::size_t kMaxMetricProblems = 5;
inline constexpr std::size_t kMaxMetricProblem = 400;

/// One reported metric value. `value` may be NaN or infinite; it is kept as
/// reported, but only a finite one becomes a final measurement.
struct Measurement {
  std::string metric;
  std::int64_t step = 0;
  Timestamp reported_at{};  ///< By the reporting program's clock.
  double value = 0;
  /// The time since the trial began, by its reporter's measure; 0 if it is not
  /// given. >= 0.
  std::chrono::microseconds elapsed{0};
  /// The trial's attempt that reported it. The store sets it in measurements
  /// that it lists; nothing reads it elsewhere.
  int attempt = 0;
  MetricRoad road = MetricRoad::kReport;  ///< Its source.
};

/// A program went back to an earlier step of a metric and reports from there
/// again. Its measurements of that step and of later ones no longer count if
/// they came from the source `road` before `at`, or in an earlier attempt.
struct CurveRestart {
  std::string metric;
  MetricRoad road = MetricRoad::kEvents;
  std::int64_t from_step = 0;
  Timestamp at{};  ///< By the reporting program's clock.

  friend bool operator==(const CurveRestart&, const CurveRestart&) = default;
};

}  // namespace vernier

#endif  // VERNIER_STUDY_MEASUREMENT_H_
