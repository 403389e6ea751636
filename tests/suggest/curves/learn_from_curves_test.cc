#include "suggest/curves/learn_from_curves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "suggest/gp/training_data.h"
#include "tests/suggest/curves/curve_examples.h"

namespace vernier {
namespace {

StudyView ViewOf(const CurveStudy& curves) {
  StudyView view;
  view.space = curves.space;
  view.goal = curves.goal;
  for (const TrialCurve& trial : curves.trials) {
    if (trial.state == CurveState::kRunning ||
        trial.state == CurveState::kPaused) {
      view.pending.push_back(trial.parameters);
      continue;
    }
    Observation observation;
    observation.trial = trial.trial;
    observation.parameters = trial.parameters;
    observation.is_stopped_early = !trial.final_value.has_value();
    observation.objective =
        trial.final_value.value_or(trial.reports.back().value);
    view.completed.push_back(observation);
  }
  view.trials_created = std::ssize(curves.trials);
  return view;
}

void Learn(const CurveStudy& curves, const EarlyStoppingOptions& options,
           StudyView* view) {
  CurveModelCache models(options);
  LearnFromCurves(curves, &models, view);
}

TEST(LearnFromCurvesTest, EstimatesTheEndsOfStoppedAndPausedTrials) {
  CurveStudy curves = CompleteStudy(FallingCurve, 8);
  AddRunning(FallingCurve, 0.3, 12, &curves);
  curves.trials.back().state = CurveState::kStoppedEarly;
  AddRunning(FallingCurve, 0.6, 12, &curves);
  curves.trials.back().state = CurveState::kPaused;
  AddRunning(FallingCurve, 0.9, 12, &curves);
  StudyView view = ViewOf(curves);
  Learn(curves, {}, &view);
  ASSERT_EQ(view.completed.size(), 10u) << "one that runs is pending only";
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_FALSE(view.completed[i].estimate.has_value());
  }
  const Observation& stopped = view.completed[8];
  ASSERT_TRUE(stopped.estimate.has_value());
  EXPECT_NEAR(stopped.estimate->mean, FallingCurve(0.3, 40), 0.1);
  EXPECT_EQ(*stopped.objective, FallingCurve(0.3, 12));
  const Observation& paused = view.completed[9];
  ASSERT_TRUE(paused.estimate.has_value());
  EXPECT_TRUE(paused.is_stopped_early);
  EXPECT_NEAR(paused.estimate->mean, FallingCurve(0.6, 40), 0.1);
  ASSERT_EQ(view.pending.size(), 1u) << "a paused trial has taught";
  EXPECT_EQ(view.pending.front(), curves.trials.back().parameters);
  EXPECT_DOUBLE_EQ(view.stopped_part, 12.0 / 40);
  EXPECT_FALSE(FullObjective(paused, view.goal).has_value());
}

// Trials may end in another order than that of their numbers.
TEST(LearnFromCurvesTest, OfEqualTrialsEachGetsItsOwnEstimate) {
  CurveStudy curves = CompleteStudy(FallingCurve, 8);
  for (const int reports : {6, 20}) {
    AddRunning(FallingCurve, 0.3, reports, &curves);
    curves.trials.back().state = CurveState::kStoppedEarly;
  }
  StudyView view = ViewOf(curves);
  StudyView other = view;
  std::swap(other.completed[8], other.completed[9]);
  Learn(curves, {}, &view);
  Learn(curves, {}, &other);
  ASSERT_TRUE(view.completed[8].estimate.has_value() &&
              view.completed[9].estimate.has_value());
  EXPECT_NE(view.completed[8].estimate->variance,
            view.completed[9].estimate->variance)
      << "the longer curve says more";
  EXPECT_EQ(*other.completed[9].estimate, *view.completed[8].estimate);
  EXPECT_EQ(*other.completed[8].estimate, *view.completed[9].estimate);
}

// Below a place of 0.4 nothing is learnt.
double CurveWithChance(double place, std::int64_t step) {
  return place < 0.4 ? 1.5 : FallingCurve(place, step);
}

// All complete trainings learnt, and most of the way was still before them
// where the others were stopped.
TEST(LearnFromCurvesTest, WhatDidNotBeginToLearnIsEstimatedToStay) {
  CurveStudy curves = CompleteStudy(CurveWithChance, 0);
  for (const double place : {0.5, 0.65, 0.9}) {
    AddComplete(CurveWithChance, place, &curves);
  }
  for (const double place : {0.1, 0.55}) {
    AddRunning(CurveWithChance, place, 4, &curves);
    curves.trials.back().state = CurveState::kStoppedEarly;
  }
  StudyView view = ViewOf(curves);
  Learn(curves, {}, &view);
  ASSERT_TRUE(view.completed[3].estimate.has_value());
  EXPECT_NEAR(view.completed[3].estimate->mean, 1.5, 0.15);
  ASSERT_TRUE(view.completed[4].estimate.has_value());
  EXPECT_NEAR(view.completed[4].estimate->mean, FallingCurve(0.55, 40), 0.15);
}

// What was late before may be late again.
TEST(LearnFromCurvesTest, WhereOthersBeganLateItMayStillBegin) {
  const auto late = [](double place, std::int64_t step) {
    return step < 20 ? 1.5 : FallingCurve(place, 3 * (step - 20));
  };
  CurveStudy curves = CompleteStudy(late, 8);
  AddRunning(late, 0.55, 10, &curves);
  curves.trials.back().state = CurveState::kStoppedEarly;
  StudyView view = ViewOf(curves);
  Learn(curves, {}, &view);
  ASSERT_TRUE(view.completed[8].estimate.has_value());
  EXPECT_LT(view.completed[8].estimate->mean, 0.7);
}

TEST(LearnFromCurvesTest, ChangesNothingWhereNothingIsCutShort) {
  const CurveStudy curves = CompleteStudy(FallingCurve, 8);
  StudyView view = ViewOf(curves);
  Learn(curves, {}, &view);
  EXPECT_EQ(view.completed.size(), 8u);
  EXPECT_EQ(view.stopped_part, 1);
  for (const Observation& observation : view.completed) {
    EXPECT_FALSE(observation.estimate.has_value());
  }
  CurveStudy none = CompleteStudy(FallingCurve, 0);
  AddRunning(FallingCurve, 0.6, 12, &none);
  StudyView other = ViewOf(none);
  Learn(none, {}, &other);
  EXPECT_TRUE(other.completed.empty());
}

TEST(LearnFromCurvesTest, EstimatesAreTargetsWithNoise) {
  CurveStudy curves = CompleteStudy(FallingCurve, 8);
  AddRunning(FallingCurve, 0.3, 12, &curves);
  curves.trials.back().state = CurveState::kStoppedEarly;
  StudyView view = ViewOf(curves);
  Learn(curves, {}, &view);
  const SearchSpaceEncoding encoding(view.space);
  const TrainingData data =
      MakeTrainingData(view, encoding, view.completed.size());
  EXPECT_TRUE(data.censored.empty());
  EXPECT_EQ(data.estimated, (std::vector<Eigen::Index>{8}));
  EXPECT_EQ(MeasuredRows(data).size(), 8u);
  EXPECT_NEAR(data.regression.targets[8],
              data.warp.Warp(-view.completed[8].estimate->mean), 1e-9);
  EXPECT_EQ(data.regression.noise_scale[8], 0);
  EXPECT_GT(data.regression.known_noise[8], 0);
  EXPECT_EQ(data.regression.noise_scale[0], 1);
}

TEST(LearnFromCurvesTest, TakesTheLowerQuartileOfWhereTrialsWereStopped) {
  CurveStudy curves = CompleteStudy(FallingCurve, 8);
  for (const int steps : {30, 8, 20, 6, 36, 12, 25, 10}) {
    AddRunning(FallingCurve, 0.01 * steps, steps, &curves);
    curves.trials.back().state = CurveState::kStoppedEarly;
  }
  StudyView view = ViewOf(curves);
  Learn(curves, {}, &view);
  EXPECT_DOUBLE_EQ(view.stopped_part, 10.0 / 40);
  // A whole training is what the study says.
  EarlyStoppingOptions options;
  options.max_steps = 50;
  Learn(curves, options, &view);
  EXPECT_DOUBLE_EQ(view.stopped_part, 10.0 / 50);
}

// Two trials that were stopped early at like places may be wrong together, and
// then ten of them are hardly more sure than one.
TEST(LearnFromCurvesTest, LikeTrialsErrAlike) {
  CurveStudy curves = CompleteStudy(FallingCurve, 4);
  for (const double place : {0.3, 0.31, 0.95}) {
    AddRunning(FallingCurve, place, 8, &curves);
    curves.trials.back().state = CurveState::kStoppedEarly;
  }
  StudyView view = ViewOf(curves);
  Learn(curves, {}, &view);
  const auto covariance = [&](std::size_t a, std::size_t b) {
    const std::vector<double>& one = view.completed[a].estimate->shared_errors;
    const std::vector<double>& other =
        view.completed[b].estimate->shared_errors;
    double sum = 0;
    for (std::size_t i = 0; i < one.size(); ++i) sum += one[i] * other[i];
    return sum;
  };
  EXPECT_GT(covariance(4, 5),
            0.9 * std::sqrt(covariance(4, 4) * covariance(5, 5)));
  EXPECT_LT(covariance(4, 6), covariance(4, 5));
  EXPECT_GT(covariance(4, 4), view.completed[4].estimate->variance / 10);

  const SearchSpaceEncoding encoding(view.space);
  const TrainingData data =
      MakeTrainingData(view, encoding, view.completed.size());
  const Eigen::MatrixXd& shared = data.regression.shared_noise;
  ASSERT_EQ(shared.rows(), 7);
  EXPECT_TRUE(shared.topRows(4).isZero(0));
  const double estimate = -view.completed[4].estimate->mean;
  double best = -*view.completed[0].objective;
  for (int i = 1; i < 4; ++i) {
    best =
        std::max(best, -*view.completed[static_cast<std::size_t>(i)].objective);
  }
  const double slope = std::min(
      data.warp.Slope(estimate),
      (data.warp.Warp(best) - data.warp.Warp(estimate)) / (best - estimate));
  EXPECT_NEAR(shared.row(4).squaredNorm(), covariance(4, 4) * slope * slope,
              1e-9);
}

}  // namespace
}  // namespace vernier
