#ifndef VERNIER_SUGGEST_ACQUISITION_EXPECTED_PART_H_
#define VERNIER_SUGGEST_ACQUISITION_EXPECTED_PART_H_

#include "suggest/gp/marginal_score.h"

namespace vernier {

/// What part of a whole training a trial takes in the mean that improves on
/// `best` with the probability of N(mean, variance), where others are stopped
/// after `stopped_part` of it. `stopped_part` is in (0, 1], `variance` > 0.
MarginalScore ComputeExpectedPart(double mean, double variance, double best,
                                  double stopped_part);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_EXPECTED_PART_H_
