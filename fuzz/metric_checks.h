#ifndef VERNIER_FUZZ_METRIC_CHECKS_H_
#define VERNIER_FUZZ_METRIC_CHECKS_H_

#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "study/measurement.h"

namespace vernier {

/// Checks that what a reader of metrics found is within its bounds. `Reading`
/// must have measurements and problems.
template <typename Reading>
void CheckReadingBounds(const Reading& reading) {
  VERNIER_CHECK(reading.problems.size() <= kMaxMetricProblems);
  for (const Measurement& one : reading.measurements) {
    VERNIER_CHECK(!one.metric.empty() && one.metric.size() <= kMaxMetricName);
    VERNIER_CHECK(FindInvalidUtf8(one.metric) == std::string_view::npos);
  }
}

}  // namespace vernier

#endif  // VERNIER_FUZZ_METRIC_CHECKS_H_
