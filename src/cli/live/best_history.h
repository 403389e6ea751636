#ifndef VERNIER_CLI_LIVE_BEST_HISTORY_H_
#define VERNIER_CLI_LIVE_BEST_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/live/display_area.h"

namespace vernier {

/// Remembers how the best value of a study improved with its results. Takes
/// memory for each improvement only, however many results there are. Not
/// thread-safe.
class BestHistory {
 public:
  /// Takes the next result. Returns whether it is the best so far; of two equal
  /// ones the first is. Values that are not finite are never the best.
  bool Add(double value, bool minimize);

  bool has_best() const { return !improvements_.empty(); }
  /// Returns the best value; there must be one.
  double best() const { return improvements_.back().value; }

  /// Returns the best value after each of up to `most` results, evenly spaced
  /// over all of them since the first finite one; the last is the current best.
  std::vector<double> Sample(std::size_t most) const;

 private:
  struct Improvement {
    std::int64_t ordinal = 0;  // Among the results, from 0.
    double value = 0;
  };

  std::int64_t count_ = 0;
  std::vector<Improvement> improvements_;
};

/// Returns a chart of one line: a character for each value, the higher the
/// larger; one height in the middle if all are equal. Positive values that span
/// more than two decades are drawn by their logarithm. All must be finite.
/// Pure.
std::string Sparkline(const std::vector<double>& values, Glyphs glyphs);

}  // namespace vernier

#endif  // VERNIER_CLI_LIVE_BEST_HISTORY_H_
