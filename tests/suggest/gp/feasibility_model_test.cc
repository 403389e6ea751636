#include "suggest/gp/feasibility_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/rng.h"
#include "suggest/acquisition/weighted_gain.h"
#include "suggest/algorithms/gaussian_process_suggester.h"
#include "suggest/gp/probit_mode.h"
#include "tests/suggest/gradient_check.h"
#include "tests/suggest/regression_examples.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

StudyView View(std::vector<ParameterSpec> space, std::uint64_t seed = 1) {
  StudyView view;
  view.space = std::move(space);
  view.seed = seed;
  return view;
}

// `count` random points of the unit square, where x > 0.6 fails.
StudyView HalfOfItFails(int count) {
  StudyView view = View(UnitCubeSpace(2));
  std::mt19937_64 rng = MakeRng(3, 1);
  for (int i = 0; i < count; ++i) {
    const double x = UniformDouble(rng);
    const double y = UniformDouble(rng);
    Complete(&view, {{"x0", x}, {"x1", y}},
             x > 0.6 ? std::nullopt : std::optional<double>(x + y));
  }
  return view;
}

TEST(FeasibilityModelTest, IsThereForAFailureAndThreeSuccesses) {
  StudyView view = View(UnitCubeSpace(1));
  const auto complete = [&](std::optional<double> objective) {
    Complete(&view, {{"x0", 0.1 * static_cast<double>(view.completed.size())}},
             objective);
    return ModelsFailures(view);
  };
  EXPECT_FALSE(complete(1.0));
  EXPECT_FALSE(complete(std::nullopt));
  EXPECT_FALSE(complete(2.0)) << "two successes";
  EXPECT_TRUE(complete(2.0));
  EXPECT_EQ(WithoutFailures(view).completed.size(), 3u);
  view.completed.pop_back();
  view.completed.pop_back();
  EXPECT_FALSE(complete(1.0));
  EXPECT_TRUE(complete(1.0)) << "all successes are equal";
}

// One target, signal 1 and noise 0.25: K + N = 1.25, so the mean is 1 / 2.25;
// there the posterior has the mean m + (1 - m) / 1.25 and the variance 0.2. The
// line has 0.4 * 3 there.
TEST(FeasibilityModelTest, FollowsAHandComputedCase) {
  RegressionData data;
  data.inputs = Eigen::MatrixXd::Constant(1, 1, 0.9);
  data.targets = Eigen::VectorXd::Ones(1);
  data.noise_scale = Eigen::VectorXd::Ones(1);
  data.groups.group_of_column = {0};
  data.groups.is_categorical = {false};
  LogHyperparameters theta(3);
  theta << std::log(0.3), 0, std::log(0.25);
  const FeasibilityModel model(*GaussianProcess::Create(data, theta),
                               Eigen::VectorXd::Constant(1, 3));
  Eigen::VectorXd logs;
  model.LogProbability(data.inputs, &logs, nullptr);
  const double m = 1 / 2.25;
  const double z =
      (m + (1 - m) / 1.25 + 1.2 + kProbitMean) / std::sqrt(1 + 0.2);
  EXPECT_NEAR(logs[0], std::log(0.5 * std::erfc(-z / std::sqrt(2))), 1e-12);
}

// Larger sums of the first two fail; the corner that nobody tried does, too.
TEST(FeasibilityModelTest, LearnsADirectionFromFewFailures) {
  StudyView view = View(UnitCubeSpace(4));
  std::mt19937_64 rng = MakeRng(8, 1);
  for (int i = 0; i < 12; ++i) {
    Parameters point;
    for (int k = 0; k < 4; ++k) {
      // The farthest corner is left out.
      point.push_back({absl::StrCat("x", k), 0.8 * UniformDouble(rng)});
    }
    const double sum = NumberOf(point, 0) + NumberOf(point, 1);
    Complete(&view, point, sum > 1 ? std::nullopt : std::optional<double>(sum));
  }
  ASSERT_TRUE(ModelsFailures(view));
  const SearchSpaceEncoding encoding(view.space);
  FeasibilityCache cache;
  Eigen::MatrixXd corners(2, 4);
  corners << 1, 1, 0.5, 0.5, 0, 0, 0.5, 0.5;
  Eigen::VectorXd logs;
  (*cache.Get(view, encoding))->LogProbability(corners, &logs, nullptr);
  EXPECT_LT(logs[0], std::log(0.15));
  EXPECT_GT(logs[1], std::log(0.85));
}

