#ifndef VERNIER_STUDY_MEASUREMENT_H_
#define VERNIER_STUDY_MEASUREMENT_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "study/metrics/metric_road.h"

namespace vernier {

/// The most names of metrics besides the objective's that a trial may report,
/// and the most bytes of each.
inline constexpr std::size_t kMaxMetricsSeen = 100;
inline constexpr std::size_t kMaxMetricName = 256;
/// The most texts about problems with a trial's reports that are kept, and the
/// most bytes of each.
inline constexpr std::size_t kMaxMetricProblems = 5;
inline constexpr std::size_t kMaxMetricProblem = 400;

/// One reported metric value. `value` may be NaN or infinite: it is kept as
/// reported; only finite ones become a final measurement.
struct Measurement {
  std::string metric;
  std::int64_t step = 0;
  Timestamp reported_at{};  ///< By the reporting program's clock.
  double value = 0;
  /// Time since the trial began, by its reporter; 0 if it does not say. >= 0.
  std::chrono::microseconds elapsed{0};
  /// Which attempt of its trial reported it. The store sets it in what it
  /// lists; nothing reads it elsewhere.
  int attempt = 0;
  MetricRoad road = MetricRoad::kReport;  ///< How it came.
};

/// A program went back to an earlier step of a metric and reports from there
/// again. What it had reported of that step and of later ones counts no more,
/// if it came by this road before `at`, or in an earlier attempt.
struct CurveRestart {
  std::string metric;
  MetricRoad road = MetricRoad::kEvents;
  std::int64_t from_step = 0;
  Timestamp at{};  ///< By the reporting program's clock.

  friend bool operator==(const CurveRestart&, const CurveRestart&) = default;
};

}  // namespace vernier

#endif  // VERNIER_STUDY_MEASUREMENT_H_
