#include "suggest/insights/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "base/rng.h"
#include "suggest/gp/leave_one_out.h"
#include "suggest/gp/training_data.h"
#include "tests/suggest/insights/example_study.h"
#include "tests/suggest/regression_examples.h"

namespace vernier {
namespace {

using Eigen::Index;

// What a process without row i says about it.
Posterior WithoutRow(const RegressionData& data,
                     const LogHyperparameters& theta, Index i) {
  std::vector<Index> others;
  for (Index k = 0; k < data.inputs.rows(); ++k) {
    if (k != i) others.push_back(k);
  }
  return GaussianProcess::Create(TakeRows(data, others), theta)
      ->Predict(data.inputs.row(i), false);
}

TEST(LeaveOneOutTest, EqualsAFitWithoutThePoint) {
  const RegressionData data = RandomRegression(25, 3, 9);
  const LogHyperparameters theta = RandomHyperparameters(data, 9);
  const auto gp = GaussianProcess::Create(data, theta);
  ASSERT_TRUE(gp.ok()) << gp.status();
  const LeaveOneOut left_out = LeaveOutEach(*gp, data.targets);
  for (Index i = 0; i < data.inputs.rows(); ++i) {
    const Posterior others = WithoutRow(data, theta, i);
    const double noise = data.noise_scale[i] * NoiseVariance(theta);
    EXPECT_NEAR(left_out.mean[i], others.mean[0], 1e-9) << i;
    EXPECT_NEAR(left_out.variance[i], others.variance[0] + noise, 1e-9) << i;
  }
}

// The process grew by its last rows.
TEST(LeaveOneOutTest, EqualsTheSameOfAProcessThatGrew) {
  const RegressionData data = RandomRegression(20, 2, 3);
  const LogHyperparameters theta = RandomHyperparameters(data, 3);
  std::vector<Index> first(15);
  for (Index i = 0; i < 15; ++i) first[static_cast<std::size_t>(i)] = i;
  auto gp = GaussianProcess::Create(TakeRows(data, first), theta);
  ASSERT_TRUE(gp.ok()) << gp.status();
  for (Index i = 15; i < 20; ++i) {
    gp->Append(data.inputs.row(i), data.noise_scale[i], 0);
  }
  gp->SetTargets(data.targets);
  const LeaveOneOut grown = LeaveOutEach(*gp, data.targets);
  const LeaveOneOut whole =
      LeaveOutEach(*GaussianProcess::Create(data, theta), data.targets);
  EXPECT_LT((grown.mean - whole.mean).norm(), 1e-9);
  EXPECT_LT((grown.variance - whole.variance).norm(), 1e-9);
}

std::optional<double> Wave(const Parameters& p) {
  return 1000 + 100 * std::sin(4 * NumberOf(p, 0)) + 20 * NumberOf(p, 1);
}

TEST(CalibrationTest, IsInTheMetricsUnitsWhateverTheGoal) {
  for (const Goal goal : {Goal::kMaximize, Goal::kMinimize}) {
    const ExampleStudy study(SpreadStudy(UnitCubeSpace(2), 40, Wave, goal));
    const Calibration calibration = Calibrate(study.Examined());
    ASSERT_EQ(calibration.points.size(), 40u);
    int inside = 0;
    for (std::size_t i = 0; i < 40; ++i) {
      const Calibration::Point& point = calibration.points[i];
      EXPECT_EQ(point.completed, i);
      EXPECT_EQ(point.observed, study.view().completed[i].objective);
      EXPECT_NEAR(point.expected.mean, point.observed, 60);
      EXPECT_LE(point.expected.low, point.expected.mean);
      EXPECT_LE(point.expected.mean, point.expected.high);
      inside += point.expected.low <= point.observed &&
                point.observed <= point.expected.high;
    }
    // At the ends the warp is flat, so that bands of values may be closed.
    EXPECT_NEAR(calibration.coverage, inside / 40.0, 0.05);
  }
}

// With much noise the model knows how little it knows.
TEST(CalibrationTest, CoversNoiseAsOftenAsItShould) {
  std::mt19937_64 rng = MakeRng(6, 1);
  const ExampleStudy study(
      SpreadStudy(UnitCubeSpace(2), 150, [&](const Parameters& p) {
        return std::optional<double>(NumberOf(p, 0) + 0.2 * Normal(rng));
      }));
  const Calibration calibration = Calibrate(study.Examined());
  EXPECT_NEAR(calibration.coverage, 0.68, 0.1);
}

// Two results of one point are left out together, and each is expected with
// the noise of one.
TEST(CalibrationTest, LeavesRepetitionsOutTogether) {
  StudyView view = SpreadStudy(UnitCubeSpace(1), 12, [](const Parameters& p) {
    return std::optional<double>(std::sin(3 * NumberOf(p, 0)));
  });
  Complete(&view, view.completed[4].parameters,
           *view.completed[4].objective + 0.01);
  const ExampleStudy study(view);
  const Calibration calibration = Calibrate(study.Examined());
  ASSERT_EQ(calibration.points.size(), 13u);
  EXPECT_EQ(calibration.points[12].completed, 12u);
  EXPECT_EQ(calibration.points[4].expected, calibration.points[12].expected);
  const LeaveOneOut rows =
      LeaveOutEach(study.model().gp, study.model().data.regression.targets);
  const Index row = study.model().data.row_of_result[4];
  const double one =
      rows.variance[row] + study.model().gp.noise_variances()[row];
  double log_density = 0;
  for (const std::size_t i : {std::size_t{4}, std::size_t{12}}) {
    const double error =
        study.model().data.warp.Warp(*view.completed[i].objective) -
        rows.mean[row];
    log_density -=
        0.5 * (std::log(2 * std::numbers::pi * one) + error * error / one);
  }
  double others = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    if (i == 4) continue;
    const Index other = study.model().data.row_of_result[i];
    const double error =
        study.model().data.regression.targets[other] - rows.mean[other];
    const double variance = rows.variance[other];
    others -= 0.5 * (std::log(2 * std::numbers::pi * variance) +
                     error * error / variance);
  }
  EXPECT_NEAR(calibration.log_score, (log_density + others) / 13, 1e-6);
}

TEST(CalibrationTest, LeavesOutWhatHasNoValueOfItsOwn) {
  StudyView view = SpreadStudy(UnitCubeSpace(2), 30, Wave);
  view.completed[3].objective.reset();
  view.completed[7].is_stopped_early = true;
  const ExampleStudy study(view);
  const Calibration calibration = Calibrate(study.Examined());
  EXPECT_EQ(calibration.points.size(), 28u);
  for (const Calibration::Point& point : calibration.points) {
    EXPECT_NE(point.completed, 3u);
    EXPECT_NE(point.completed, 7u);
  }
}

}  // namespace
}  // namespace vernier