TEST(FeasibilityModelTest, KnowsWhereTrialsFailed) {
  const StudyView view = HalfOfItFails(60);
  const SearchSpaceEncoding encoding(view.space);
  FeasibilityCache history;
  const auto model = history.Get(view, encoding);
  ASSERT_TRUE(model.ok()) << model.status();
  Eigen::MatrixXd points(2, 2);
  points << 0.3, 0.5, 0.9, 0.5;
  Eigen::VectorXd logs;
  (*model)->LogProbability(points, &logs, nullptr);
  EXPECT_GT(logs[0], std::log(0.9));
  EXPECT_LT(logs[1], std::log(0.05));
}

// A restarted service comes to the same bits.
TEST(FeasibilityCacheTest, RemembersNothingThatMatters) {
  const StudyView all = HalfOfItFails(40);
  const SearchSpaceEncoding encoding(all.space);
  const Eigen::MatrixXd points = RandomRegression(20, 2, 4).inputs;
  FeasibilityCache grown;
  StudyView view = all;
  for (std::size_t n = 0; n <= all.completed.size(); ++n) {
    view.completed.assign(all.completed.begin(),
                          all.completed.begin() + static_cast<long>(n));
    if (!ModelsFailures(view)) continue;
    FeasibilityCache fresh;
    Eigen::VectorXd expected;
    (*fresh.Get(view, encoding))->LogProbability(points, &expected, nullptr);
    for (int repetition = 0; repetition < 2; ++repetition) {
      Eigen::VectorXd logs;
      (*grown.Get(view, encoding))->LogProbability(points, &logs, nullptr);
      EXPECT_EQ(logs, expected) << n;
    }
  }
}

class FeasibleAcquisitionTest : public testing::Test {
 protected:
  FeasibleAcquisitionTest() {
    view_ = HalfOfItFails(30);
    feasibility_ = *history_.Get(view_, encoding_);
    feasibility_->LogProbability(points_, &logs_, nullptr);
  }

  StudyView view_;
  const std::vector<ParameterSpec> space_ = UnitCubeSpace(2);
  const SearchSpaceEncoding encoding_{space_};
  FeasibilityCache history_;
  const FeasibilityModel* feasibility_ = nullptr;
  const RegressionData data_ = RandomRegression(25, 2, 6);
  const GaussianProcess gp_ =
      *GaussianProcess::Create(data_, RandomHyperparameters(data_, 2));
  const Eigen::MatrixXd points_ = RandomRegression(20, 2, 9).inputs;
  Eigen::VectorXd logs_;
  Eigen::VectorXd base_;
  Eigen::VectorXd values_;
};

TEST_F(FeasibleAcquisitionTest, WeighsAGainByTheSquaredProbability) {
  const LogEiAcquisition gain(gp_);
  const WeightedLogGain feasible(gain, LogWeightOf(*feasibility_),
                                 kUsualCaution);
  gain.Evaluate(points_, &base_, nullptr);
  feasible.Evaluate(points_, &values_, nullptr);
  for (Eigen::Index i = 0; i < points_.rows(); ++i) {
    EXPECT_DOUBLE_EQ(values_[i], base_[i] + 2 * logs_[i]);
  }
  ExpectGradients(feasible, points_);
}

TEST_F(FeasibleAcquisitionTest, MoreCautionWeighsMore) {
  const LogEiAcquisition gain(gp_);
  const WeightedLogGain feasible(gain, LogWeightOf(*feasibility_), 8);
  gain.Evaluate(points_, &base_, nullptr);
  feasible.Evaluate(points_, &values_, nullptr);
  EXPECT_TRUE(values_.isApprox(base_ + 8 * logs_));
  ExpectGradients(feasible, points_);
  const UpperConfidenceBound bound(gp_, 1.0);
  ExpectGradients(WeightedBound(bound, LogWeightOf(*feasibility_), -2, 8),
                  points_);
}

TEST_F(FeasibleAcquisitionTest, ComesDownToTheWorstWhereTrialsFail) {
  const UpperConfidenceBound bound(gp_, 1.0);
  const WeightedBound feasible(bound, LogWeightOf(*feasibility_), -2,
                               kUsualCaution);
  bound.Evaluate(points_, &base_, nullptr);
  feasible.Evaluate(points_, &values_, nullptr);
  for (Eigen::Index i = 0; i < points_.rows(); ++i) {
    const double weight = std::exp(2 * logs_[i]);
    EXPECT_NEAR(values_[i], weight * base_[i] - 2 * (1 - weight), 1e-12);
  }
  ExpectGradients(feasible, points_);
}

