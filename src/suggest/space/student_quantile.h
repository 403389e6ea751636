#ifndef VERNIER_SUGGEST_SPACE_STUDENT_QUANTILE_H_
#define VERNIER_SUGGEST_SPACE_STUDENT_QUANTILE_H_

namespace vernier {

/// Returns the value that a variable with Student's t distribution of `degrees`
/// >= 1 degrees of freedom stays below with `probability`, in (0.5, 1). The
/// error is below 1 %.
double StudentQuantile(double probability, int degrees);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_STUDENT_QUANTILE_H_
