#include "base/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace vernier {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string Lower(std::string_view text) {
  std::string lower;
  for (const char c : text) {
    lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return lower;
}

bool IsNotFinite(std::string_view text) {
  if (text.size() > 10) return false;
  std::string name = Lower(text);
  if (name.starts_with('+') || name.starts_with('-')) name.erase(0, 1);
  if (name.starts_with('.')) name.erase(0, 1);
  return name == "inf" || name == "infinity" || name == "nan";
}

// No leading zeros: YAML 1.1 takes 010 for 8, JSON forbids it.
bool IsDecimal(std::string_view digits) {
  if (digits.empty() || !(IsDigit(digits[0]) || digits[0] == '.')) return false;
  return !(digits.size() > 1 && digits[0] == '0' && IsDigit(digits[1]));
}

// From kLarge on a number may have an exponent, below kSmall it always has.
constexpr double kLarge = 1e7;
constexpr double kSmall = 1e-4;

std::string Formatted(const char* format, int precision, double number) {
  // The largest number has 309 digits.
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), format, precision, number);
  return text.data();
}

/// Returns `text` without the zeros at the end of its fraction.
std::string WithoutZeros(const std::string& text) {
  if (text.find('.') == std::string::npos) return text;
  const std::size_t last = text.find_last_not_of('0');
  return text.substr(0, text[last] == '.' ? last : last + 1);
}

}  // namespace

ParsedNumber ParseNumber(std::string_view text) {
  if (IsNotFinite(text)) return {0, NumberProblem::kNotFinite};
  std::string_view digits = text;
  const bool is_negative = digits.starts_with('-');
  if (is_negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (!IsDecimal(digits)) return {0, NumberProblem::kNotANumber};
  double value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size()) {
    return {0, NumberProblem::kNotANumber};
  }
  if (error == std::errc::result_out_of_range || !std::isfinite(value)) {
    return {0, NumberProblem::kOutOfRange};
  }
  if (error != std::errc()) return {0, NumberProblem::kNotANumber};
  if (value == 0) return {0, NumberProblem::kNone};
  return {is_negative ? -value : value, NumberProblem::kNone};
}

std::optional<double> NumberIn(std::string_view text) {
  const ParsedNumber number = ParseNumber(text);
  if (number.problem != NumberProblem::kNone) return std::nullopt;
  return number.value;
}

bool IsForeignNumber(std::string_view text) {
  if (ParseNumber(text).problem != NumberProblem::kNotANumber) return false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    text.remove_prefix(1);
  }
  return !text.empty() && IsDigit(text.front()) &&
         text.find_first_not_of("0123456789.,'% ") == std::string_view::npos;
}

bool IsInexactWhole(std::string_view text, double value) {
  if (std::fabs(value) < kMaxExactInteger) return false;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  const std::string_view digits = text.substr(0, point);
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return false;
  }
  if (point != std::string_view::npos &&
      text.find_first_not_of('0', point + 1) != std::string_view::npos) {
    return false;
  }
  // All digits of the double; the largest has 309.
  char buffer[320];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer,
                                 std::fabs(value), std::chars_format::fixed, 0)
                       .ptr;
  return digits != std::string_view(buffer, end);
}

bool IsExactDouble(std::int64_t value) {
  const auto rounded = static_cast<double>(value);
  // 2^63, to which the largest are rounded, is no int64.
  return rounded < 9223372036854775808.0 &&
         static_cast<std::int64_t>(rounded) == value;
}

std::optional<std::int64_t> ParseInteger(std::string_view text) {
  const ParsedNumber number = ParseNumber(text);
  if (number.problem != NumberProblem::kNone) return std::nullopt;
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc() && end == digits.data() + digits.size()) {
    return value;
  }
  if (std::trunc(number.value) != number.value ||
      std::fabs(number.value) > kMaxExactInteger) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(number.value);
}

std::string NumberText(double value) {
  if (std::isnan(value)) return "nan";  // Its sign means nothing.
  if (std::trunc(value) == value && std::fabs(value) < kMaxExactInteger) {
    return std::to_string(static_cast<std::int64_t>(value));
  }
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return std::string(buffer, end);
}

std::optional<std::int64_t> ParseSeconds(std::string_view text) {
  // The longest duration of the API, 10,000 years.
  constexpr std::int64_t kMaxSeconds = 315'576'000'000;
  if (!text.ends_with('s')) return std::nullopt;
  text.remove_suffix(1);
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction =
      point == std::string_view::npos ? "0" : text.substr(point + 1);
  const auto is_digits = [](std::string_view digits) {
    return !digits.empty() &&
           digits.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (!is_digits(whole) || !is_digits(fraction)) return std::nullopt;
  const bool has_fraction =
      fraction.find_first_not_of('0') != std::string_view::npos;
  std::int64_t seconds = 0;
  for (const char digit : whole) {
    seconds = seconds * 10 + (digit - '0');
    if (seconds > kMaxSeconds) return std::nullopt;
  }
  return seconds + (has_fraction ? 1 : 0);
}

std::string ShortNumber(double number, int digits) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  if (number == 0) return "0";
  std::string exponent = Formatted("%.*e", digits - 1, number);
  const double nearest = std::strtod(exponent.c_str(), nullptr);
  const std::size_t end = exponent.find('e');
  exponent = WithoutZeros(exponent.substr(0, end)) + exponent.substr(end);
  const bool is_whole = std::abs(number) >= std::pow(10.0, digits);
  const double rounded = is_whole ? std::round(number) : nearest;
  const double size = std::abs(rounded);
  if (size < kSmall) return exponent;
  const int after =
      is_whole
          ? 0
          : std::max(
                0, digits - 1 - static_cast<int>(std::floor(std::log10(size))));
  const std::string plain = WithoutZeros(Formatted("%.*f", after, rounded));
  return size >= kLarge && exponent.size() < plain.size() ? exponent : plain;
}

}  // namespace vernier
