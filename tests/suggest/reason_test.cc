#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "study/constraint_parser.h"
#include "study/suggestion.h"
#include "suggest/algorithms/suggester.h"
#include "suggest/space/study_view.h"
#include "suggest/suggester_factory.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

using testing::HasSubstr;
using testing::Not;

bool AnyResult(const StudyView& view,
               const std::function<bool(const Observation&)>& is_so) {
  return std::any_of(view.completed.begin(), view.completed.end(), is_so);
}

bool HasValue(const Observation& result) {
  return result.objective.has_value() && !result.is_stopped_early;
}

bool MeetsAll(const Observation& result) {
  return HasValue(result) && MeetsConstraints(result);
}

// What a reason may say only where it is so.
struct Claim {
  const char* words;
  std::function<bool(const StudyView&)> is_true;
};

std::vector<Claim> Claims() {
  const auto none_of = [](bool (*is_so)(const Observation&)) {
    return [is_so](const StudyView& view) { return !AnyResult(view, is_so); };
  };
  return {
      {"all of which had failed", none_of(&HasValue)},
      {"none of which had a final value", none_of(&HasValue)},
      {"no trial met all constraints", none_of(&MeetsAll)},
      {"one of the first points",
       [](const StudyView& view) { return view.trials_created < 10; }},
      {"until there are enough results",
       [](const StudyView& view) { return view.trials_created < 10; }},
      {"middle of each range without one.",
       [](const StudyView& view) {
         return view.parameter_constraints.empty();
       }},
      {"results are noisy", [](const StudyView&) { return false; }},
      {"expected improvement on the best",
       [](const StudyView& view) { return AnyResult(view, &HasValue); }},
      {"promised to widen the front",
       [](const StudyView& view) { return view.metrics.size() > 1; }},
      {"more to come from running trials",
       [](const StudyView& view) { return !view.pending.empty(); }},
      {"The model has learned from the earlier",
       [](const StudyView& view) { return view.priors != nullptr; }},
      {"constraints between parameters",
       [](const StudyView& view) {
         return !view.parameter_constraints.empty();
       }},
      {"The beliefs about the best",
       [](const StudyView& view) { return !view.beliefs.empty(); }},
  };
}

StudyView Plain(int results, double (*value)(int) = nullptr) {
  StudyView view;
  view.space = UnitCubeSpace(2);
  view.goal = Goal::kMinimize;
  view.seed = 3;
  for (int i = 0; i < results; ++i) {
    // They are spread evenly, and no two are equal.
    const double x = std::fmod(0.05 + 0.7548776662 * i, 1);
    const double y = std::fmod(0.10 + 0.5698402910 * i, 1);
    Complete(&view, {{"x0", x}, {"x1", y}},
             value == nullptr ? (x - 0.3) * (x - 0.3) + y : value(i));
    view.completed.back().trial = i + 1;
  }
  return view;
}

// A study of one metric with a constraint on another one.
StudyView Constrained(int results, double (*slack)(int)) {
  StudyView view = Plain(results);
  view.metrics = {{view.goal, std::nullopt}};
  view.num_constraints = 1;
  for (std::size_t i = 0; i < view.completed.size(); ++i) {
    view.completed[i].values = {view.completed[i].objective};
    view.completed[i].slacks = {slack(static_cast<int>(i))};
  }
  return view;
}

StudyView Failed(StudyView view, bool (*fails)(int)) {
  for (std::size_t i = 0; i < view.completed.size(); ++i) {
    if (fails(static_cast<int>(i))) view.completed[i].objective.reset();
  }
  return view;
}

struct ReasonCase {
  const char* name;
  StudyView view;
  const char* says;
  Algorithm algorithm = Algorithm::kDefault;
};

