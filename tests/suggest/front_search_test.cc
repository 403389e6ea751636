// Studies of several metrics: what the default algorithm promises of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "suggest/front/pareto_front.h"
#include "suggest/space/space_membership.h"
#include "suggest/suggester_factory.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

using Values = std::vector<std::optional<double>>;
using Problem = std::function<Values(const Parameters&)>;

StudyView ViewOf(std::vector<ParameterSpec> space, std::size_t num_metrics,
                 std::uint64_t seed = 1) {
  StudyView view;
  view.space = std::move(space);
  view.goal = Goal::kMinimize;
  view.metrics.assign(num_metrics, {Goal::kMinimize});
  view.seed = seed;
  return view;
}

Observation ObservationOf(Parameters parameters, Values values) {
  Observation observation;
  observation.parameters = std::move(parameters);
  if (!values.empty()) observation.objective = values.front();
  if (observation.objective.has_value()) observation.values = std::move(values);
  return observation;
}

// Runs `count` more trials.
StudyView RunTrials(const Suggester& suggester, StudyView view, int count,
                    const Problem& problem) {
  for (int i = 0; i < count; ++i) {
    const auto points = PointsOf(suggester.Suggest(view, 1));
    EXPECT_TRUE(points.ok()) << points.status();
    if (!points.ok()) break;
    ++view.trials_created;
    view.completed.push_back(
        ObservationOf(points->front(), problem(points->front())));
  }
  return view;
}

std::vector<ParameterSpec> Cube(int columns) {
  std::vector<ParameterSpec> space;
  for (int i = 0; i < columns; ++i) {
    space.push_back(DoubleParameter("x" + std::to_string(i), 0, 1));
  }
  return space;
}

double SquaredDistance(const Parameters& at, double place, double skew) {
  double sum = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double target = place + (i % 2 == 0 ? skew : -skew);
    sum += (NumberOf(at, i) - target) * (NumberOf(at, i) - target);
  }
  return sum;
}

// Two to four bowls, each with its own lowest place: what lies between them is
// the front.
Values Bowls(const Parameters& at, std::size_t num_metrics) {
  Values values;
  for (std::size_t k = 0; k < num_metrics; ++k) {
    values.push_back(SquaredDistance(at, 0.25 + 0.15 * static_cast<double>(k),
                                     k % 2 == 0 ? 0.1 : -0.05));
  }
  return values;
}

double VolumeOf(const StudyView& view, double reference) {
  std::vector<std::vector<double>> merits;
  for (const Observation& observation : view.completed) {
    std::vector<double> row;
    for (const auto& value : observation.values) {
      if (value.has_value()) row.push_back(-*value);
    }
    if (row.size() == view.metrics.size()) merits.push_back(std::move(row));
  }
  return Hypervolume(merits,
                     std::vector<double>(view.metrics.size(), -reference));
}

class FrontConformanceTest : public testing::TestWithParam<std::size_t> {
 protected:
  const std::unique_ptr<Suggester> suggester_ =
      MakeSuggester(Algorithm::kDefault);
};

INSTANTIATE_TEST_SUITE_P(ByNumberOfMetrics, FrontConformanceTest,
                         testing::Values(2, 3, 4, 6));

TEST_P(FrontConformanceTest, WidensTheFrontMoreThanSpreadPointsDo) {
  const auto problem = [](const Parameters& at) {
    return Bowls(at, GetParam());
  };
  const StudyView empty = ViewOf(Cube(4), GetParam(), 3);
  const double searched =
      VolumeOf(RunTrials(*suggester_, empty, 40, problem), 0.6);
  const double spread =
      VolumeOf(RunTrials(*MakeSuggester(Algorithm::kQuasiRandomSearch), empty,
                         40, problem),
               0.6);
  EXPECT_GT(searched, 1.15 * spread);
}

TEST_P(FrontConformanceTest, GroupingCallsChangesNothing) {
  const auto problem = [](const Parameters& at) {
    return Bowls(at, GetParam());
  };
  std::vector<ParameterSpec> space = Cube(2);
  space.push_back(IntegerParameter("n", 0, 1));
  for (const int completed : {0, 5, 9}) {
    StudyView view = RunTrials(*suggester_, ViewOf(space, GetParam(), 5),
                               completed, problem);
    const auto together =
        PointsOf(MakeSuggester(Algorithm::kDefault)->Suggest(view, 3));
    ASSERT_TRUE(together.ok());
    for (std::size_t i = 0; i < 3; ++i) {
      const auto single = PointsOf(suggester_->Suggest(view, 1));
      ASSERT_TRUE(single.ok());
      EXPECT_EQ(single->front(), (*together)[i]) << completed << "+" << i;
      view.pending.push_back(single->front());
      ++view.trials_created;
    }
  }
}

