#ifndef VERNIER_SUGGEST_ACQUISITION_EXPECTED_PART_H_
#define VERNIER_SUGGEST_ACQUISITION_EXPECTED_PART_H_

namespace vernier {

/// What part of a whole training a trial takes in the mean that improves on
/// `best` with the probability of N(mean, variance), where others are stopped
/// after `stopped_part` of it; and its derivatives.
struct ExpectedPart {
  double value = 1;
  double d_mean = 0;
  double d_variance = 0;
};

/// `stopped_part` is in (0, 1], `variance` > 0.
ExpectedPart ComputeExpectedPart(double mean, double variance, double best,
                                 double stopped_part);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_EXPECTED_PART_H_
