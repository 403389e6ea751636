#ifndef VERNIER_SUGGEST_CURVES_CURVE_STALLS_H_
#define VERNIER_SUGGEST_CURVES_CURVE_STALLS_H_

#include <cstddef>
#include <vector>

#include "suggest/curves/curve_lessons.h"
#include "suggest/curves/curve_levels.h"

namespace vernier {

/// Tells how likely a stalled training is to stay where it is. A training is
/// stalled at a level if it is there no better than at its beginning: it has
/// not begun to learn, or has forgotten what it learnt. Many networks never
/// leave the place where guessing is, and how the curves of the others go on
/// says nothing about them. So this counts how many trainings that were stalled
/// at a level were not so at the next one. Immutable, so thread-compatible.
class CurveStalls {
 public:
  /// Without lessons, and as if no training ever stalled.
  CurveStalls() = default;

  /// Counts over `lessons`, whose values must be on the model's scale. `noise`
  /// is the standard deviation of a report at the best value, on that scale.
  /// O(lessons * levels).
  CurveStalls(const std::vector<CurveLesson>& lessons, std::size_t num_levels,
              double noise);

  /// Returns the probability that a training with this curve, which must not
  /// be empty, stays at its last value until its end; 0 if it is not stalled.
  double ProbabilityToStay(const LevelValues& curve) const;

 private:
  bool IsStalled(const LevelValues& curve, double value) const;

  // Returns the probability that a training that is stalled at `level` is also
  // stalled at the next one, or at its end after the last.
  double ProbabilityOfNext(const std::vector<CurveLesson>& lessons,
                           std::size_t level) const;

  // Distances from the best value, in units of CurveScale.
  double noise_ = 0;
  double usual_beginning_ = 0;

  std::vector<double> stays_;  // From each level to the end.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_CURVE_STALLS_H_
