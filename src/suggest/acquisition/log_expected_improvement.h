#ifndef VERNIER_SUGGEST_ACQUISITION_LOG_EXPECTED_IMPROVEMENT_H_
#define VERNIER_SUGGEST_ACQUISITION_LOG_EXPECTED_IMPROVEMENT_H_

#include "suggest/gp/marginal_score.h"

namespace vernier {

/// ln h(z) for h(z) = phi(z) + z Phi(z), and the two ratios of its gradient.
struct LogImprovement {
  double log_h = 0;
  double cumulative_over_h = 0;  ///< Phi(z) / h(z) = d ln h / dz.
  double density_over_h = 0;     ///< phi(z) / h(z).
};

/// Returns these for any finite z; stable down to -1e8 and below, where h
/// underflows (Ament et al. 2023, "Unexpected improvements to expected
/// improvement").
LogImprovement ComputeLogImprovement(double z);

/// Returns ln E[max(0, f - best)] for f ~ N(mean, variance). `variance` > 0.
MarginalScore ComputeLogExpectedImprovement(double mean, double variance,
                                            double best);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_LOG_EXPECTED_IMPROVEMENT_H_
