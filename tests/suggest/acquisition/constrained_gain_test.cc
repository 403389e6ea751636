#include "suggest/acquisition/constrained_gain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "suggest/gp/normal_distribution.h"
#include "suggest/gp/surrogate_model.h"
#include "tests/suggest/gradient_check.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

TEST(ConstrainedGainTest, IsTheProbabilityOfTheNormalDistribution) {
  for (const double mean : {-1.5, 0.2, 0.9, 3.0}) {
    EXPECT_NEAR(ComputeLogProbabilityAbove(mean, 0.49, 0.2).value,
                std::log(NormalCumulative((mean - 0.2) / 0.7)), 1e-12);
  }
  // -z^2 / 2 - ln(z sqrt(2 pi)) far to the left, where Phi vanishes.
  EXPECT_NEAR(ComputeLogProbabilityAbove(-100, 1, 0).value,
              -5000 - std::log(100 * std::sqrt(2 * M_PI)), 1e-3);
}

// Compares the slopes of a score of (mean, variance) with differences.
template <typename ScoreOf>
void ExpectSlopes(const ScoreOf& score_of, double mean, double variance) {
  constexpr double kStep = 1e-6;
  const auto at = [&](double m, double v) { return score_of(m, v).value; };
  const MarginalScore score = score_of(mean, variance);
  const double d_mean =
      (at(mean + kStep, variance) - at(mean - kStep, variance)) / (2 * kStep);
  const double d_variance =
      (at(mean, variance + kStep) - at(mean, variance - kStep)) / (2 * kStep);
  EXPECT_NEAR(score.d_mean, d_mean, 1e-5 * (1 + std::abs(d_mean)));
  EXPECT_NEAR(score.d_variance, d_variance, 1e-5 * (1 + std::abs(d_variance)));
}

TEST(ConstrainedGainTest, ItsDerivativesAgreeWithDifferences) {
  for (const double mean : {-30.0, -2.0, 0.1, 4.0}) {
    ExpectSlopes([](double m,
                    double v) { return ComputeLogProbabilityAbove(m, v, 0.3); },
                 mean, 0.8);
  }
}

TEST(ConstrainedGainTest, ABandHasTheProbabilityBetweenItsBounds) {
  for (const double mean : {-2.0, 0.1, 0.45, 0.9, 4.0}) {
    const double expected = NormalCumulative((0.8 - mean) / 0.7) -
                            NormalCumulative((0.2 - mean) / 0.7);
    EXPECT_NEAR(ComputeLogProbabilityWithin(mean, 0.49, 0.2, 0.8).value,
                std::log(expected), 1e-9);
    EXPECT_NEAR(ComputeLogProbabilityWithin(mean, 0.49, 0.2, 1e9).value,
                ComputeLogProbabilityAbove(mean, 0.49, 0.2).value, 1e-12);
    EXPECT_NEAR(ComputeLogProbabilityWithin(-mean, 0.49, -1e9, -0.2).value,
                ComputeLogProbabilityAbove(mean, 0.49, 0.2).value, 1e-12);
  }
}

TEST(ConstrainedGainTest, ANarrowBandCountsByItsDensity) {
  for (const double z : {-40.0, -1.3, 0.0, 0.4, 25.0}) {
    const double density = LogNormalDensity(z) - std::log(0.5);
    EXPECT_NEAR(
        ComputeLogProbabilityWithin(1 - 0.5 * z, 0.25, 1, 1 + 1e-9).value,
        density + std::log(1e-9), 1e-6);
  }
}

TEST(ConstrainedGainTest, FarFromABandTheNearerBoundCounts) {
  for (const double width : {1e-9, 1e-3, 1.0, 1e3}) {
    for (const double distance : {1e2, 1e4, 1e7}) {
      const MarginalScore below =
          ComputeLogProbabilityWithin(-distance, 1, 0, width);
      const MarginalScore above =
          ComputeLogProbabilityWithin(width + distance, 1, 0, width);
      EXPECT_TRUE(std::isfinite(below.value));
      EXPECT_NEAR(below.d_mean, distance, 0.6 * width + 1);
      EXPECT_NEAR(above.d_mean, -below.d_mean, 1e-6 * distance);
      EXPECT_NEAR(above.value, below.value, 1e-9 * -below.value);
      EXPECT_GT(below.d_variance, 0);
    }
  }
}

TEST(ConstrainedGainTest, ABandsDerivativesAgreeWithDifferences) {
  for (const double width : {1e-6, 0.01, 0.3, 0.6, 1.2, 4.0, 100.0}) {
    for (const double mean : {-30.0, -3.0, 0.05, 0.4, 1.1, 9.0}) {
      ExpectSlopes(
          [width](double m, double v) {
            return ComputeLogProbabilityWithin(m, v, 0.1, 0.1 + width);
          },
          mean, 0.8);
    }
  }
}

TEST(ConstrainedGainTest, TheGradientAgreesWithDifferences) {
  StudyView view;
  view.space = {DoubleParameter("x", 0, 1), DoubleParameter("y", 0, 1)};
  for (int i = 1; i <= 12; ++i) {
    const double x = std::fmod(0.7549 * i, 1.0);
    const double y = std::fmod(0.5698 * i, 1.0);
    Observation observation;
    observation.parameters = {{"x", x}, {"y", y}};
    observation.objective = x - y * y;
    view.completed.push_back(observation);
  }
  const SearchSpaceEncoding encoding(view.space);
  SurrogateCache objective;
  SurrogateCache slack(WarpReference::kSlack);
  const auto model = objective.Get(view, encoding);
  const auto slacks = slack.Get(view, encoding);
  ASSERT_TRUE(model.ok() && slacks.ok());
  Eigen::MatrixXd points(3, 2);
  points << 0.21, 0.13, 0.4, 0.9, 0.8, 0.35;
  const LogEiAcquisition gain((*model)->gp);
  const double zero = (*slacks)->data.warp.zero;
  ExpectGradients(LogConstrainedGain(&gain, {{&(*slacks)->gp, zero}}), points);
  ExpectGradients(LogConstrainedGain(nullptr, {{&(*slacks)->gp, zero}}),
                  points);
  ExpectGradients(
      LogConstrainedGain(&gain, {{&(*slacks)->gp, zero, zero + 0.01}}), points);
  ExpectGradients(LogConstrainedGain(nullptr, {{&(*slacks)->gp, zero, zero}}),
                  points);
}

}  // namespace
}  // namespace vernier
