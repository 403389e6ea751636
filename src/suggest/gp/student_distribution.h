#ifndef VERNIER_SUGGEST_GP_STUDENT_DISTRIBUTION_H_
#define VERNIER_SUGGEST_GP_STUDENT_DISTRIBUTION_H_

namespace vernier {

/// Probability below `x` in Student's t distribution with four degrees of
/// freedom, in [0, 1]; its relative error stays small far into the left tail.
double StudentCumulative(double x);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_STUDENT_DISTRIBUTION_H_
