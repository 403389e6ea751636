#include "suggest/stopping/rung_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/suggest/curves/curve_examples.h"

namespace vernier {
namespace {

using testing::HasSubstr;

constexpr auto kAsha = StoppingRule::kAsha;

EarlyStoppingOptions From1To27() {
  EarlyStoppingOptions options;
  options.min_steps = 1;
  options.max_steps = 27;
  return options;
}

// Trials whose values never change, running at `step`.
CurveStudy Flat(const std::vector<double>& values, std::int64_t step) {
  CurveStudy study;
  study.space = {DoubleParameter("x", 0, 1)};
  for (const double value : values) {
    AddRunning([&](double, std::int64_t) { return value; }, 0.5, step, &study);
  }
  return study;
}

TEST(RungPolicyTest, BracketsAreThoseOfHyperband) {
  // Li et al. 2018, table 1: R = 81, eta = 3 begins with 81, 34, 15, 8 and 5
  // trials, which the paper's formula rounds up.
  const std::vector<Bracket> brackets = MakeBrackets(1, 81, 3, 10);
  ASSERT_EQ(brackets.size(), 5u);
  EXPECT_EQ(brackets[0].rungs, (std::vector<double>{1, 3, 9, 27}));
  EXPECT_EQ(brackets[3].rungs, std::vector<double>{27});
  EXPECT_TRUE(brackets[4].rungs.empty());
  const std::vector<double> weights = {81, 34, 15, 8, 5};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_EQ(brackets[i].weight, weights[i]);
  }
  EXPECT_EQ(MakeBrackets(1, 81, 3, 2).size(), 2u);
}

TEST(MakeBracketsTest, AFactorNearOneMakesNoMillionsOfRungs) {
  const std::vector<Bracket> brackets = MakeBrackets(1, 1e12, 1.0000001, 10);
  ASSERT_EQ(brackets.size(), 10u);
  ASSERT_EQ(brackets[0].rungs.size(), 200u);
  EXPECT_EQ(brackets[0].rungs[1], 2);
}

TEST(RungPolicyTest, StopsAllButTheBestThirdAtARung) {
  const CurveStudy study = Flat({6, 5, 4, 3, 2, 1}, 3);
  std::vector<std::int64_t> stopped;
  for (const StoppingVerdict& verdict :
       MakeStoppingPolicy(kAsha, From1To27())->Judge(study, 0)) {
    EXPECT_EQ(verdict.advice, TrialAdvice::kStop);
    stopped.push_back(verdict.trial);
  }
  // None has ended, so that all are as good as the best final value.
  EXPECT_TRUE(stopped.empty());
  CurveStudy with_end = study;
  with_end.trials[0].state = CurveState::kCompleted;
  with_end.trials[0].reports.push_back({27, 6});
  with_end.trials[0].final_value = 6;
  for (const StoppingVerdict& verdict :
       MakeStoppingPolicy(kAsha, From1To27())->Judge(with_end, 0)) {
    stopped.push_back(verdict.trial);
    EXPECT_THAT(verdict.reason, HasSubstr("of the 6 trials compared at step"));
    EXPECT_THAT(verdict.reason, HasSubstr("only the best 2 go on."));
  }
  EXPECT_EQ(stopped, (std::vector<std::int64_t>{3, 4, 5, 6}));
}

TEST(RungPolicyTest, WithFewerThanEtaAtARungNoneIsStopped) {
  CurveStudy study = Flat({6, 1}, 3);
  study.trials[0].state = CurveState::kCompleted;
  study.trials[0].final_value = 6;
  EXPECT_TRUE(MakeStoppingPolicy(kAsha, From1To27())->Judge(study, 0).empty());
}

TEST(RungPolicyTest, PausesUntilATrialIsAmongTheBestThird) {
  CurveStudy study = Flat({6, 5}, 3);
  study.can_resume = true;
  const auto policy = MakeStoppingPolicy(kAsha, From1To27());
  auto verdicts = policy->Judge(study, 0);
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0].advice, TrialAdvice::kPause);
  for (TrialCurve& trial : study.trials) trial.state = CurveState::kPaused;
  EXPECT_TRUE(policy->Judge(study, 5).empty());
  // A third at the rung makes room for one.
  AddRunning([](double, std::int64_t) { return 4.0; }, 0.5, 3, &study);
  verdicts = policy->Judge(study, 5);
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0].trial, 1);
  EXPECT_EQ(verdicts[0].advice, TrialAdvice::kResume);
  EXPECT_EQ(verdicts[1].trial, 3);
  EXPECT_EQ(verdicts[1].advice, TrialAdvice::kPause);
  ASSERT_EQ(policy->Judge(study, 0).size(), 1u);
}

TEST(RungPolicyTest, LearnsTheRungsFromTheFirstWholeTraining) {
  CurveStudy study = Flat({9, 1, 2, 3, 4, 5, 6, 7, 8}, 2);
  EXPECT_TRUE(MakeStoppingPolicy(kAsha, {})->Judge(study, 0).empty());
  study.trials[0].state = CurveState::kCompleted;
  study.trials[0].reports.push_back({54, 9});
  study.trials[0].final_value = 9;
  EXPECT_EQ(MakeStoppingPolicy(kAsha, {})->Judge(study, 0).size(), 6u);
}

TEST(RungPolicyTest, HyperbandComparesWithinBrackets) {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.push_back(i);
  CurveStudy study = Flat(values, 4);
  study.trials.back().state = CurveState::kCompleted;
  study.trials.back().reports.push_back({27, 39});
  study.trials.back().final_value = 39;
  EarlyStoppingOptions options = From1To27();
  const std::size_t asha =
      MakeStoppingPolicy(kAsha, options)->Judge(study, 0).size();
  const std::size_t hyperband =
      MakeStoppingPolicy(StoppingRule::kHyperband, options)
          ->Judge(study, 0)
          .size();
  EXPECT_EQ(asha, 26u);
  EXPECT_LT(hyperband, asha);  // Some brackets have no rung at 3 or before.
  EXPECT_GT(hyperband, 0u);
  options.brackets = 1;
  EXPECT_EQ(MakeStoppingPolicy(StoppingRule::kHyperband, options)
                ->Judge(study, 0)
                .size(),
            asha);
}

}  // namespace
}  // namespace vernier
