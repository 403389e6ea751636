#ifndef VERNIER_STUDY_MEASUREMENT_H_
#define VERNIER_STUDY_MEASUREMENT_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "study/clock.h"

namespace vernier {

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
