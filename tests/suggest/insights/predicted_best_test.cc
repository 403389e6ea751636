#include "suggest/insights/predicted_best.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "suggest/acquisition/log_expected_improvement.h"
#include "suggest/gp/normal_distribution.h"
#include "tests/suggest/insights/example_study.h"

namespace vernier {
namespace {

double Expected(const ExampleStudy& study, const Eigen::RowVectorXd& row) {
  return study.model().gp.Predict(row, false).mean[0];
}

std::optional<double> Bowl(const Parameters& p) {
  return std::pow(NumberOf(p, 0) - 0.62, 2) +
         std::pow(NumberOf(p, 1) - 0.31, 2);
}

TEST(PredictedBestTest, LiesBetweenTheResultsWhereTheModelSaysSo) {
  const ExampleStudy study(
      SpreadStudy(UnitCubeSpace(2), 30, Bowl, Goal::kMinimize));
  const Eigen::RowVectorXd best = FindPredictedBest(study.Examined());
  EXPECT_NEAR(best[0], 0.62, 0.03);
  EXPECT_NEAR(best[1], 0.31, 0.03);
  EXPECT_GT(Expected(study, best), study.model().gp.fitted_means().maxCoeff());
}

TEST(PredictedBestTest, MaximisesWhenThatIsTheGoal) {
  const ExampleStudy study(SpreadStudy(UnitCubeSpace(2), 30, Bowl));
  const Eigen::RowVectorXd best = FindPredictedBest(study.Examined());
  EXPECT_NEAR(best[0], 0, 0.01);
  EXPECT_NEAR(best[1], 1, 0.01);
}

TEST(PredictedBestTest, IsNeverWorseThanAResult) {
  for (const auto& space : {MixedSpace(), ConditionalSpace()}) {
    const ExampleStudy study(SpreadStudy(space, 30, [](const Parameters& p) {
      double hash = 0;
      for (const NamedValue& value : p) {
        if (const auto* x = std::get_if<double>(&value.value)) hash += *x;
      }
      return std::optional<double>(std::sin(7 * hash));
    }));
    const Eigen::RowVectorXd best = FindPredictedBest(study.Examined());
    EXPECT_GE(Expected(study, best),
              study.model().gp.fitted_means().maxCoeff() - 1e-9);
    Eigen::RowVectorXd valid = best;
    study.encoding().Snap(&valid);
    EXPECT_EQ(best, valid);
  }
}

// A small space is searched whole, what was tried included.
TEST(PredictedBestTest, MayBeATriedPointOfASmallSpace) {
  StudyView view;
  view.space = {CategoricalParameter("c", 4), IntegerParameter("i", 1, 3)};
  for (int c = 0; c < 4; ++c) {
    for (int i = 1; i <= 3; ++i) {
      const std::string label = "c" + std::to_string(c);
      Complete(&view, {{"c", label}, {"i", std::int64_t{i}}},
               -std::abs(c - 2) - std::abs(i - 2));
    }
  }
  const ExampleStudy study(view);
  const Parameters best =
      study.encoding().Decode(FindPredictedBest(study.Examined()));
  EXPECT_EQ(best[0].value, ParameterValue(std::string("c2")));
  EXPECT_EQ(best[1].value, ParameterValue(std::int64_t{2}));
  // Nothing is left to try.
  const NextGain next = FindNextGain(study.Examined());
  EXPECT_EQ(next.expected_gain, 0);
  EXPECT_EQ(next.improvement_probability, 0);
}

// The larger x the better, but beyond 0.7 every trial fails.
TEST(PredictedBestTest, KeepsAwayFromWhereTrialsFail) {
  const ExampleStudy study(
      SpreadStudy(UnitCubeSpace(1), 40, [](const Parameters& p) {
        const double x = NumberOf(p, 0);
        return x > 0.7 ? std::nullopt : std::optional<double>(x);
      }));
  const Eigen::RowVectorXd best = FindPredictedBest(study.Examined());
  EXPECT_GT(best[0], 0.5);
  EXPECT_LT(best[0], 0.75);
}

// Knots on a line: the gain is expected improvement in other units.
TEST(ExpectedGainTest, IsExpectedImprovementIfTheWarpIsALine) {
  WarpedObjectives warp;
  for (int i = 0; i <= 10; ++i) warp.knots.emplace_back(3 * i, i - 5.0);
  const double improvement =
      std::exp(ComputeLogExpectedImprovement(1.5, 0.49, 2.25).value);
  EXPECT_NEAR(ExpectedGain(warp, 1.5, 0.49, 2.25), 3 * improvement, 1e-12);
}

TEST(ExpectedGainTest, IntegratesAnyWarp) {
  WarpedObjectives warp;
  warp.knots = {{-5, -1}, {-1, -0.8}, {0, -0.1}, {0.2, 0.3}, {4, 0.5}};
  for (const double best : {-2.0, -0.9, 0.1, 0.4, 0.7}) {
    const double mean = 0.2;
    const double deviation = 0.6;
    double gain = 0;
    constexpr int kSteps = 200000;
    for (int i = 0; i < kSteps; ++i) {
      const double f = mean + deviation * NormalQuantile((i + 0.5) / kSteps);
      gain += std::max(0.0, warp.Unwarp(f) - warp.Unwarp(best)) / kSteps;
    }
    EXPECT_NEAR(ExpectedGain(warp, mean, deviation * deviation, best), gain,
                1e-3 * (1 + gain))
        << best;
  }
}

TEST(ExpectedGainTest, OfHugeValuesIsFinite) {
  WarpedObjectives warp;
  warp.knots = {{-1.7e308, -0.5}, {1.7e308, 0.5}};
  EXPECT_TRUE(std::isfinite(ExpectedGain(warp, 0.4, 1, 0.5)));
}

// A bowl that is known well promises little; a wave seen at few places more.
TEST(NextGainTest, ShrinksAsTheBestIsKnown) {
  const ExampleStudy few(
      SpreadStudy(UnitCubeSpace(2), 8, Bowl, Goal::kMinimize));
  const ExampleStudy many(
      SpreadStudy(UnitCubeSpace(2), 80, Bowl, Goal::kMinimize));
  const NextGain of_few = FindNextGain(few.Examined());
  const NextGain of_many = FindNextGain(many.Examined());
  EXPECT_GT(of_few.expected_gain, of_many.expected_gain);
  EXPECT_GE(of_many.expected_gain, 0);
  EXPECT_GT(of_few.improvement_probability, 0.01);
  EXPECT_LE(of_few.improvement_probability, 1);
}

// In the metric's units: a metric of a thousandth has a gain of a thousandth.
TEST(NextGainTest, IsInTheMetricsUnits) {
  const auto scaled = [](const Parameters& p) {
    return std::optional<double>(*Bowl(p) / 1024);
  };
  const ExampleStudy large(
      SpreadStudy(UnitCubeSpace(2), 20, Bowl, Goal::kMinimize));
  const ExampleStudy small(
      SpreadStudy(UnitCubeSpace(2), 20, scaled, Goal::kMinimize));
  EXPECT_NEAR(FindNextGain(small.Examined()).expected_gain,
              FindNextGain(large.Examined()).expected_gain / 1024, 1e-9);
}

}  // namespace
}  // namespace vernier
