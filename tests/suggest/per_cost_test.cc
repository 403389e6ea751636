#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>

#include "suggest/acquisition/weighted_gain.h"
#include "suggest/gp/duration_model.h"
#include "suggest/gp/surrogate_model.h"
#include "suggest/suggester_factory.h"
#include "tests/suggest/gradient_check.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

// The objective is best at x = 0.5; y only costs time: up to `factor` times as
// much.
StudyView ViewWithDurations(int count, double factor) {
  StudyView view;
  view.space = {DoubleParameter("x", 0, 1), DoubleParameter("y", 0, 1)};
  view.seed = 5;
  for (int i = 1; i <= count; ++i) {
    const double x = std::fmod(0.7549 * i, 1.0);
    const double y = std::fmod(0.5698 * i, 1.0);
    Observation observation;
    observation.parameters = {{"x", x}, {"y", y}};
    observation.objective = -(x - 0.5) * (x - 0.5);
    observation.duration = 10 * std::pow(factor, y);
    view.completed.push_back(observation);
  }
  view.trials_created = count;
  return view;
}

double Y(const Suggestion& suggestion) {
  return std::get<double>(suggestion.parameters[1].value);
}

TEST(PerCostTest, ExpectsTheDurationsThatItSaw) {
  const StudyView view = ViewWithDurations(20, 50);
  const SearchSpaceEncoding encoding(view.space);
  DurationCache cache;
  const auto model = cache.Get(view, encoding);
  ASSERT_TRUE(model.ok());
  ASSERT_NE(*model, nullptr);
  Eigen::MatrixXd points(2, 2);
  points << 0.3, 0.1, 0.3, 0.9;
  Eigen::VectorXd logs;
  (*model)->LogDuration(points, &logs, nullptr);
  EXPECT_NEAR(logs[1] - logs[0], 0.8 * std::log(50.0), 0.2);
}

TEST(PerCostTest, TheGradientAgreesWithDifferences) {
  const StudyView view = ViewWithDurations(20, 50);
  const SearchSpaceEncoding encoding(view.space);
  SurrogateCache surrogates;
  const auto surrogate = surrogates.Get(view, encoding);
  ASSERT_TRUE(surrogate.ok());
  DurationCache cache;
  const auto durations = cache.Get(view, encoding);
  ASSERT_TRUE(durations.ok());
  const LogEiAcquisition gain((*surrogate)->gp);
  Eigen::MatrixXd points(3, 2);
  points << 0.21, 0.13, 0.4, 0.9, 0.8, 0.35;
  ExpectGradients(WeightedLogGain(gain, LogWeightOf(**durations), -0.7),
                  points);
}

TEST(PerCostTest, PrefersCheapTrialsOfSeveralMetrics) {
  StudyView view = ViewWithDurations(14, 50);
  view.metrics = {{Goal::kMaximize}, {Goal::kMaximize}};
  for (Observation& observation : view.completed) {
    const double x = std::get<double>(observation.parameters[0].value);
    observation.values = {observation.objective, -(x - 0.7) * (x - 0.7)};
  }
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  view.cost_weight = 1;
  const auto cheap = suggester->Suggest(view, 1);
  ASSERT_TRUE(cheap.ok());
  EXPECT_EQ(cheap->front().record.method, SuggestionMethod::kHypervolume);
  EXPECT_LT(Y(cheap->front()), 0.2);
}

TEST(PerCostTest, PrefersCheapTrials) {
  StudyView view = ViewWithDurations(14, 50);
  view.cost_weight = 1;
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  const auto cheap = suggester->Suggest(view, 1);
  ASSERT_TRUE(cheap.ok());
  EXPECT_LT(Y(cheap->front()), 0.2);
  view.pending.push_back({{"x", 0.9}, {"y", 0.9}});
  const auto parallel = suggester->Suggest(view, 1);
  ASSERT_TRUE(parallel.ok());
  EXPECT_LT(Y(parallel->front()), 0.3);
}

TEST(PerCostTest, EqualCostsChangeNoSuggestion) {
  for (const bool has_pending : {false, true}) {
    StudyView view = ViewWithDurations(14, 1);
    if (has_pending) view.pending.push_back({{"x", 0.9}, {"y", 0.9}});
    const auto suggester = MakeSuggester(Algorithm::kDefault);
    const auto without = suggester->Suggest(view, 3);
    view.cost_weight = 1;
    const auto with = suggester->Suggest(view, 3);
    ASSERT_TRUE(without.ok() && with.ok());
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ((*without)[i].parameters, (*with)[i].parameters);
    }
  }
}

// The less a second counts, the more a suggestion may cost.
TEST(PerCostTest, CountsAsMuchAsItIsAskedTo) {
  StudyView view = ViewWithDurations(20, 50);
  double before = -1;
  for (const double weight : {1.0, 0.0}) {
    view.cost_weight = weight;
    const auto suggestion =
        MakeSuggester(Algorithm::kDefault)->Suggest(view, 1);
    ASSERT_TRUE(suggestion.ok()) << suggestion.status();
    EXPECT_GT(Y(suggestion->front()), before);
    before = Y(suggestion->front());
  }
}

}  // namespace
}  // namespace vernier
