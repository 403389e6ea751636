#ifndef VERNIER_TRIALS_FILTERS_EXACT_NUMBER_H_
#define VERNIER_TRIALS_FILTERS_EXACT_NUMBER_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace vernier {

/// A number as it was given: a whole one of 64 bits is not rounded to a double,
/// which cannot represent every whole number beyond 2^53.
using ExactNumber = std::variant<std::int64_t, double>;

/// Reads all of `text` as a number, and as a whole one if it is written as one;
/// nullopt if it is no number, or beyond the range of doubles.
std::optional<ExactNumber> ReadNumber(std::string_view text);

/// Compares the numbers themselves, not their roundings: 9007199254740993 is
/// greater than 9007199254740992.0. Unordered with a NaN.
std::partial_ordering CompareNumbers(const ExactNumber& a,
                                     const ExactNumber& b);

}  // namespace vernier

#endif  // VERNIER_TRIALS_FILTERS_EXACT_NUMBER_H_
