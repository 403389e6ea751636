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

/// The first values of a metric, this many, are all kept. Up to twice as many,
/// every second one is kept, then every fourth up to twice as many again, and
/// so on: some 500 of each doubling.
inline constexpr std::int64_t kKeptAtFirst = 1000;
/// Most metrics whose values are taken; others are left out.
inline constexpr std::size_t kMostThinned = 1000;

/// Leaves values of long curves out: a program may print its loss a thousand
/// times a second for days, and does not mean all that to be kept. Between two
/// that are kept stay the smallest and the largest if none before was so small
/// or large, and the last that is not finite; at the end stays the last.
///
/// What stays depends on the values and their order alone, not on when they
/// come. Thread-compatible.
class CurveThinner {
 public:
  /// Takes the next value and adds what stays to `kept`, in order.
  void Take(Measurement measurement, std::vector<Measurement>& kept);

  /// Adds what would have been decided by later values.
  void Finish(std::vector<Measurement>& kept);

 private:
  struct Curve {
    std::int64_t count = 0;
    std::optional<double> smallest, largest;  // Of all finite ones.
    // Since the last that was kept, with their numbers.
    using Numbered = std::pair<std::int64_t, Measurement>;
    std::optional<Numbered> new_smallest, new_largest, not_finite, last;
  };

  static void Give(Curve& curve, std::vector<Measurement>& kept);

  std::map<std::string, Curve> curves_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_THINNING_H_
