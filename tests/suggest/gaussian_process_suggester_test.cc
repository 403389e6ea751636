#include "suggest/algorithms/gaussian_process_suggester.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "suggest/algorithms/random_search_suggester.h"
#include "suggest/gp/training_data.h"
#include "suggest/space/space_membership.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

StudyView View(std::vector<ParameterSpec> space, std::uint64_t seed = 3) {
  StudyView view;
  view.space = std::move(space);
  view.seed = seed;
  return view;
}

// Random points with the given objectives.
StudyView WithHistory(StudyView view, int n, double (*objective)(int)) {
  for (int i = 0; i < n; ++i) {
    const auto point = PointsOf(RandomSearchSuggester().Suggest(view, 1));
    Complete(&view, point->front(), objective(i));
  }
  return view;
}

void ExpectFittingPoints(const StudyView& view, int count) {
  const auto points = PointsOf(GaussianProcessSuggester().Suggest(view, count));
  ASSERT_TRUE(points.ok()) << points.status();
  EXPECT_EQ(points->size(), static_cast<std::size_t>(count));
  std::set<std::string> distinct;
  for (const Parameters& point : *points) {
    EXPECT_TRUE(CheckFitsSpace(view.space, point).ok());
    distinct.insert(ParametersToJson(point));
  }
  EXPECT_EQ(distinct.size(), points->size());
}

TEST(GaussianProcessSuggesterTest, StartsAtTheCentre) {
  const StudyView view = View(UnitCubeSpace(2));
  const auto points = PointsOf(GaussianProcessSuggester().Suggest(view, 2));
  ASSERT_TRUE(points.ok());
  EXPECT_EQ(NumberOf(points->at(0), 0), 0.5);
  EXPECT_NE(NumberOf(points->at(1), 0), 0.5);
}

TEST(GaussianProcessSuggesterTest, AResumedStudyGoesStraightToTheModel) {
  StudyView view = View(UnitCubeSpace(1));
  for (int i = 0; i <= 10; ++i) {
    const double x = i / 10.0;
    view.completed.push_back({{{"x0", x}}, -std::pow(x - 0.33, 2)});
  }
  const auto points = PointsOf(GaussianProcessSuggester().Suggest(view, 1));
  ASSERT_TRUE(points.ok());
  EXPECT_NEAR(NumberOf(points->front(), 0), 0.33, 0.03);
}

TEST(GaussianProcessSuggesterTest, MinimisesWhenAskedTo) {
  StudyView view = View(UnitCubeSpace(1));
  view.goal = Goal::kMinimize;
  for (int i = 0; i <= 10; ++i) {
    const double x = i / 10.0;
    view.completed.push_back({{{"x0", x}}, std::pow(x - 0.72, 2)});
  }
  const auto points = PointsOf(GaussianProcessSuggester().Suggest(view, 1));
  ASSERT_TRUE(points.ok());
  EXPECT_NEAR(NumberOf(points->front(), 0), 0.72, 0.03);
}

TEST(GaussianProcessSuggesterTest, GroupingChangesNoBitOfAContinuousPoint) {
  StudyView view = View(UnitCubeSpace(3));
  view = RunStudy(GaussianProcessSuggester(), view, 12, [](const auto& p) {
    return std::sin(5 * NumberOf(p, 0)) + NumberOf(p, 1) * NumberOf(p, 2);
  });
  const auto together = PointsOf(GaussianProcessSuggester().Suggest(view, 4));
  ASSERT_TRUE(together.ok());
  for (std::size_t k = 0; k < 4; ++k) {
    const auto single = PointsOf(GaussianProcessSuggester().Suggest(view, 1));
    ASSERT_TRUE(single.ok());
    EXPECT_EQ(single->front(), (*together)[k]) << k;
    view.pending.push_back(single->front());
    ++view.trials_created;
  }
}

TEST(GaussianProcessSuggesterTest, GroupingHoldsAlsoBeyondThePendingCap) {
  StudyView view = View(UnitCubeSpace(2));
  view = WithHistory(view, 12, [](int i) { return std::sin(i); });
  view.pending = *PointsOf(RandomSearchSuggester().Suggest(view, 255));
  view.trials_created += 255;
  const auto together = PointsOf(GaussianProcessSuggester().Suggest(view, 3));
  ASSERT_TRUE(together.ok());
  for (std::size_t k = 0; k < 3; ++k) {
    const auto single = PointsOf(GaussianProcessSuggester().Suggest(view, 1));
    EXPECT_EQ(single->front(), (*together)[k]) << k;
    view.pending.push_back(single->front());
    ++view.trials_created;
  }
}

