#ifndef VERNIER_SUGGEST_ACQUISITION_EXPECTED_PART_H_
#define VERNIER_SUGGEST_ACQUISITION_EXPECTED_PART_H_

#include "suggest/gp/marginal_score.h"

namespace vernier {

/// Returns the fraction of a whole training that a trial takes on average. It
/// is trained to the end if it improves on `best`, which has the probability
/// given by N(mean, variance); otherwise it is stopped after `stopped_part`, in
/// (0, 1]. `variance` > 0.
MarginalScore ComputeExpectedPart(double mean, double variance, double best,
                                  double stopped_part);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_EXPECTED_PART_H_
