#include "trials/filters/exact_number.h"

#include <charconv>
#include <cmath>
#include <system_error>

namespace vernier {
namespace {

template <typename Number>
std::optional<ExactNumber> ReadAs(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return number;
}

std::partial_ordering CompareWhole(std::int64_t whole, double number) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63.
  if (std::isnan(number)) return std::partial_ordering::unordered;
  if (number >= kLimit) return std::partial_ordering::less;
  if (number < -kLimit) return std::partial_ordering::greater;
  const double floor = std::floor(number);
  const auto below = static_cast<std::int64_t>(floor);
  if (whole != below) return whole <=> below;
  return floor < number ? std::partial_ordering::less
                        : std::partial_ordering::equivalent;
}

}  // namespace

std::optional<ExactNumber> ReadNumber(std::string_view text) {
  const auto whole = ReadAs<std::int64_t>(text);
  return whole.has_value() ? whole : ReadAs<double>(text);
}

std::partial_ordering CompareNumbers(const ExactNumber& a,
                                     const ExactNumber& b) {
  const auto* whole_a = std::get_if<std::int64_t>(&a);
  const auto* whole_b = std::get_if<std::int64_t>(&b);
  if (whole_a != nullptr && whole_b != nullptr) return *whole_a <=> *whole_b;
  if (whole_a != nullptr) return CompareWhole(*whole_a, std::get<double>(b));
  if (whole_b != nullptr)
    return 0 <=> CompareWhole(*whole_b, std::get<double>(a));
  return std::get<double>(a) <=> std::get<double>(b);
}

}  // namespace vernier