TEST(GaussianProcessSuggesterTest, ParallelPointsKeepApart) {
  StudyView view = View(UnitCubeSpace(2));
  view = WithHistory(view, 15, [](int i) { return std::cos(3.0 * i); });
  const auto points = PointsOf(GaussianProcessSuggester().Suggest(view, 8));
  ASSERT_TRUE(points.ok());
  for (std::size_t a = 0; a < 8; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double gap =
          std::hypot(NumberOf(points->at(a), 0) - NumberOf(points->at(b), 0),
                     NumberOf(points->at(a), 1) - NumberOf(points->at(b), 1));
      EXPECT_GT(gap, 0.001) << a << " " << b;
    }
  }
}

TEST(GaussianProcessSuggesterTest, EveryFifthIsFarFromFailuresWhenAllFailed) {
  StudyView view = View(UnitCubeSpace(2));
  view = RunStudy(GaussianProcessSuggester(), view, 20,
                  [](const auto&) { return std::optional<double>(); });
  ASSERT_EQ(view.completed.size(), 20u);
  for (std::size_t a = 4; a < 20; a += 5) {
    for (std::size_t b = 0; b < a; ++b) {
      const auto& p = view.completed[a].parameters;
      const auto& q = view.completed[b].parameters;
      EXPECT_GT(std::max(std::abs(NumberOf(p, 0) - NumberOf(q, 0)),
                         std::abs(NumberOf(p, 1) - NumberOf(q, 1))),
                0.15);
    }
  }
}

// Runs trials, all of which fail, until one is in the strip of this width in
// one parameter; returns how many there were.
int TrialsToStrip(int d, std::size_t parameter, double low, double width) {
  StudyView view = View(UnitCubeSpace(d));
  const GaussianProcessSuggester suggester;
  for (int i = 1; i <= 60; ++i) {
    const auto points = PointsOf(suggester.Suggest(view, 1));
    if (!points.ok()) break;
    const double x = NumberOf(points->front(), parameter);
    if (x >= low && x <= low + width) return i;
    Complete(&view, points->front(), std::nullopt);
  }
  return 61;
}

// The places farthest from all failures are corners and edges, where a search
// that knew nothing but distances stayed.
TEST(GaussianProcessSuggesterTest, FindsWhatLivesBetweenTheCorners) {
  for (const int d : {2, 5, 10}) {
    for (const double low : {0.1, 0.3, 0.6, 0.75}) {
      EXPECT_LE(TrialsToStrip(d, 1, low, 0.12), 30) << d << " " << low;
    }
  }
}

TEST(GaussianProcessSuggesterTest, FindsWhatLivesAtAnEdgeSoon) {
  for (const double low : {0.0, 0.96}) {
    EXPECT_LE(TrialsToStrip(5, 3, low, 0.04), 15) << low;
  }
}

TEST(GaussianProcessSuggesterTest, LearnsToAvoidAnInfeasibleRegion) {
  std::vector<double> best_of_seeds;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    // The objective rises towards a corner that fails.
    const StudyView view =
        RunStudy(GaussianProcessSuggester(), View(UnitCubeSpace(2), seed), 30,
                 [](const Parameters& p) -> std::optional<double> {
                   const double x = NumberOf(p, 0);
                   if (x > 0.7) return std::nullopt;
                   return x + 0.1 * NumberOf(p, 1);
                 });
    ASSERT_EQ(view.completed.size(), 30u);
    int late_failures = 0;
    double best = 0;
    for (std::size_t i = 0; i < 30; ++i) {
      const auto& objective = view.completed[i].objective;
      if (i >= 15 && !objective.has_value()) ++late_failures;
      best = std::max(best, objective.value_or(0));
    }
    // The best lies on the very edge, and half of what is tried there fails.
    EXPECT_LE(late_failures, 8) << seed;
    best_of_seeds.push_back(best);
  }
  std::sort(best_of_seeds.begin(), best_of_seeds.end());
  EXPECT_GT(best_of_seeds[2], 0.78) << "of 0.8";
}

TEST(GaussianProcessSuggesterTest, ConstantObjectiveKeepsExploring) {
  StudyView view = View(UnitCubeSpace(2));
  view = RunStudy(GaussianProcessSuggester(), view, 60,
                  [](const auto&) { return 0.25; });
  std::set<std::string> distinct;
  for (const auto& observation : view.completed) {
    distinct.insert(ParametersToJson(observation.parameters));
  }
  EXPECT_EQ(distinct.size(), 60u);
}

TEST(GaussianProcessSuggesterTest, WorksWithOneResultAndManyPending) {
  StudyView view = View(UnitCubeSpace(2));
  view = WithHistory(view, 1, [](int) { return 1.0; });
  view.pending = *PointsOf(RandomSearchSuggester().Suggest(view, 20));
  view.trials_created += 20;
  ExpectFittingPoints(view, 2);
}