// A loss is often best just before training diverges. Where failures counted
// as bad results only, the search kept away from them.
TEST(FailureTest, ABestBesideFailuresIsFound) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const StudyView view =
        RunStudy(GaussianProcessSuggester(), View(UnitCubeSpace(2), seed), 40,
                 [](const Parameters& p) -> std::optional<double> {
                   if (NumberOf(p, 0) > 0.7) return std::nullopt;
                   return NumberOf(p, 0) - std::pow(NumberOf(p, 1) - 0.3, 2);
                 });
    double best = 0;
    for (const Observation& trial : view.completed) {
      best = std::max(best, trial.objective.value_or(0));
    }
    EXPECT_GT(best, 0.695) << seed;
  }
}

TEST(FailureTest, ASuggestionSaysHowProbableASuccessIs) {
  for (const double border : {0.7, 2.0}) {
    const StudyView view =
        RunStudy(GaussianProcessSuggester(), View(UnitCubeSpace(2), 1), 25,
                 [border](const Parameters& p) -> std::optional<double> {
                   if (NumberOf(p, 0) > border) return std::nullopt;
                   return NumberOf(p, 1);
                 });
    const auto next = GaussianProcessSuggester().Suggest(view, 1);
    ASSERT_TRUE(next.ok()) << next.status();
    const std::optional<double> success =
        next->front().record.success_probability;
    ASSERT_EQ(success.has_value(), border < 1);
    if (!success.has_value()) continue;
    EXPECT_GT(*success, 0.5) << "at " << NumberOf(next->front().parameters, 0);
    EXPECT_LE(*success, 1);
  }
}

// The best is beside the border. Where the square of the probability alone
// counted, more than half of the trials failed.
TEST(FailureTest, FewTrialsFailBesideTheBorder) {
  int failures = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const StudyView view =
        RunStudy(GaussianProcessSuggester(), View(UnitCubeSpace(3), seed), 60,
                 [](const Parameters& p) -> std::optional<double> {
                   const double size = NumberOf(p, 0) + NumberOf(p, 1);
                   if (size > 1.1) return std::nullopt;
                   return size - std::pow(NumberOf(p, 2) - 0.3, 2);
                 });
    failures += static_cast<int>(
        std::count_if(view.completed.begin() + 10, view.completed.end(),
                      [](const auto& trial) { return !trial.objective; }));
  }
  EXPECT_LT(failures, 45) << "three tenths of 150";
}

// Nothing draws the search to what fails here: a third of the space.
TEST(FailureTest, FewTrialsFailWhereNothingIsToBeFound) {
  const StudyView view =
      RunStudy(GaussianProcessSuggester(), View(UnitCubeSpace(2), 5), 60,
               [](const Parameters& p) -> std::optional<double> {
                 const double x = NumberOf(p, 0);
                 const double y = NumberOf(p, 1);
                 if (x + y > 1.2) return std::nullopt;
                 return -std::pow(x - 0.2, 2) - std::pow(y - 0.4, 2) -
                        0.05 * std::sin(20 * x) * std::sin(15 * y);
               });
  const auto late_failures =
      std::count_if(view.completed.begin() + 10, view.completed.end(),
                    [](const auto& trial) { return !trial.objective; });
  EXPECT_LT(late_failures, 5) << "a tenth of 50";
}

// Equal values, such as an accuracy at chance, say nothing about places. Where
// failures counted as bad values beside them, the search stayed where it had
// lived, and did not find the small part in which training works.
TEST(FailureTest, EqualSuccessesAreNoReasonToStay) {
  int failures = 0;
  int trials = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    StudyView view = View(UnitCubeSpace(2), seed);
    bool is_found = false;
    for (int i = 0; i < 60 && !is_found; ++i) {
      const auto points = PointsOf(GaussianProcessSuggester().Suggest(view, 1));
      ASSERT_TRUE(points.ok()) << points.status();
      const double x = NumberOf(points->front(), 0);
      const double y = NumberOf(points->front(), 1);
      is_found = std::abs(x - 0.2) < 0.1 && std::abs(y - 0.85) < 0.1;
      const bool fails = x > 0.5;
      Complete(&view, points->front(),
               fails ? std::nullopt : std::optional<double>(0.1));
      failures += fails;
      ++trials;
    }
    EXPECT_TRUE(is_found) << seed;
  }
  EXPECT_LT(failures, trials / 3) << "half of the space fails";
}

// Workers side by side keep away from failures, too.
TEST(FailureTest, PendingTrialsKeepAwayFromFailures) {
  StudyView view = HalfOfItFails(40);
  const auto points = PointsOf(GaussianProcessSuggester().Suggest(view, 6));
  ASSERT_TRUE(points.ok()) << points.status();
  const auto failing =
      std::count_if(points->begin(), points->end(),
                    [](const auto& p) { return NumberOf(p, 0) > 0.65; });
  EXPECT_LE(failing, 1);
}

}  // namespace
}  // namespace vernier
