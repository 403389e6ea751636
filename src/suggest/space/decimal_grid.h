#ifndef VERNIER_SUGGEST_SPACE_DECIMAL_GRID_H_
#define VERNIER_SUGGEST_SPACE_DECIMAL_GRID_H_

namespace vernier {

/// Returns the exponent of the first digit of `value`: -3 for 0.00125, 0 for
/// 9.99. `value` is finite and not 0. Exact: no logarithm is rounded.
int DecimalExponent(double value);

/// Returns the double nearest to the multiple of 10^exponent that is nearest to
/// `value`, so that it prints with no digit behind that one. Returns `value`
/// itself if a double has no digits there. `value` is finite.
double RoundToPowerOfTen(double value, int exponent);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_DECIMAL_GRID_H_