// Some fail, some lack a metric, some were stopped early, some are equal.
TEST_P(FrontConformanceTest, BearsWhateverTrialsComeTo) {
  int count = 0;
  const auto problem = [&](const Parameters& at) {
    ++count;
    Values values = Bowls({at.front()}, GetParam());
    if (count % 4 == 0) return Values{};
    if (count % 5 == 0) values.back().reset();
    if (count % 7 == 0) values[1] = 1e300;
    return values;
  };
  StudyView view = ViewOf(ConditionalSpace(), GetParam(), 9);
  view = RunTrials(*suggester_, std::move(view), 12, [&](const Parameters& at) {
    Parameters number = {{"n", std::sin(static_cast<double>(count))}};
    static_cast<void>(at);
    return problem(number);
  });
  ASSERT_EQ(view.completed.size(), 12u);
  view.completed[1].is_stopped_early = true;
  view.given_up = {view.completed[2].parameters};
  view.pending = {view.completed[3].parameters};
  const auto points = PointsOf(suggester_->Suggest(view, 3));
  ASSERT_TRUE(points.ok()) << points.status();
  for (const Parameters& point : *points) {
    EXPECT_TRUE(CheckFitsSpace(view.space, point).ok());
  }
}

TEST(FrontSearchTest, AMetricThatNeverChangesDoesNotMatter) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  const StudyView view = RunTrials(
      *suggester, ViewOf(Cube(2), 2, 3), 25, [](const Parameters& at) {
        return Values{SquaredDistance(at, 0.3, 0.1), 4.0};
      });
  double best = 1;
  for (const Observation& observation : view.completed) {
    best = std::min(best, *observation.objective);
  }
  EXPECT_LT(best, 0.003);
}

// Equal values have no units, for a reference or a prediction.
TEST(FrontSearchTest, AnyMetricMayNeverChange) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  for (const std::size_t constant : {0U, 1U}) {
    StudyView view = ViewOf(Cube(2), 2, 3);
    view.metrics[0].reference = 3;
    view.metrics[1].reference = 5;
    view = RunTrials(*suggester, std::move(view), 14,
                     [constant](const Parameters& at) {
                       Values values = Bowls(at, 2);
                       values[constant] = 4.0;
                       return values;
                     });
    EXPECT_EQ(view.completed.size(), 14u);
  }
}

TEST(FrontSearchTest, AMetricThatNoTrialHasIsLeftOut) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  StudyView view = RunTrials(
      *suggester, ViewOf(Cube(2), 2, 3), 12, [](const Parameters& at) {
        return Values{SquaredDistance(at, 0.3, 0.1), std::nullopt};
      });
  const auto points = suggester->Suggest(view, 1);
  ASSERT_TRUE(points.ok()) << points.status();
  EXPECT_EQ(points->front().record.method, SuggestionMethod::kImprovement);
}

TEST(FrontSearchTest, SaysWhatChoseThePoint) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  for (const std::size_t metrics : {2U, 5U}) {
    const StudyView view = RunTrials(
        *suggester, ViewOf(Cube(2), metrics, 3), 12,
        [metrics](const Parameters& at) { return Bowls(at, metrics); });
    const auto points = suggester->Suggest(view, 1);
    ASSERT_TRUE(points.ok());
    const SuggestionRecord& record = points->front().record;
    EXPECT_EQ(record.method, metrics == 2 ? SuggestionMethod::kHypervolume
                                          : SuggestionMethod::kScalarization);
    EXPECT_EQ(record.num_completed, 12);
    EXPECT_GT(record.num_fitted, 0);
    EXPECT_TRUE(record.prediction.has_value());
  }
}