TEST(GaussianProcessSuggesterTest, WorksAtTheEdgesOfNumbers) {
  double (*const objectives[])(int) = {
      [](int i) { return (i % 2 == 0 ? 1e300 : -1e300) / (i + 1); },
      [](int i) { return i == 3 ? -1.7e308 : 1e-300 * i; },
      [](int i) { return i < 11 ? 1.0 : 2.0; },
      [](int i) { return 5e-324 * i; }};
  const double huge = 9007199254740992.0;
  std::vector<double> thousand;
  for (int i = 0; i < 1000; ++i) thousand.push_back(std::sqrt(i));
  const std::vector<std::vector<ParameterSpec>> spaces = {
      {DoubleParameter("x", -1e308, 1e308), IntegerParameter("n", -huge, huge)},
      {DoubleParameter("x", 1e-12, 1, ScaleType::kLog),
       IntegerParameter("n", 1, 4294967296.0 * 16, ScaleType::kLog)},
      {DiscreteParameter("d", thousand), CategoricalParameter("one", 1),
       DoubleParameter("fixed", 3, 3), CategoricalParameter("c", 50)},
      {DoubleParameter("x", 1, std::nextafter(1.0, 2.0)),
       DoubleParameter("y", 0.5, 0.9, ScaleType::kReverseLog)}};
  for (const auto& space : spaces) {
    for (const auto objective : objectives) {
      ExpectFittingPoints(WithHistory(View(space), 12, objective), 2);
    }
  }
}

TEST(GaussianProcessSuggesterTest, CopesWithRepetitionsOfOnePoint) {
  StudyView view = View(UnitCubeSpace(1));
  for (int i = 0; i < 50; ++i) {
    Complete(&view, {{"x0", 0.5}}, std::sin(i));
  }
  ExpectFittingPoints(view, 2);
  Complete(&view, {{"x0", 0.25}}, 3.0);
  ExpectFittingPoints(view, 2);
}

TEST(GaussianProcessSuggesterTest, FindsTheOptimumOfASmallGridQuickly) {
  StudyView view =
      View({IntegerParameter("a", 0, 4), IntegerParameter("b", 0, 4),
            IntegerParameter("c", 0, 4), IntegerParameter("d", 0, 4)});
  view = RunStudy(GaussianProcessSuggester(), view, 25, [](const auto& p) {
    double sum = 0;
    const double top[] = {1, 3, 4, 2};
    for (std::size_t i = 0; i < 4; ++i) {
      sum -= std::pow(NumberOf(p, i) - top[i], 2);
    }
    return sum;
  });
  double best = -100;
  for (const auto& observation : view.completed) {
    best = std::max(best, *observation.objective);
  }
  EXPECT_EQ(best, 0);
}

TEST(GaussianProcessSuggesterTest, StaysUsableWithManyTrials) {
  StudyView view = View(UnitCubeSpace(4));
  view = WithHistory(view, 700, [](int i) { return std::sin(0.1 * i); });
  ExpectFittingPoints(view, 1);
}

// A valley, and beyond 0.6 a place that nobody has seen: the valley is likely
// to bring an improvement, and the other place seldom, but then more.
StudyView ViewOfAValley(double stopped_part) {
  StudyView view = View(UnitCubeSpace(1));
  for (int i = 0; i <= 6; ++i) {
    const double x = i / 10.0;
    Complete(&view, {{"x0", x}}, -std::pow(x - 0.21, 2));
  }
  view.stopped_part = stopped_part;
  return view;
}

TEST(GaussianProcessSuggesterTest, LooksAroundWhereLosersAreStopped) {
  const auto dear = GaussianProcessSuggester().Suggest(ViewOfAValley(1), 1);
  ASSERT_TRUE(dear.ok());
  EXPECT_FALSE(dear->front().record.stopped_part.has_value());
  EXPECT_NEAR(NumberOf(dear->front().parameters, 0), 0.21, 0.1);
  const auto cheap = GaussianProcessSuggester().Suggest(ViewOfAValley(0.01), 1);
  ASSERT_TRUE(cheap.ok());
  EXPECT_EQ(cheap->front().record.stopped_part, 0.01);
  EXPECT_GT(NumberOf(cheap->front().parameters, 0), 0.6);
}

TEST(GaussianProcessSuggesterTest, OneOfThreeBesidePendingOnesIsByTheTraining) {
  StudyView view = ViewOfAValley(0.1);
  view.pending.push_back({{"x0", 0.9}});
  ++view.trials_created;
  const auto suggestions = GaussianProcessSuggester().Suggest(view, 6);
  ASSERT_TRUE(suggestions.ok());
  for (std::size_t i = 0; i < suggestions->size(); ++i) {
    const SuggestionRecord& record = (*suggestions)[i].record;
    const bool by_training =
        (view.trials_created + static_cast<std::int64_t>(i) + 1) % 3 == 0;
    EXPECT_EQ(record.method == SuggestionMethod::kConfidenceBound, !by_training)
        << i;
    EXPECT_EQ(record.stopped_part.has_value(), by_training);
  }
}

