#include "suggest/space/decimal_grid.h"

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <system_error>

#include "base/check.h"

namespace vernier {
namespace {

// 17 significant digits distinguish every double from its neighbours.
constexpr int kMostDigits = 17;

int ExponentIn(std::string_view scientific) {
  std::string_view digits = scientific.substr(scientific.find('e') + 1);
  // from_chars accepts no plus sign.
  if (digits.starts_with('+')) digits.remove_prefix(1);
  int exponent = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  return exponent;
}

double FromText(std::string_view text, double otherwise) {
  double value = 0;
  const auto read =
      std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() ? value : otherwise;
}

}  // namespace

int DecimalExponent(double value) {
  VERNIER_CHECK(std::isfinite(value) && value != 0);
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                                 std::chars_format::scientific)
                       .ptr;
  return ExponentIn({buffer, end});
}

double RoundToPowerOfTen(double value, int exponent) {
  if (value == 0) return 0;
  const int digits = DecimalExponent(value) - exponent;
  if (digits >= kMostDigits) return value;
  char buffer[64];
  if (digits < 0) {
    // Less than one step: nothing, or the whole of it.
    const double step = FromText("1e" + std::to_string(exponent), 0);
    return std::fabs(value) < step / 2 ? 0 : std::copysign(step, value);
  }
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                                 std::chars_format::scientific, digits)
                       .ptr;
  return FromText({buffer, end}, value);
}

}  // namespace vernier