// Where everything has failed, there is nothing to trade off.
TEST(FrontSearchTest, LooksAwayFromFailuresAlone) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  const StudyView view = RunTrials(*suggester, ViewOf(Cube(2), 2, 3), 9,
                                   [](const Parameters&) { return Values{}; });
  const auto points = suggester->Suggest(view, 1);
  ASSERT_TRUE(points.ok());
  EXPECT_EQ(points->front().record.method, SuggestionMethod::kAwayFromFailures);
}

// With a reference that only one corner of the front reaches, that corner is
// where the search goes.
TEST(FrontSearchTest, AReferenceBoundsWhatIsOfUse) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  const auto problem = [](const Parameters& at) {
    const double x = NumberOf(at, 0);
    return Values{x, 1 - x + NumberOf(at, 1)};
  };
  const auto count_useful = [&](std::optional<double> reference) {
    StudyView view = ViewOf(Cube(2), 2, 7);
    view.metrics[0].reference = reference;
    view = RunTrials(*suggester, std::move(view), 30, problem);
    return std::count_if(view.completed.begin() + 10, view.completed.end(),
                         [](const Observation& observation) {
                           return *observation.objective <= 0.25;
                         });
  };
  EXPECT_GE(count_useful(0.25), 15);
  EXPECT_LE(count_useful(std::nullopt), 10);
}

TEST(FrontSearchTest, GoalsMayDiffer) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  StudyView view = ViewOf(Cube(3), 2, 3);
  view.metrics[1].goal = Goal::kMaximize;
  const StudyView minimized =
      RunTrials(*suggester, ViewOf(Cube(3), 2, 3), 14,
                [](const Parameters& at) { return Bowls(at, 2); });
  const StudyView mixed =
      RunTrials(*suggester, view, 14, [](const Parameters& at) {
        Values values = Bowls(at, 2);
        values[1] = -*values[1];
        return values;
      });
  for (std::size_t i = 0; i < 14; ++i) {
    EXPECT_EQ(minimized.completed[i].parameters, mixed.completed[i].parameters);
  }
}

// Returns the same results as those of a study of one of the metrics.
StudyView OnlyMetric(StudyView view, std::size_t metric) {
  view.metrics.clear();
  for (Observation& observation : view.completed) {
    observation.objective = observation.values[metric];
    observation.values.clear();
  }
  return view;
}

TEST(FrontSearchTest, BesideConstantMetricsOneIsSearchedAsIfAlone) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  for (const std::size_t varying : {0U, 1U}) {
    StudyView view =
        RunTrials(*suggester, ViewOf(Cube(2), 3), 9, [&](const Parameters& at) {
          Values values = {5.0, 7.0, -2.0};
          values[varying] = Bowls(at, 1).front();
          return values;
        });
    view.pending.push_back({{"x0", 0.2}, {"x1", 0.9}});
    const auto points = suggester->Suggest(view, 2);
    const auto alone = suggester->Suggest(OnlyMetric(view, varying), 2);
    ASSERT_TRUE(points.ok() && alone.ok());
    for (const std::size_t i : {0U, 1U}) {
      EXPECT_EQ((*points)[i].parameters, (*alone)[i].parameters);
      EXPECT_EQ((*points)[i].record.prediction.has_value(), varying == 0);
    }
  }
}

// Returns the volume that the bowls' values, whatever was told, came to in 40
// trials, and tells the `i`-th trial what `told` makes of them.
double VolumeOfBowlsTold(const std::function<void(int i, Values*)>& told,
                         int first) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  int i = 0;
  StudyView view =
      RunTrials(*suggester, ViewOf(Cube(3), 2), 40, [&](const Parameters& at) {
        Values values = Bowls(at, 2);
        told(i++, &values);
        return values;
      });
  view.completed.erase(view.completed.begin(), view.completed.begin() + first);
  for (Observation& observation : view.completed) {
    observation.values = Bowls(observation.parameters, 2);
  }
  return VolumeOf(view, 0.3);
}

void TellAsItIs(int /*i*/, Values* /*values*/) {}

TEST(FrontSearchTest, DisastersByChanceHardlyMatter) {
  const double calm = VolumeOfBowlsTold(TellAsItIs, 0);
  const double wild = VolumeOfBowlsTold(
      [](int i, Values* values) {
        if (i % 7 == 0) values->front() = 1e12;
      },
      0);
  EXPECT_GT(wild, 0.98 * calm);
}

