#include "suggest/gp/student_distribution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace vernier {
namespace {

// Quantiles of any table of the distribution with four degrees of freedom.
TEST(StudentCumulativeTest, AgreesWithTables) {
  EXPECT_EQ(StudentCumulative(0), 0.5);
  EXPECT_NEAR(StudentCumulative(-2.1318467863), 0.05, 1e-10);
  EXPECT_NEAR(StudentCumulative(-2.7764451052), 0.025, 1e-10);
  EXPECT_NEAR(StudentCumulative(-4.6040948713), 0.005, 1e-10);
  EXPECT_NEAR(StudentCumulative(4.6040948713), 0.995, 1e-10);
}

// The tail tends to 3 / x^4, and is never below 0 or lost to rounding.
TEST(StudentCumulativeTest, KeepsItsFiguresFarIntoTheTail) {
  for (const double x : {1e3, 1e6, 1e50}) {
    EXPECT_NEAR(StudentCumulative(-x) * std::pow(x, 4) / 3, 1, 1e-5) << x;
    EXPECT_EQ(StudentCumulative(x), x < 1e4 ? 1 - StudentCumulative(-x) : 1);
  }
  EXPECT_EQ(StudentCumulative(-std::numeric_limits<double>::infinity()), 0);
}

}  // namespace
}  // namespace vernier
