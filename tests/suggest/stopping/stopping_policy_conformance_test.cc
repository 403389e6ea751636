#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "suggest/stopping/stopping_policy.h"
#include "suggest/stopping/stopping_policy_factory.h"
#include "tests/suggest/curves/curve_examples.h"

namespace vernier {
namespace {

// What every rule must do, over random studies.
class StoppingPolicyConformanceTest
    : public testing::TestWithParam<StoppingRule> {};

// Every second one is of nothing but noise; in the others trainings differ by
// their place from the beginning.
CurveStudy RandomStudy(std::uint64_t seed) {
  std::mt19937_64 rng = MakeRng(seed, 1);
  const bool is_noise = seed % 2 == 0;
  CurveStudy study;
  study.space = {DoubleParameter("x", 0, 1), CategoricalParameter("kind", 3)};
  study.goal = UniformInt(rng, 2) == 0 ? Goal::kMaximize : Goal::kMinimize;
  study.seed = seed;
  study.can_resume = UniformInt(rng, 2) == 0;
  const double size = std::pow(10.0, 20 * UniformDouble(rng) - 10);
  const auto unit = static_cast<std::int64_t>(1 + UniformInt(rng, 1000));
  const auto last = static_cast<std::int64_t>(1 + UniformInt(rng, 60));
  const auto count = static_cast<std::int64_t>(UniformInt(rng, 30));
  for (std::int64_t number = 1; number <= count; ++number) {
    TrialCurve trial;
    trial.trial = number;
    trial.parameters = {{"x", UniformDouble(rng)},
                        {"kind", "c" + std::to_string(UniformInt(rng, 3))}};
    trial.state = static_cast<CurveState>(1 + UniformInt(rng, 4));
    const bool is_complete = trial.state == CurveState::kCompleted;
    const std::int64_t steps =
        is_complete ? last
                    : static_cast<std::int64_t>(UniformInt(
                          rng, static_cast<std::uint64_t>(last) + 1));
    const double sign = study.goal == Goal::kMaximize ? 1 : -1;
    const double place = std::get<double>(trial.parameters[0].value);
    const auto value_at = [&](std::int64_t step) {
      const auto passed = static_cast<double>(step);
      if (is_noise) return size * (Normal(rng) + passed);
      const double part = passed / static_cast<double>(last);
      return sign * size *
             (place * (0.3 + part / (0.2 + part)) + 0.02 * Normal(rng));
    };
    for (std::int64_t step = 0; step <= steps; ++step) {
      if (UniformInt(rng, 5) == 0) continue;
      trial.reports.push_back({step * unit, value_at(step)});
    }
    if (is_complete) {
      trial.final_value = is_noise ? size * Normal(rng) : value_at(last);
    }
    study.trials.push_back(std::move(trial));
  }
  return study;
}

TEST_P(StoppingPolicyConformanceTest, AdviceIsLawfulAndHasAReason) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const CurveStudy study = RandomStudy(seed);
    const int slots = static_cast<int>(seed % 4);
    int resumed = 0;
    std::int64_t before = 0;
    for (const StoppingVerdict& verdict :
         MakeStoppingPolicy(GetParam(), {})->Judge(study, slots)) {
      EXPECT_GT(verdict.trial, before) << "seed " << seed;
      before = verdict.trial;
      const TrialCurve& trial =
          study.trials[static_cast<std::size_t>(verdict.trial) - 1];
      EXPECT_FALSE(verdict.reason.empty());
      EXPECT_EQ(verdict.reason.back(), '.');
      switch (verdict.advice) {
        case TrialAdvice::kStop:
          EXPECT_EQ(trial.state, CurveState::kRunning) << "seed " << seed;
          break;
        case TrialAdvice::kPause:
          EXPECT_EQ(trial.state, CurveState::kRunning) << "seed " << seed;
          EXPECT_TRUE(study.can_resume);
          break;
        case TrialAdvice::kResume:
          EXPECT_EQ(trial.state, CurveState::kPaused) << "seed " << seed;
          EXPECT_TRUE(study.can_resume);
          ++resumed;
          break;
        case TrialAdvice::kContinue:
          ADD_FAILURE() << "seed " << seed;
      }
    }
    EXPECT_LE(resumed, slots) << "seed " << seed;
  }
}

TEST_P(StoppingPolicyConformanceTest, NeverStopsTheBestSoFar) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const CurveStudy study = RandomStudy(seed);
    const double sign = study.goal == Goal::kMaximize ? 1 : -1;
    for (const StoppingVerdict& verdict :
         MakeStoppingPolicy(GetParam(), {})->Judge(study, 0)) {
      if (verdict.advice != TrialAdvice::kStop) continue;
      const TrialCurve& trial =
          study.trials[static_cast<std::size_t>(verdict.trial) - 1];
      double best = -INFINITY;
      for (const CurvePoint& point : trial.reports) {
        best = std::max(best, sign * point.value);
      }
      double best_final = -INFINITY;
      for (const TrialCurve& other : study.trials) {
        if (other.final_value.has_value()) {
          best_final = std::max(best_final, sign * *other.final_value);
        }
      }
      EXPECT_LT(best, best_final) << "seed " << seed;
    }
  }
}

