#include "suggest/algorithms/repeating_suggester.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>

#include "suggest/suggester_factory.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

Parameters At(double x) { return {{"x0", x}}; }

StudyView RepeatingView(Repeats repeats, std::vector<ParameterSpec> space = {
                                             DoubleParameter("x0", 0, 1)}) {
  StudyView view;
  view.space = std::move(space);
  view.seed = 4;
  view.repeats = repeats;
  return view;
}

void End(StudyView* view, const Parameters& parameters,
         std::optional<double> value) {
  Observation observation;
  observation.parameters = parameters;
  observation.objective = value;
  observation.trial = ++view->trials_created;
  view->completed.push_back(std::move(observation));
}

std::optional<Suggestion> Next(const StudyView& view) {
  const PointTable points = PointsOf(view);
  return NextRepeat(points, RunningAt(points, view.pending),
                    view.repeats.trials);
}

constexpr Repeats kThree{RepeatPolicy::kFixed, 3};
constexpr Repeats kAuto{RepeatPolicy::kAuto, kMostAutoRepeats};

TEST(NextRepeatTest, EachPointIsTriedAsOften) {
  StudyView view = RepeatingView(kThree);
  EXPECT_EQ(Next(view), std::nullopt);
  End(&view, At(0.5), 1);
  for (const int number : {2, 3}) {
    const auto repeat = Next(view);
    ASSERT_TRUE(repeat.has_value());
    EXPECT_EQ(repeat->parameters, At(0.5));
    EXPECT_EQ(repeat->record.repeat, (PointRepeat{1, number, 3}));
    End(&view, At(0.5), number);
  }
  EXPECT_EQ(Next(view), std::nullopt);
}

TEST(NextRepeatTest, APointThatIsWorseBeyondDoubtIsNotRepeated) {
  StudyView view = RepeatingView(kThree);
  for (const double value : {10.0, 10.1, 9.9}) End(&view, At(0.5), value);
  End(&view, At(0.1), 9.8);
  ASSERT_TRUE(Next(view).has_value()) << "by noise it may be as good";
  EXPECT_EQ(Next(view)->parameters, At(0.1));
  End(&view, At(0.1), 9.7);
  End(&view, At(0.1), 9.9);
  End(&view, At(0.9), 5);
  EXPECT_EQ(Next(view), std::nullopt);
}

TEST(NextRepeatTest, TheMostPromisingPointComesFirst) {
  StudyView view = RepeatingView(kThree);
  End(&view, At(0.1), 1);
  End(&view, At(0.2), 3);
  End(&view, At(0.3), 2);
  EXPECT_EQ(Next(view)->parameters, At(0.2));
  view.goal = Goal::kMinimize;
  EXPECT_EQ(Next(view)->parameters, At(0.1));
}

TEST(NextRepeatTest, RunningTrialsCountAndFailedPointsAreLeft) {
  StudyView view = RepeatingView(kThree);
  End(&view, At(0.5), 1);
  view.pending = {At(0.5)};
  EXPECT_EQ(Next(view)->record.repeat, (PointRepeat{1, 3, 3}));
  view.pending.push_back(At(0.5));
  EXPECT_EQ(Next(view), std::nullopt);
  view.pending.clear();
  End(&view, At(0.5), std::nullopt);
  EXPECT_EQ(Next(view), std::nullopt) << "it failed once";
}

TEST(NextRepeatTest, AStoppedTrainingAndAnEarlierStudyAreNotRepeated) {
  StudyView view = RepeatingView(kThree);
  End(&view, At(0.5), 1);
  view.completed.back().is_stopped_early = true;
  End(&view, At(0.2), 1);
  view.completed.back().trial = 0;
  EXPECT_EQ(Next(view), std::nullopt);
}

TEST(RepeatingSuggesterTest, NoWorkerWaitsForTheFirstResults) {
  for (const Algorithm algorithm :
       {Algorithm::kDefault, Algorithm::kRandomSearch,
        Algorithm::kQuasiRandomSearch}) {
    const auto suggester = MakeSuggester(algorithm);
    StudyView view = RepeatingView(kThree);
    End(&view, At(0.5), 1);
    view.pending = {At(0.25)};
    view.trials_created = 2;
    const auto points = suggester->Suggest(view, 4);
    ASSERT_TRUE(points.ok()) << points.status();
    ASSERT_EQ(points->size(), 4u);
    EXPECT_EQ((*points)[0].parameters, At(0.5));
    EXPECT_EQ((*points)[1].parameters, At(0.5));
    EXPECT_EQ((*points)[1].record.repeat, (PointRepeat{1, 3, 3}));
    EXPECT_EQ((*points)[1].record.num_pending, 2);
    for (const std::size_t k : {2u, 3u}) {
      EXPECT_NE((*points)[k].record.method, SuggestionMethod::kRepeat);
      EXPECT_NE((*points)[k].parameters, At(0.25));
    }
    EXPECT_NE((*points)[2].parameters, (*points)[3].parameters);
  }
}

