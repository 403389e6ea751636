// What users believe about the best values draws the first trials, and no more
// than that.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "suggest/algorithms/gaussian_process_suggester.h"
#include "suggest/suggester_factory.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

// A valley with its optimum, 0, at (0.8, 0.3).
double Valley(const Parameters& parameters) {
  return -std::pow(NumberOf(parameters, 0) - 0.8, 2) -
         4 * std::pow(NumberOf(parameters, 1) - 0.3, 2);
}

StudyView BelievingView(double x, double y) {
  StudyView view;
  view.space = {DoubleParameter("x", 0, 1), DoubleParameter("y", 0, 1)};
  view.seed = 7;
  view.beliefs = {{"x", x, BeliefWidth{0.1, false}},
                  {"y", y, BeliefWidth{0.1, false}}};
  return view;
}

Suggestion NextOf(const StudyView& view) {
  const auto found = GaussianProcessSuggester().Suggest(view, 1);
  EXPECT_TRUE(found.ok()) << found.status();
  return found->front();
}

double HighestOf(const StudyView& view) {
  double best = -1e9;
  for (const Observation& each : view.completed) {
    best = std::max(best, *each.objective);
  }
  return best;
}

TEST(BeliefsTest, TheFirstTrialIsTheBelievedPoint) {
  StudyView view = BelievingView(0.75, 0.2);
  const Suggestion first = NextOf(view);
  EXPECT_EQ(NumberOf(first.parameters, 0), 0.75);
  EXPECT_EQ(NumberOf(first.parameters, 1), 0.2);
  EXPECT_TRUE(first.record.follows_beliefs);
  view.beliefs.pop_back();
  EXPECT_EQ(NumberOf(NextOf(view).parameters, 1), 0.5);
}

TEST(BeliefsTest, EverySecondPointOfTheDesignLiesAroundIt) {
  StudyView view = BelievingView(0.9, 0.1);
  StudyView without = view;
  without.beliefs.clear();
  for (int trial = 1; trial <= 4; ++trial) {
    const Suggestion next = NextOf(view);
    EXPECT_EQ(next.record.follows_beliefs, trial % 2 == 1) << trial;
    if (trial % 2 == 1) {
      EXPECT_GT(NumberOf(next.parameters, 0), 0.4);
      EXPECT_LT(NumberOf(next.parameters, 1), 0.6);
    } else if (trial == 2) {
      EXPECT_EQ(next.record.method, SuggestionMethod::kDefaults);
      EXPECT_EQ(NumberOf(next.parameters, 0), 0.5);
      EXPECT_EQ(NumberOf(next.parameters, 1), 0.5);
    } else {
      EXPECT_EQ(next.parameters, NextOf(without).parameters);
    }
    for (StudyView* const each : {&view, &without}) {
      each->pending.push_back(next.parameters);
      ++each->trials_created;
    }
  }
}

TEST(BeliefsTest, ABelievedCategoryIsTriedMoreOften) {
  StudyView view;
  view.space = {CategoricalParameter("method", 8), DoubleParameter("x", 0, 1)};
  view.beliefs = {{"method", "c5", std::nullopt}};
  view.pending = {{{"method", Text("c0")}, {"x", 0.5}}};
  view.trials_created = 2;
  int believed = 0;
  for (view.seed = 1; view.seed <= 20; ++view.seed) {
    const Parameters point = NextOf(view).parameters;
    believed += std::get<std::string>(point[0].value) == "c5" ? 1 : 0;
  }
  EXPECT_GE(believed, 6);
  EXPECT_LE(believed, 18);
}

TEST(BeliefsTest, TheModelKeepsNearItAtFirst) {
  const GaussianProcessSuggester suggester;
  const StudyView view =
      RunStudy(suggester, BelievingView(0.8, 0.3), 6, Valley);
  StudyView without = BelievingView(0, 0);
  without.beliefs.clear();
  without = RunStudy(suggester, without, 6, Valley);
  EXPECT_GT(HighestOf(view), HighestOf(without));
  const Suggestion next = NextOf(view);
  EXPECT_TRUE(next.record.follows_beliefs);
  EXPECT_NEAR(NumberOf(next.parameters, 0), 0.8, 0.25);
}

TEST(BeliefsTest, AWrongBeliefIsOvercome) {
  const GaussianProcessSuggester suggester;
  const StudyView view =
      RunStudy(suggester, BelievingView(0.05, 0.95), 25, Valley);
  EXPECT_GT(HighestOf(view), -1e-3);
}

TEST(BeliefsTest, ItCountsBesideRunningTrialsToo) {
  const GaussianProcessSuggester suggester;
  StudyView view = RunStudy(suggester, BelievingView(0.8, 0.3), 5, Valley);
  view.pending = {view.completed.front().parameters};
  ++view.trials_created;
  const Suggestion next = NextOf(view);
  EXPECT_EQ(next.record.method, SuggestionMethod::kConfidenceBound);
  EXPECT_TRUE(next.record.follows_beliefs);
}

TEST(BeliefsTest, ItIsForgottenAfterManyResults) {
  StudyView view = BelievingView(0.8, 0.3);
  for (int i = 0; i < 100; ++i) {
    const Parameters point = {{"x", std::fmod(0.618034 * i, 1)},
                              {"y", (i + 0.5) / 100}};
    Complete(&view, point, Valley(point));
  }
  const Suggestion next = NextOf(view);
  EXPECT_FALSE(next.record.follows_beliefs);
  StudyView without = view;
  without.beliefs.clear();
  EXPECT_EQ(next, NextOf(without));
}

TEST(BeliefsTest, ABeliefThatFitsNoParameterChangesNothing) {
  StudyView view = BelievingView(0.8, 0.3);
  view.beliefs = {{"gone", 0.5, std::nullopt}, {"x", 7.0, std::nullopt}};
  StudyView without = view;
  without.beliefs.clear();
  EXPECT_EQ(NextOf(view), NextOf(without));
}

TEST(BeliefsTest, OfSeveralMetricsTheFirstTrialIsTheBelievedPoint) {
  StudyView view = BelievingView(0.75, 0.2);
  view.metrics = {{Goal::kMaximize}, {Goal::kMinimize}};
  EXPECT_EQ(NumberOf(NextOf(view).parameters, 0), 0.75);
}

TEST(BeliefsTest, ConditionalParametersAreBelievedWhereTheyAreActive) {
  StudyView view;
  view.space = ConditionalSpace();
  view.seed = 3;
  view.beliefs = {{"beta", 0.8, std::nullopt},
                  {"momentum", 0.9, std::nullopt},
                  {"optimizer", "c0", std::nullopt},
                  {"rate", 0.2, BeliefWidth{2, true}}};
  const Parameters first = NextOf(view).parameters;
  EXPECT_EQ(std::get<std::string>(first[0].value), "c0");
  EXPECT_EQ(NumberOf(first, 1), 0.2);
  EXPECT_EQ(NumberOf(first, 2), 0.9);
  const GaussianProcessSuggester suggester;
  view = RunStudy(suggester, view, 12, [](const Parameters& parameters) {
    return NumberOf(parameters, 1);
  });
  EXPECT_EQ(view.completed.size(), 12u);
}

}  // namespace
}  // namespace vernier
