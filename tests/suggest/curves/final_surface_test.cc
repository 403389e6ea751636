#include "suggest/curves/final_surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/suggest/regression_examples.h"

namespace vernier {
namespace {

// In other units than the model's own.
RegressionData FinalValues(int n) {
  RegressionData data = RandomRegression(n, 3, 4);
  data.targets = 100 + 20 * data.targets.array();
  data.known_noise = Eigen::VectorXd::Zero(n);
  return data;
}

TEST(FinalSurfaceTest, SaysWhatLikeTrialsReached) {
  const RegressionData data = FinalValues(40);
  const auto surface = FinalSurface::Create(data);
  ASSERT_TRUE(surface.has_value());
  double squared = 0;
  for (Eigen::Index i = 0; i < 40; ++i) {
    const NormalValue there = surface->Predict(data.inputs.row(i));
    EXPECT_NEAR(there.mean, data.targets[i], 3 * std::sqrt(there.variance));
    const NormalValue others = surface->LeaveOut(i);
    squared += std::pow(others.mean - data.targets[i], 2) / others.variance;
  }
  EXPECT_GT(squared / 40, 0.3);
  EXPECT_LT(squared / 40, 3);
}

TEST(FinalSurfaceTest, AnUncertainEstimateCountsLittle) {
  RegressionData data = FinalValues(40);
  const NormalValue before =
      FinalSurface::Create(data)->Predict(data.inputs.row(7));
  data.targets[7] += 30;
  data.noise_scale[7] = 0;
  data.known_noise[7] = 900;
  const NormalValue after =
      FinalSurface::Create(data)->Predict(data.inputs.row(7));
  EXPECT_NEAR(after.mean, before.mean, 5);
}

TEST(FinalSurfaceTest, NothingThatVariesIsNoSurface) {
  RegressionData data = FinalValues(5);
  data.targets.setConstant(3);
  EXPECT_FALSE(FinalSurface::Create(data).has_value());
  data.targets[0] = std::nan("");
  EXPECT_FALSE(FinalSurface::Create(data).has_value());
}

TEST(FinalSurfaceTest, TwoSourcesAreWeighedByTheirCertainty) {
  const NormalValue both = Join({1, 1}, {4, 3});
  EXPECT_DOUBLE_EQ(both.mean, 1.75);
  EXPECT_DOUBLE_EQ(both.variance, 0.75);
}

// All others ended alike, and yet this one's curve is far off.
TEST(FinalSurfaceTest, ACurveIsBelievedAgainstAllOthers) {
  const NormalValue both = Join({-3, 0.04}, {0, 1e-6});
  EXPECT_LT(both.mean, -2.9);
  EXPECT_LT(both.variance, 0.04);
}

}  // namespace
}  // namespace vernier
