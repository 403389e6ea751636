#ifndef VERNIER_BASE_NUMBER_TEXT_H_
#define VERNIER_BASE_NUMBER_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// Largest magnitude up to which every integer is a double.
inline constexpr double kMaxExactInteger = 9007199254740992.0;

/// Why a text is not a number that we can use.
enum class NumberProblem {
  kNone,
  kNotANumber,  ///< "abc", "1_000", "0x10", "010" (octal to some readers).
  kNotFinite,   ///< ".inf", "NaN", "Infinity".
  kOutOfRange,  ///< "1e999", "1e-999".
};

struct ParsedNumber {
  double value = 0;
  NumberProblem problem = NumberProblem::kNone;
};

/// Reads a decimal number as YAML and JSON write it. -0 becomes 0.
ParsedNumber ParseNumber(std::string_view text);

/// Whether `text`, which ParseNumber reads as `value`, writes out a whole
/// number, as "9007199254740993" does, that no double has: `value` is then
/// another number. Not "1e23": an exponent says that digits were left out.
bool IsInexactWhole(std::string_view text, double value);

/// Whether a double has exactly this value; all within +-2^53 do.
bool IsExactDouble(std::int64_t value);

/// Reads an integer; "30", "30.0" and "3e1" are the same one. nullopt if it is
/// none or does not fit.
std::optional<std::int64_t> ParseInteger(std::string_view text);

/// Shortest JSON number that reads back as `value`, which must be finite;
/// integers below 2^53 without fraction or exponent.
std::string NumberText(double value);

/// The shortest text with `digits` significant digits, for people: no trailing
/// zeros, whole parts in full, no sign of zero. Every program reads it as a
/// number; exponents have two digits at least, as Python writes them. It is at
/// most 15 characters longer than `digits`, and never to be cut. `digits` is 1
/// to 17. The dashboard has the same (web/src/format.ts). Pure.
std::string ShortNumber(double number, int digits = 6);

/// Whole seconds of a text such as "7200s" or "1.5s", rounded up. nullopt if it
/// is no such text or longer than the API's 10,000 years.
std::optional<std::int64_t> ParseSeconds(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_BASE_NUMBER_TEXT_H_