TEST(FrontSearchTest, AMetricMayBeginToVary) {
  constexpr int kConstant = 15;
  const double after = VolumeOfBowlsTold(
      [](int i, Values* values) {
        if (i < kConstant) values->back() = 1;
      },
      kConstant);
  EXPECT_GT(after, 0.95 * VolumeOfBowlsTold(TellAsItIs, kConstant));
}

TEST(FrontSearchTest, AMetricThatNobodyReportsDoesNotStopTheSearch) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  const StudyView view =
      RunTrials(*suggester, ViewOf(Cube(2), 3), 20, [](const Parameters& at) {
        Values values = Bowls(at, 2);
        values.push_back(std::nullopt);
        return values;
      });
  const auto points = suggester->Suggest(view, 1);
  ASSERT_TRUE(points.ok());
  EXPECT_EQ(points->front().record.method, SuggestionMethod::kHypervolume);
}

// From four metrics on to five there is no volume any more, so that a metric
// that begins to vary changes the models of all.
TEST(FrontSearchTest, RemembersNothingOfMetricsThatDidNotVary) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  StudyView view =
      RunTrials(*suggester, ViewOf(Cube(2), 5), 6, [](const Parameters& at) {
        Values values = Bowls(at, 4);
        values.push_back(1.0);
        return values;
      });
  const auto before = suggester->Suggest(view, 1);
  ASSERT_TRUE(before.ok());
  EXPECT_EQ(before->front().record.method, SuggestionMethod::kHypervolume);
  view.completed.back().values.back() = 2.0;
  const auto after = suggester->Suggest(view, 1);
  const auto fresh = MakeSuggester(Algorithm::kDefault)->Suggest(view, 1);
  ASSERT_TRUE(after.ok() && fresh.ok());
  EXPECT_EQ(after->front().record.method, SuggestionMethod::kScalarization);
  EXPECT_EQ(after->front().parameters, fresh->front().parameters);
}

// The second metric says the same in three steps, so that the front is one
// place.
TEST(FrontSearchTest, AStepBetweenTwoValuesIsNoFront) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  const auto nearest = [](const StudyView& view) {
    double best = std::numeric_limits<double>::infinity();
    for (const Observation& seen : view.completed) {
      best = std::min(best, *seen.objective);
    }
    return best;
  };
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const StudyView view = RunTrials(
        *suggester, ViewOf(Cube(2), 2, seed), 30, [](const Parameters& at) {
          const double loss = SquaredDistance(at, 0.3, 0.1);
          return Values{loss, NumberOf(at, 0) > 0.6 ? 1.0 : 0.0};
        });
    EXPECT_LT(nearest(view), 1e-4);
  }
}

// The best lies where the constraint forbids it: what is allowed is x1 <= 0.4.
StudyView RunConstrained(const Suggester& suggester, StudyView view, int count,
                         double limit) {
  view.num_constraints = 1;
  for (int i = 0; i < count; ++i) {
    const auto points = PointsOf(suggester.Suggest(view, 1));
    EXPECT_TRUE(points.ok()) << points.status();
    if (!points.ok()) break;
    ++view.trials_created;
    Observation observation = ObservationOf(
        points->front(), Bowls(points->front(), view.metrics.size()));
    observation.slacks = {limit - NumberOf(points->front(), 1)};
    view.completed.push_back(std::move(observation));
  }
  return view;
}

double BestAllowed(const StudyView& view) {
  double best = std::numeric_limits<double>::infinity();
  for (const Observation& observation : view.completed) {
    if (*observation.slacks.front() < 0) continue;
    best = std::min(best, *observation.objective);
  }
  return best;
}

TEST(FrontSearchTest, MeetsAConstraintWithOneObjective) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  // Its bowl is lowest at 0.35 and 0.15, of which 0.05 is allowed.
  const StudyView view =
      RunConstrained(*suggester, ViewOf(Cube(2), 1, 3), 25, 0.05);
  EXPECT_NEAR(BestAllowed(view), 0.01, 0.002);
  EXPECT_EQ(view.metrics.size(), 1u);
}

