#ifndef VERNIER_BASE_MEDIAN_H_
#define VERNIER_BASE_MEDIAN_H_

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace vernier {

/// Returns the median; for an even number the mean of the two in the middle,
/// which does not overflow. `values` must not be empty.
inline double Median(std::vector<double> values) {
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

}  // namespace vernier

#endif  // VERNIER_BASE_MEDIAN_H_
