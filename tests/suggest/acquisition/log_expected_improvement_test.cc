#include "suggest/acquisition/log_expected_improvement.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vernier {
namespace {

TEST(LogExpectedImprovementTest, AgreesWithTheDirectFormulaNearZero) {
  for (double z = -5; z <= 5; z += 0.37) {
    const long double density =
        std::exp(-0.5L * z * z) / std::sqrt(2 * std::acos(-1.0L));
    const long double cumulative = 0.5L * std::erfc(-z / std::sqrt(2.0L));
    const long double h = density + z * cumulative;
    const LogImprovement got = ComputeLogImprovement(z);
    EXPECT_NEAR(got.log_h, static_cast<double>(std::log(h)), 1e-12) << z;
    EXPECT_NEAR(got.cumulative_over_h / static_cast<double>(cumulative / h), 1,
                1e-12);
    EXPECT_NEAR(got.density_over_h / static_cast<double>(density / h), 1,
                1e-12);
  }
}

// The branches change at -1 and -30, and ScaledErfc's at -5 sqrt 2.
TEST(LogExpectedImprovementTest, IsContinuousAcrossItsBranches) {
  for (const double z : {-1.0, -5 * std::sqrt(2.0), -30.0}) {
    const LogImprovement below = ComputeLogImprovement(std::nextafter(z, -1e9));
    const LogImprovement above = ComputeLogImprovement(std::nextafter(z, 1e9));
    EXPECT_NEAR(below.log_h, above.log_h, 1e-9 * std::abs(above.log_h)) << z;
    EXPECT_NEAR(below.cumulative_over_h / above.cumulative_over_h, 1, 1e-8);
    EXPECT_NEAR(below.density_over_h / above.density_over_h, 1, 1e-8);
  }
}

TEST(LogExpectedImprovementTest, IsFiniteIncreasingAndSmoothFarOut) {
  double last = ComputeLogImprovement(-1e8).log_h;
  ASSERT_TRUE(std::isfinite(last));
  for (double z = -1e8; z < -0.5; z *= 0.9) {
    const LogImprovement at = ComputeLogImprovement(z);
    ASSERT_TRUE(std::isfinite(at.log_h)) << z;
    EXPECT_GE(at.log_h, last);
    EXPECT_GT(at.cumulative_over_h, 0);
    const double step = 1e-5 * std::abs(z);
    if (z > -2e4) {
      const double slope = (ComputeLogImprovement(z + step).log_h -
                            ComputeLogImprovement(z - step).log_h) /
                           (2 * step);
      EXPECT_NEAR(at.cumulative_over_h / slope, 1, 1e-6) << z;
    }
    last = at.log_h;
  }
  EXPECT_TRUE(std::isfinite(ComputeLogImprovement(40).log_h));
}

TEST(LogExpectedImprovementTest, GradientMatchesFiniteDifferences) {
  for (const double mean : {-4.0, -0.3, 0.2, 1.5}) {
    for (const double variance : {1e-4, 0.3, 2.0}) {
      const auto value = [](double m, double v) {
        return ComputeLogExpectedImprovement(m, v, 0.5).value;
      };
      const MarginalScore at =
          ComputeLogExpectedImprovement(mean, variance, 0.5);
      const double dm = 1e-6;
      const double dv = 1e-6 * variance;
      const double by_mean =
          (value(mean + dm, variance) - value(mean - dm, variance)) / (2 * dm);
      const double by_variance =
          (value(mean, variance + dv) - value(mean, variance - dv)) / (2 * dv);
      EXPECT_NEAR(at.d_mean, by_mean, 1e-5 * (1 + std::abs(by_mean)));
      EXPECT_NEAR(at.d_variance, by_variance,
                  1e-5 * (1 + std::abs(by_variance)));
    }
  }
}

}  // namespace
}  // namespace vernier
