#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/number_text.h"

namespace vernier {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The same table is in web/test/format.test.ts.
TEST(ShortNumberTest, IsShortAndANumberForEveryProgram) {
  const struct {
    double number;
    int digits;
    const char* text;
  } cases[] = {
      {0, 5, "0"},
      {-0.0, 5, "0"},
      {0.5, 5, "0.5"},
      {0.031471828, 5, "0.031472"},
      {123456, 5, "123456"},
      {1234567.8, 5, "1234568"},
      {9999999, 5, "9999999"},
      {1e7, 5, "1e+07"},
      {12345678, 5, "12345678"},
      {123456789.123, 5, "123456789"},
      {1234567891, 5, "1234567891"},
      {12345678912, 5, "1.2346e+10"},
      {0.0001, 5, "0.0001"},
      {0.00012, 5, "0.00012"},
      {0.0000123456, 5, "1.2346e-05"},
      {1.06e-9, 4, "1.06e-09"},
      {1.0613e-9, 4, "1.061e-09"},
      {-1.06e-9, 4, "-1.06e-09"},
      {-2.5, 5, "-2.5"},
      {0.99996, 4, "1"},
      {99999.6, 5, "100000"},
      {0.000099999999, 5, "0.0001"},
      {1e100, 5, "1e+100"},
      {5e-324, 5, "4.9407e-324"},
      {std::numeric_limits<double>::max(), 6, "1.79769e+308"},
      {1.0 / 3, 12, "0.333333333333"},
      {kInfinity, 5, "inf"},
      {-kInfinity, 5, "-inf"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(ShortNumber(each.number, each.digits), each.text);
    if (!std::isfinite(each.number)) continue;
    EXPECT_LE(std::abs(std::strtod(each.text, nullptr) - each.number),
              std::abs(each.number) * std::pow(10.0, 1 - each.digits))
        << each.text;
  }
  EXPECT_EQ(ShortNumber(std::nan("")), "nan");
}

}  // namespace
}  // namespace vernier