std::vector<ReasonCase> OneMetricCases() {
  const auto always = [](int) { return true; };
  const auto all_but_third = [](int i) { return i != 2; };
  std::vector<ReasonCase> cases = {
      {"nothing known", Plain(0), "the point of the defaults"},
      {"two results", Plain(2), "spread evenly over the space"},
      {"some results", Plain(12), "expected improvement on the best"},
      {"all failed", Failed(Plain(12), always), "spread evenly over"},
      {"all failed, each fifth", Failed(Plain(14), always),
       "none of which had a final"},
      {"one success", Failed(Plain(12), all_but_third), "expected improvement"},
      {"all equal, late", Plain(40, [](int) { return 1.0; }),
       "spread evenly over the space"},
      {"random", Plain(5), "drawn at random", Algorithm::kRandomSearch},
      {"quasi-random", Plain(5), "(Sobol')", Algorithm::kQuasiRandomSearch},
      {"thousands, anywhere", Plain(2020), "spread evenly over the space"},
      {"thousands", Plain(2021), "expected improvement on the best"},
  };
  StudyView pending = Plain(0);
  pending.pending = {{{"x0", 0.5}, {"x1", 0.5}}, {{"x0", 0.1}, {"x1", 0.2}}};
  pending.trials_created = 2;
  cases.push_back({"all pending", pending, "spread evenly over the space"});
  StudyView running = Plain(12);
  running.pending = pending.pending;
  cases.push_back({"some pending", running, "with 2 more to come"});
  StudyView failed = Failed(running, always);
  failed.trials_created = 14;
  cases.push_back({"failed or pending", failed, "none of which had a final"});
  StudyView region = Plain(0);
  region.parameter_constraints = {
      *ParseParameterConstraint("x0 + x1 <= 0.4", region.space)};
  cases.push_back({"constraints forbid the middle", region,
                   "that was found within the constraints between"});
  StudyView grid = Plain(0);
  grid.space = {IntegerParameter("n", 1, 3)};
  cases.push_back(
      {"grid", grid, "next point of the grid", Algorithm::kGridSearch});
  StudyView repeats = Plain(1);
  repeats.repeats = {.policy = RepeatPolicy::kFixed, .trials = 3};
  cases.push_back(
      {"repeats", repeats, "each point that may be the best is tried 3 times"});
  StudyView believed = Plain(0);
  believed.beliefs = {{"x0", 0.2, std::nullopt}};
  cases.push_back({"beliefs", believed, "The beliefs about the best values"});
  StudyView proposed = Plain(12);
  proposed.proposals = {{"an agent", {{"x0", 0.31}, {"x1", 0.02}}}};
  cases.push_back({"proposals", proposed, ""});
  return cases;
}

std::vector<ReasonCase> SeveralMetricsCases() {
  const auto none = [](int i) { return -1.0 - 0.01 * i; };
  const auto all = [](int i) { return 1.0 + 0.01 * i; };
  // One result meets the constraint, among others that do not by far.
  const auto lucky = [](int i) { return i == 6 ? 0.01 : -1 - 0.2 * (i % 3); };
  StudyView front = Plain(12);
  front.metrics = {{front.goal, std::nullopt}, {Goal::kMaximize, std::nullopt}};
  for (Observation& result : front.completed) {
    result.values = {result.objective, NumberOf(result.parameters, 1)};
  }
  return {
      {"no result meets the constraint", Constrained(12, none),
       "no earlier trial clearly met all constraints"},
      {"all results meet the constraint", Constrained(12, all),
       "expected improvement on the best"},
      {"one result meets the constraint", Constrained(12, lucky), ""},
      {"all failed under constraints",
       Failed(Constrained(12, none), [](int) { return true; }), ""},
      {"several metrics", front, "promised to widen the front"},
  };
}

TEST(ReasonTest, SaysNothingThatIsNotSo) {
  std::vector<ReasonCase> cases = OneMetricCases();
  for (ReasonCase& each : SeveralMetricsCases()) cases.push_back(each);
  for (const ReasonCase& each : cases) {
    SCOPED_TRACE(each.name);
    const auto suggester = MakeSuggester(each.algorithm);
    const auto suggested = suggester->Suggest(each.view, 1);
    ASSERT_TRUE(suggested.ok()) << suggested.status();
    const std::string text = DescribeSuggestion(suggested->front().record);
    EXPECT_THAT(text, HasSubstr(each.says));
    for (const Claim& claim : Claims()) {
      if (claim.is_true(each.view)) continue;
      EXPECT_THAT(text, Not(HasSubstr(claim.words)));
    }
  }
}

}  // namespace
}  // namespace vernier
