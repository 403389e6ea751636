#ifndef VERNIER_SUGGEST_INSIGHTS_PREDICTED_BEST_H_
#define VERNIER_SUGGEST_INSIGHTS_PREDICTED_BEST_H_

#include <Eigen/Core>

#include "suggest/gp/output_warp.h"
#include "suggest/insights/examined_study.h"

namespace vernier {

/// Returns the valid configuration with the best posterior mean that is found:
/// the best of the results, or a better point that a search from them and over
/// the space finds. Where trials fail, means count less, like in suggestions.
/// Deterministic.
Eigen::RowVectorXd FindPredictedBest(const ExaminedStudy& study);

/// The gain that one more trial promises. A study's limit on trials without
/// progress asks Suggester::Examine for Insights::expected_gain, which is this
/// figure in the metric's units: m more trials, each chosen as well as the
/// next, promise at most m times as much, so the search has stalled when even
/// that is less than the gain that the limit states.
struct NextGain {
  double expected_gain = 0;  ///< In the metric's units, >= 0.
  double improvement_probability = 0;
};

/// Returns the gain of the untried configuration with the largest expected
/// improvement over the best posterior mean among the results; zeros if a
/// finite space is exhausted. A trial that fails gains nothing. Deterministic.
NextGain FindNextGain(const ExaminedStudy& study);

/// Returns E[max(0, U(f) - U(best))] for a target f ~ N(mean, variance), where
/// U is `warp`'s Unwarp: exact, since U is linear between knots. `variance` >
/// 0.
double ExpectedGain(const WarpedObjectives& warp, double mean, double variance,
                    double best);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_INSIGHTS_PREDICTED_BEST_H_
