#include "suggest/space/decimal_grid.h"

#include <gtest/gtest.h>

#include <limits>

namespace vernier {
namespace {

TEST(DecimalGridTest, TheExponentIsThatOfTheFirstDigit) {
  EXPECT_EQ(DecimalExponent(1), 0);
  EXPECT_EQ(DecimalExponent(-9.99), 0);
  EXPECT_EQ(DecimalExponent(0.001), -3);
  EXPECT_EQ(DecimalExponent(1000), 3);
  EXPECT_EQ(DecimalExponent(999.9999999999999), 2);
  EXPECT_EQ(DecimalExponent(5e-324), -324);
  EXPECT_EQ(DecimalExponent(1.7e308), 308);
}

TEST(DecimalGridTest, RoundsToTheNearestMultiple) {
  EXPECT_EQ(RoundToPowerOfTen(0.010000000000000004, -10), 0.01);
  EXPECT_EQ(RoundToPowerOfTen(-0.123456789, -3), -0.123);
  EXPECT_EQ(RoundToPowerOfTen(0.9996, -3), 1);
  EXPECT_EQ(RoundToPowerOfTen(123456, 3), 123000);
  EXPECT_EQ(RoundToPowerOfTen(5.551115123125783e-17, -8), 0);
  EXPECT_EQ(RoundToPowerOfTen(6e-9, -8), 1e-8);
  EXPECT_EQ(RoundToPowerOfTen(-6e-9, -8), -1e-8);
  EXPECT_EQ(RoundToPowerOfTen(0, -8), 0);
}

TEST(DecimalGridTest, LeavesWhatHasNoSuchDigit) {
  const double third = 1.0 / 3;
  EXPECT_EQ(RoundToPowerOfTen(third, -30), third);
  EXPECT_EQ(RoundToPowerOfTen(5e-324, -400), 5e-324);
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(RoundToPowerOfTen(largest, 307), largest) << "1.8e308 is no double";
}

}  // namespace
}  // namespace vernier