TEST(RepeatingSuggesterTest, ABatchGivesThePointsOfSingleCalls) {
  for (const Repeats& repeats : {kThree, kAuto}) {
    StudyView view = RepeatingView(repeats);
    std::mt19937_64 rng(3);
    std::normal_distribution<double> noise(0, 0.3);
    for (int i = 0; i < 12; ++i) {
      const double x = std::fmod(0.37 * i, 1.0);
      End(&view, At(x), -(x - 0.4) * (x - 0.4) + noise(rng));
    }
    const auto suggester = MakeSuggester(Algorithm::kDefault);
    const auto batch = suggester->Suggest(view, 3);
    ASSERT_TRUE(batch.ok()) << batch.status();
    for (const Suggestion& expected : *batch) {
      const auto single = suggester->Suggest(view, 1);
      ASSERT_TRUE(single.ok());
      EXPECT_EQ(single->front().parameters, expected.parameters);
      EXPECT_EQ(single->front().record.repeat, expected.record.repeat);
      view.pending.push_back(expected.parameters);
      ++view.trials_created;
    }
  }
}

TEST(RepeatingSuggesterTest, ASequenceLeavesNoPointOutForRepeats) {
  const auto suggester = MakeSuggester(Algorithm::kQuasiRandomSearch);
  std::vector<Parameters> plain;
  StudyView view = RepeatingView({});
  for (int i = 0; i < 3; ++i) {
    plain.push_back(suggester->Suggest(view, 1)->front().parameters);
    End(&view, plain.back(), 1);
  }
  std::vector<Parameters> repeated;
  view = RepeatingView(kThree);
  for (int i = 0; i < 9; ++i) {
    const Suggestion next = suggester->Suggest(view, 1)->front();
    if (!next.record.repeat.has_value()) repeated.push_back(next.parameters);
    End(&view, next.parameters, 1);
  }
  EXPECT_EQ(repeated, plain);
}

TEST(RepeatingSuggesterTest, AGridEndsWhenEachOfItsPointsIsRepeated) {
  const auto suggester = MakeSuggester(Algorithm::kGridSearch);
  StudyView view = RepeatingView(kThree, {IntegerParameter("x0", 1, 2)});
  std::map<std::string, int> tried;
  while (view.trials_created < 10) {
    const auto points = suggester->Suggest(view, 1);
    if (!points.ok()) {
      EXPECT_TRUE(absl::IsResourceExhausted(points.status()));
      break;
    }
    ++tried[ParametersToJson(points->front().parameters)];
    End(&view, points->front().parameters,
        0.1 * static_cast<double>(view.trials_created % 3));
  }
  EXPECT_EQ(view.trials_created, 6);
  for (const auto& [point, times] : tried) EXPECT_EQ(times, 3) << point;
}

TEST(RepeatingSuggesterTest, OtherStudiesAreAsTheyWere) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  StudyView view = RepeatingView({});
  for (int i = 0; i < 10; ++i) {
    End(&view, At(std::fmod(0.37 * i, 1.0)), std::sin(i));
  }
  const auto points = suggester->Suggest(view, 2);
  ASSERT_TRUE(points.ok());
  for (const Suggestion& point : *points) {
    EXPECT_NE(point.record.method, SuggestionMethod::kRepeat);
  }
}

// Runs a study of a bowl with noise and returns how often its engine repeated.
int RepeatsOf(const StudyView& empty, int trials, double noise) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  StudyView view = empty;
  std::mt19937_64 rng(11);
  std::normal_distribution<double> normal(0, 1);
  int repeats = 0;
  std::map<std::string, int> tried;
  for (int i = 0; i < trials; ++i) {
    const auto next = suggester->Suggest(view, 1);
    if (!next.ok()) break;
    const Parameters& point = next->front().parameters;
    repeats += next->front().record.method == SuggestionMethod::kRepeat;
    EXPECT_LE(++tried[ParametersToJson(point)], empty.repeats.trials);
    double value = 0;
    for (std::size_t k = 0; k < point.size(); ++k) {
      value -= std::pow(NumberOf(point, k) - 0.4, 2);
    }
    End(&view, point, value + noise * normal(rng));
  }
  return repeats;
}

TEST(AutoRepeatTest, RepeatsUnderNoiseAndNotWithout) {
  const StudyView view = RepeatingView(
      kAuto, {DoubleParameter("x0", 0, 1), DoubleParameter("x1", 0, 1)});
  EXPECT_GT(RepeatsOf(view, 40, 0.1), 0);
  EXPECT_EQ(RepeatsOf(view, 40, 0), 0);
}

TEST(AutoRepeatTest, RepeatsWhereAFiniteSpaceIsUsedUp) {
  const StudyView view = RepeatingView(kAuto, {IntegerParameter("x0", 0, 5)});
  EXPECT_GT(RepeatsOf(view, 20, 3), 5);
}

TEST(BestObservedTest, WithRepeatsItIsThePointWithTheBestMean) {
  StudyView view = RepeatingView(kThree);
  End(&view, At(0.1), 3);
  End(&view, At(0.5), 2.5);
  End(&view, At(0.5), 2.6);
  End(&view, At(0.1), 1);
  EXPECT_EQ(BestObserved(view)->completed, 1u);
  view.repeats = {};
  EXPECT_EQ(BestObserved(view)->completed, 0u);
}

}  // namespace
}  // namespace vernier
