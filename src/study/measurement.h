#ifndef VERNIER_STUDY_MEASUREMENT_H_
#define VERNIER_STUDY_MEASUREMENT_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/clock.h"

namespace vernier {

/// Names of metrics that a trial may report besides the objective's, and the
/// longest of them in bytes.
inline constexpr std::size_t kMaxMetricsSeen = 100;
inline constexpr std::size_t kMaxMetricName = 256;
/// Texts about a trial's reports that are kept, and the longest in bytes.
inline constexpr std::size_t kMaxMetricProblems = 5;
inline constexpr std::size_t kMaxMetricProblem = 400;

/// One reported metric value. `value` may be NaN or infinite: it is kept as
/// reported; only finite ones become a final measurement.
struct Measurement {
  std::string metric;
  std::int64_t step = 0;
  Timestamp reported_at{};  ///< By the reporting program's clock.
  double value = 0;
  /// Of the trial so far, by its reporter; 0 if it does not say. >= 0.
  std::chrono::microseconds elapsed{0};
  /// Which attempt of its trial reported it: set in what the store lists, and
  /// read nowhere else.
  int attempt = 0;
};

}  // namespace vernier

#endif  // VERNIER_STUDY_MEASUREMENT_H_
