#ifndef VERNIER_CLUSTER_METRICS_THINNING_H_
#define VERNIER_CLUSTER_METRICS_THINNING_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "study/measurement.h"

namespace vernier {

/// A metric's first values, this many, are all kept. Up to twice that number,
/// every second value is kept, then every fourth up to twice as many again, and
/// so on: some 500 for each doubling.
inline constexpr std::int64_t kKeptAtFirst = 1000;
/// The number of metrics whose values are taken; further ones are left out.
inline constexpr std::size_t kMostThinned = 1000;

/// Thins long curves: a program may print its loss a thousand times a second
/// for days, which is more than anyone needs. Between two regularly kept
/// values, these are kept, too: the smallest and the largest, if they are new
/// extremes of the curve, and the last value that is not finite. The curve's
/// last value is always kept.
///
/// The result depends on the values and their order alone, not on when they
/// come. Thread-compatible.
class CurveThinner {
 public:
  /// Takes the next value and appends the values that are kept to `kept`, in
  /// order.
  void Take(Measurement measurement, std::vector<Measurement>& kept);

  /// Appends the values that were waiting for later ones.
  void Finish(std::vector<Measurement>& kept);

 private:
  struct Curve {
    std::int64_t count = 0;
    std::optional<double> smallest, largest;  // Of all finite ones.
    // Candidates since the last value that was kept, with their numbers.
    using Numbered = std::pair<std::int64_t, Measurement>;
    std::optional<Numbered> new_smallest, new_largest, not_finite, last;
  };

  static void Give(Curve& curve, std::vector<Measurement>& kept);

  std::map<std::string, Curve> curves_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_THINNING_H_
