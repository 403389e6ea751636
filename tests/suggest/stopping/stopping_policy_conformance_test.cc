#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/rng.h"
#include "suggest/stopping/stopping_policy.h"
#include "suggest/stopping/stopping_policy_factory.h"
#include "tests/suggest/stopping/curve_examples.h"

namespace vernier {
namespace {

// What every rule must do, over random studies.
class StoppingPolicyConformanceTest
    : public testing::TestWithParam<StoppingRule> {};

CurveStudy RandomStudy(std::uint64_t seed) {
  std::mt19937_64 rng = MakeRng(seed, 1);
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
    for (std::int64_t step = 0; step <= steps; ++step) {
      if (UniformInt(rng, 5) == 0) continue;
      trial.reports.push_back(
          {step * unit, size * (Normal(rng) + static_cast<double>(step))});
    }
    if (is_complete) trial.final_value = size * Normal(rng);
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

// What a policy remembers only saves time: a restart changes no verdict.
TEST_P(StoppingPolicyConformanceTest, RemembersNothingThatMatters) {
  const auto old = MakeStoppingPolicy(GetParam(), {});
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CurveStudy study = RandomStudy(seed);
    study.space = {DoubleParameter("x", 0, 1), CategoricalParameter("kind", 3)};
    const auto fresh = MakeStoppingPolicy(GetParam(), {})->Judge(study, 2);
    const auto again = old->Judge(study, 2);
    ASSERT_EQ(fresh.size(), again.size()) << "seed " << seed;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      EXPECT_EQ(fresh[i].trial, again[i].trial);
      EXPECT_EQ(fresh[i].advice, again[i].advice);
      EXPECT_EQ(fresh[i].reason, again[i].reason);
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