// A study as it was when its first trials had ended and the others were at a
// part of their way.
CurveStudy AsItWas(const CurveStudy& study, std::size_t num_ended,
                   std::size_t num_reports) {
  CurveStudy before = study;
  for (std::size_t i = num_ended; i < before.trials.size(); ++i) {
    TrialCurve& trial = before.trials[i];
    trial.state = CurveState::kRunning;
    trial.final_value.reset();
    trial.reports.resize(std::min(trial.reports.size(), num_reports));
  }
  return before;
}

// What a policy remembers of a study as it goes on only saves time: a restart
// changes no verdict.
TEST_P(StoppingPolicyConformanceTest, RemembersNothingThatMatters) {
  std::size_t verdicts = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const CurveStudy study = RandomStudy(seed);
    const auto old = MakeStoppingPolicy(GetParam(), {});
    for (std::size_t ended = 0; ended <= study.trials.size(); ended += 3) {
      for (const std::size_t reports : {2U, 9U, 30U}) {
        const CurveStudy now = AsItWas(study, ended, reports);
        const auto fresh = MakeStoppingPolicy(GetParam(), {})->Judge(now, 2);
        const auto again = old->Judge(now, 2);
        ASSERT_EQ(fresh.size(), again.size()) << "seed " << seed;
        for (std::size_t i = 0; i < fresh.size(); ++i) {
          EXPECT_EQ(fresh[i].trial, again[i].trial);
          EXPECT_EQ(fresh[i].advice, again[i].advice);
          EXPECT_EQ(fresh[i].reason, again[i].reason);
        }
        verdicts += fresh.size();
      }
    }
  }
  EXPECT_GT(verdicts, 20u);
}

// Else all that is said of its advice here would hold for a rule that gives
// none.
TEST_P(StoppingPolicyConformanceTest, HasAdviceOfEachKindThatItKnows) {
  std::map<TrialAdvice, int> advice;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    for (const StoppingVerdict& verdict :
         MakeStoppingPolicy(GetParam(), {})->Judge(RandomStudy(seed), 3)) {
      ++advice[verdict.advice];
    }
  }
  EXPECT_GT(advice[TrialAdvice::kStop], 20);
  if (GetParam() == StoppingRule::kMedian) return;
  EXPECT_GT(advice[TrialAdvice::kPause], 20);
  EXPECT_GT(advice[TrialAdvice::kResume], 3);
}

TEST_P(StoppingPolicyConformanceTest, StopsNothingBeforeTheMinimumOfSteps) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CurveStudy study = RandomStudy(seed);
    study.can_resume = false;
    for (const StoppingVerdict& verdict :
         MakeStoppingPolicy(GetParam(), {})->Judge(study, 0)) {
      const TrialCurve& trial =
          study.trials[static_cast<std::size_t>(verdict.trial) - 1];
      EarlyStoppingOptions later;
      later.min_steps = trial.reports.back().step + 1;
      for (const StoppingVerdict& other :
           MakeStoppingPolicy(GetParam(), later)->Judge(study, 0)) {
        EXPECT_NE(other.trial, verdict.trial) << "seed " << seed;
      }
    }
  }
}

// A program may count its steps as it likes.
TEST_P(StoppingPolicyConformanceTest, BearsStepsOfAnySize) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t first : {-kLargest, std::int64_t{0}, kLargest - 40}) {
    for (const bool has_options : {false, true}) {
      CurveStudy study;
      study.space = {DoubleParameter("x", 0, 1)};
      study.can_resume = true;
      for (int i = 1; i <= 8; ++i) {
        TrialCurve trial = TrialAt(i, i / 10.0);
        trial.reports = {{first, 0.5 * i}, {first + 20, 1.0 * i}};
        if (i <= 5) {
          trial.reports.push_back({kLargest, 2.0 * i});
          trial.state = CurveState::kCompleted;
          trial.final_value = 2.0 * i;
        } else if (i == 6) {
          trial.state = CurveState::kPaused;
        }
        study.trials.push_back(std::move(trial));
      }
      EarlyStoppingOptions options;
      if (has_options) options.max_steps = kLargest;
      for (const StoppingVerdict& verdict :
           MakeStoppingPolicy(GetParam(), options)->Judge(study, 2)) {
        EXPECT_GE(verdict.trial, 6);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, StoppingPolicyConformanceTest,
                         testing::Values(StoppingRule::kMedian,
                                         StoppingRule::kDecayCurve,
                                         StoppingRule::kAsha,
                                         StoppingRule::kHyperband,
                                         StoppingRule::kAuto));

}  // namespace
}  // namespace vernier