// 0.02 of the space is allowed, and no design point is.
TEST(FrontSearchTest, FindsWhatIsAllowedFirst) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  const auto slack = [](const Parameters& at) {
    return 0.08 - std::hypot(NumberOf(at, 0) - 0.83, NumberOf(at, 1) - 0.21);
  };
  StudyView view = ViewOf(Cube(2), 2, 5);
  view.num_constraints = 1;
  int allowed = 0;
  bool has_looked = false;
  for (int i = 0; i < 30; ++i) {
    const auto points = suggester->Suggest(view, 1);
    ASSERT_TRUE(points.ok());
    const Suggestion& point = points->front();
    ++view.trials_created;
    Observation observation =
        ObservationOf(point.parameters, Bowls(point.parameters, 2));
    observation.slacks = {slack(point.parameters)};
    has_looked =
        has_looked || point.record.method == SuggestionMethod::kFeasibility;
    allowed += *observation.slacks[0] >= 0;
    view.completed.push_back(std::move(observation));
  }
  EXPECT_TRUE(has_looked);
  EXPECT_GE(allowed, 10);
}

// A constraint that only says whether it is met shows no way to where it is.
// The places of which least is known are corners and edges, where a search that
// knew nothing else stayed.
TEST(FrontSearchTest, FindsWhereAConstraintOfTwoValuesIsMet) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  for (const double low : {0.1, 0.3, 0.6, 0.8}) {
    StudyView view = ViewOf(Cube(3), 1, 3);
    view.num_constraints = 1;
    bool is_met = false;
    for (int i = 0; i < 25 && !is_met; ++i) {
      const auto points = PointsOf(suggester->Suggest(view, 1));
      ASSERT_TRUE(points.ok()) << points.status();
      const double x = NumberOf(points->front(), 0);
      is_met = x > low && x < low + 0.1;
      Observation observation =
          ObservationOf(points->front(), Bowls(points->front(), 1));
      observation.slacks = {is_met ? 1.0 : -1.0};
      ++view.trials_created;
      view.completed.push_back(std::move(observation));
    }
    EXPECT_TRUE(is_met) << low;
  }
}

// A diagonal of which a ten thousandth of the space is allowed. What is best on
// it lies far from its middle, where the first point is.
StudyView RunInBand(const Suggester& suggester, StudyView view, int count,
                    double low, double high) {
  view.num_constraints = 2;
  view.bands = {{0, high - low}};
  for (int i = 0; i < count; ++i) {
    const auto points = PointsOf(suggester.Suggest(view, 1));
    EXPECT_TRUE(points.ok()) << points.status();
    if (!points.ok()) break;
    ++view.trials_created;
    const Parameters& at = points->front();
    Observation observation = ObservationOf(at, Bowls(at, view.metrics.size()));
    const double sum = NumberOf(at, 0) + NumberOf(at, 1) * NumberOf(at, 1);
    observation.slacks = {sum - low, high - sum};
    view.completed.push_back(std::move(observation));
  }
  return view;
}

TEST(FrontSearchTest, MeetsANarrowBand) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  for (const std::size_t num_metrics : {1U, 2U}) {
    const StudyView view =
        RunInBand(*suggester, ViewOf(Cube(2), num_metrics, 3), 35, 1.2, 1.2001);
    EXPECT_GE(std::count_if(view.completed.begin(), view.completed.end(),
                            MeetsConstraints),
              2);
  }
}

TEST(FrontSearchTest, ComesNearABandOfNoWidth) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  const StudyView view =
      RunInBand(*suggester, ViewOf(Cube(2), 1, 3), 25, 1.2, 1.2);
  EXPECT_LT(std::abs(*view.completed.back().slacks.front()), 1e-3);
}

TEST(FrontSearchTest, AFrontMeetsItsConstraints) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  const StudyView view =
      RunConstrained(*suggester, ViewOf(Cube(3), 2, 3), 30, 0.3);
  const auto met = std::count_if(
      view.completed.begin() + 10, view.completed.end(),
      [](const Observation& seen) { return *seen.slacks.front() >= 0; });
  EXPECT_GE(met, 14);
}

TEST(FrontSearchTest, AConstraintThatAllMeetChangesLittle) {
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  const StudyView free =
      RunTrials(*suggester, ViewOf(Cube(2), 2, 3), 25,
                [](const Parameters& at) { return Bowls(at, 2); });
  const StudyView bounded =
      RunConstrained(*suggester, ViewOf(Cube(2), 2, 3), 25, 5.0);
  EXPECT_GT(VolumeOf(bounded, 0.6), 0.97 * VolumeOf(free, 0.6));
}

}  // namespace
}  // namespace vernier
