#ifndef VERNIER_BASE_NUMBER_TEXT_H_
#define VERNIER_BASE_NUMBER_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// The largest magnitude up to which every integer is a double.
inline constexpr double kMaxExactInteger = 9007199254740992.0;

/// The reason why a text is not a usable number.
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

/// Parses a decimal number as YAML and JSON write it. -0 becomes 0.
ParsedNumber ParseNumber(std::string_view text);

/// Returns the number that ParseNumber reads; nullopt if there is a problem.
std::optional<double> NumberIn(std::string_view text);

/// Returns whether a text that ParseNumber takes for none is a number to its
/// writer: "0,5", "1.234,5", "1,024", "10%".
bool IsForeignNumber(std::string_view text);

/// Returns whether `text`, which ParseNumber reads as `value`, writes out a
/// whole number that no double has, as "9007199254740993" does: `value` is then
/// another number. False for "1e23": an exponent says that digits were left
/// out.
bool IsInexactWhole(std::string_view text, double value);

/// Returns whether a double has exactly this value; all within +-2^53 do.
bool IsExactDouble(std::int64_t value);

/// Parses an integer; "30", "30.0" and "3e1" are the same one. nullopt if it is
/// not an integer or does not fit.
std::optional<std::int64_t> ParseInteger(std::string_view text);

/// Returns the shortest JSON number that reads back as `value`, which must be
/// finite; integers below 2^53 without fraction or exponent.
std::string NumberText(double value);

/// Returns the shortest text with `digits` significant digits, for people: no
/// trailing zeros, whole parts in full, no sign of zero. Every program reads it
/// as a number; exponents have two digits at least, as Python writes them. It
/// is at most 15 characters longer than `digits`, and must not be cut. `digits`
/// is 1 to 17. The dashboard has the same function (web/src/format.ts). Pure.
std::string ShortNumber(double number, int digits = 6);

/// Returns the whole seconds of a text such as "7200s" or "1.5s", rounded up.
/// nullopt if it is not such a text or longer than the API's 10,000 years.
std::optional<std::int64_t> ParseSeconds(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_BASE_NUMBER_TEXT_H_
