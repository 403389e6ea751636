#ifndef VERNIER_SUGGEST_GP_NORMAL_DISTRIBUTION_H_
#define VERNIER_SUGGEST_GP_NORMAL_DISTRIBUTION_H_

namespace vernier {

/// Density of the standard normal distribution.
double NormalDensity(double x);

/// Its logarithm, which does not underflow.
double LogNormalDensity(double x);

/// Probability below `x`; its relative error stays small far into the left
/// tail.
double NormalCumulative(double x);

/// Inverse of NormalCumulative; `p` in (0, 1). About 15 digits.
double NormalQuantile(double p);

/// Density over cumulative at `x`, which is minus the mean of the distribution
/// truncated to values below `x`. Finite however far to the left.
double InverseMillsRatio(double x);

/// exp(x^2) erfc(x) for `x` >= 0, without overflow.
double ScaledErfc(double x);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_NORMAL_DISTRIBUTION_H_