// Bad values that lie close together are far apart as targets. What an
// estimate's error may win is not.
TEST(TrainingDataTest, AnEstimateIsAsFarFromTheBestAsItsErrorSays) {
  StudyView view = View(UnitCubeSpace(1));
  for (int i = 0; i < 8; ++i) {
    Complete(&view, {{"x0", i / 10.0}}, i == 0 ? 1.0 : -1 - 1e-3 * i);
  }
  Complete(&view, {{"x0", 0.95}}, -1.0035);
  view.completed.back().is_stopped_early = true;
  view.completed.back().estimate = FinalEstimate{-1.0035, 0.04, {0.3}};
  const SearchSpaceEncoding encoding(view.space);
  const TrainingData data =
      MakeTrainingData(view, encoding, view.completed.size());
  ASSERT_EQ(data.estimated, (std::vector<Eigen::Index>{8}));
  const double distance =
      data.regression.targets[0] - data.regression.targets[8];
  EXPECT_NEAR(std::sqrt(data.regression.known_noise[8]),
              0.2 / 2.0035 * distance, 1e-9);
  EXPECT_NEAR(data.regression.shared_noise(8, 0), 0.3 / 2.0035 * distance,
              1e-9);
}

TEST(TrainingDataTest, MergesRepetitionsByTheirMedian) {
  StudyView view = View(UnitCubeSpace(1));
  const Parameters a = {{"x0", 0.25}};
  const Parameters b = {{"x0", 0.75}};
  Complete(&view, a, 1);
  Complete(&view, b, std::nullopt);
  Complete(&view, a, 100);
  Complete(&view, a, 3);
  Complete(&view, a, std::nullopt);
  Complete(&view, {{"x0", 0.5}}, 4);
  const SearchSpaceEncoding encoding(view.space);
  const TrainingData data =
      MakeTrainingData(view, encoding, view.completed.size());
  ASSERT_EQ(data.regression.inputs.rows(), 3);
  EXPECT_EQ(data.regression.inputs(0, 0), 0.25);
  EXPECT_DOUBLE_EQ(data.regression.noise_scale[0], 1.0 / 3);
  EXPECT_EQ(data.regression.noise_scale[1], 1);
  // Median 3 < 4; the infeasible one is lowest.
  EXPECT_LT(data.regression.targets[0], data.regression.targets[2]);
  EXPECT_LT(data.regression.targets[1], data.regression.targets[0]);
}

// What was stopped where another trial came to its end measures nothing.
TEST(TrainingDataTest, OnlyMeasuredValuesMakeAPointSure) {
  StudyView view =
      WithHistory(View(UnitCubeSpace(1)), 8, [](int i) { return 1.0 + i; });
  const Parameters a = {{"x0", 0.25}};
  const Parameters b = {{"x0", 0.75}};
  Complete(&view, a, 1);
  for (const Parameters& point : {a, a, a, b, b}) {
    Complete(&view, point, 0.5);
    view.completed.back().is_stopped_early = true;
  }
  const SearchSpaceEncoding encoding(view.space);
  const TrainingData data =
      MakeTrainingData(view, encoding, view.completed.size());
  ASSERT_EQ(data.regression.inputs.rows(), 10);
  ASSERT_EQ(data.censored, (std::vector<Eigen::Index>{9}));
  EXPECT_EQ(data.regression.noise_scale[8], 1);
  EXPECT_EQ(data.regression.noise_scale[9], 0.5);
}

TEST(TrainingDataTest, SubsetHoldsTheBestAndSpreadsOut) {
  RegressionData data;
  data.inputs.resize(200, 1);
  data.targets.resize(200);
  data.noise_scale = Eigen::VectorXd::Ones(200);
  for (int i = 0; i < 200; ++i) {
    data.inputs(i, 0) = i / 199.0;
    data.targets[i] = -std::abs(i - 40.0);
  }
  const std::vector<Eigen::Index> rows = ChooseSubset(data, 20);
  ASSERT_EQ(rows.size(), 20u);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(std::set<Eigen::Index>(rows.begin(), rows.end()).size(), 20u);
  EXPECT_TRUE(std::count(rows.begin(), rows.end(), 40));
  EXPECT_TRUE(std::count(rows.begin(), rows.end(), 199));
  EXPECT_EQ(ChooseSubset(data, 300).size(), 200u);
}

}  // namespace
}  // namespace vernier
