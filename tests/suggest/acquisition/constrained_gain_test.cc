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

TEST(ConstrainedGainTest, ItsDerivativesAgreeWithDifferences) {
  constexpr double kStep = 1e-6;
  for (const double mean : {-30.0, -2.0, 0.1, 4.0}) {
    const auto at = [&](double m, double v) {
      return ComputeLogProbabilityAbove(m, v, 0.3).value;
    };
    const MarginalScore score = ComputeLogProbabilityAbove(mean, 0.8, 0.3);
    const double d_mean =
        (at(mean + kStep, 0.8) - at(mean - kStep, 0.8)) / (2 * kStep);
    const double d_variance =
        (at(mean, 0.8 + kStep) - at(mean, 0.8 - kStep)) / (2 * kStep);
    EXPECT_NEAR(score.d_mean, d_mean, 1e-5 * (1 + std::abs(d_mean)));
    EXPECT_NEAR(score.d_variance, d_variance,
                1e-5 * (1 + std::abs(d_variance)));
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
}

}  // namespace
}  // namespace vernier
