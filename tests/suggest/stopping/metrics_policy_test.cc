#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "suggest/stopping/metrics_policy_factory.h"
#include "tests/suggest/curves/curve_examples.h"

namespace vernier {
namespace {

using testing::HasSubstr;

std::optional<StoppingVerdict> VerdictOf(
    StoppingRule rule, std::int64_t trial, const CurveStudy& loss,
    const CurveStudy& latency, const EarlyStoppingOptions& options = {}) {
  std::vector<std::shared_ptr<CurveModelCache>> models;
  for (int i = 0; i < 2; ++i) {
    models.push_back(std::make_shared<CurveModelCache>(options));
  }
  const auto policy = MakeMetricsPolicy(rule, options, models);
  for (StoppingVerdict& verdict :
       policy->Judge({{"loss", &loss}, {"latency", &latency}}, 0)) {
    if (verdict.trial == trial) return std::move(verdict);
  }
  return std::nullopt;
}

// Of the complete trials of `study`, a metric that is measured at the end.
CurveStudy AtTheEnd(const CurveStudy& study, double (*value)(double place)) {
  CurveStudy ends;
  ends.space = study.space;
  ends.goal = Goal::kMinimize;
  for (const TrialCurve& trial : study.trials) {
    if (trial.state != CurveState::kCompleted) continue;
    TrialCurve end = trial;
    end.reports.clear();
    end.final_value = value(std::get<double>(trial.parameters[0].value));
    ends.trials.push_back(std::move(end));
  }
  return ends;
}

double Growing(double place) { return 10 + 5 * place; }

class FrontPolicyTest : public testing::Test {
 protected:
  // Losses are best at 0.7, and latencies at 0, so that the front lies between.
  FrontPolicyTest() : loss_(CompleteStudy(FallingCurve, 12)) {}

  std::int64_t Run(double place, std::int64_t step) {
    AddRunning(FallingCurve, place, step, &loss_);
    return loss_.trials.back().trial;
  }

  CurveStudy loss_;
};

TEST_F(FrontPolicyTest, StopsATrialThatCannotEnterTheFront) {
  const std::int64_t trial = Run(0.99, 12);
  const auto verdict = VerdictOf(StoppingRule::kDecayCurve, trial, loss_,
                                 AtTheEnd(loss_, &Growing));
  ASSERT_TRUE(verdict.has_value());
  EXPECT_EQ(verdict->advice, TrialAdvice::kStop);
  EXPECT_THAT(verdict->reason,
              HasSubstr("The decay curve rule stopped it at step 12 of 40: it "
                        "is expected to end with loss 0."));
  EXPECT_THAT(verdict->reason, HasSubstr(" and latency 14."));
  EXPECT_THAT(verdict->reason, HasSubstr(" not enter the front of "));
}

TEST_F(FrontPolicyTest, KeepsATrialThatIsBadInOneMetricAndGoodInTheOther) {
  const std::int64_t trial = Run(0.01, 12);
  EXPECT_FALSE(VerdictOf(StoppingRule::kDecayCurve, trial, loss_,
                         AtTheEnd(loss_, &Growing))
                   .has_value());
  EXPECT_TRUE(VerdictOfLast(StoppingRule::kDecayCurve, loss_).has_value())
      << "by its loss alone it is hopeless";
}

TEST_F(FrontPolicyTest, AMetricInWhichAllAreEqualDecidesNothing) {
  const std::int64_t trial = Run(0.01, 12);
  EXPECT_TRUE(VerdictOf(StoppingRule::kDecayCurve, trial, loss_,
                        AtTheEnd(loss_, [](double) { return 3.0; }))
                  .has_value());
}

TEST_F(FrontPolicyTest, WithoutAnyValueOfAMetricNothingIsStopped) {
  const std::int64_t trial = Run(0.99, 12);
  CurveStudy none;
  none.space = loss_.space;
  EXPECT_FALSE(VerdictOf(StoppingRule::kDecayCurve, trial, loss_, none));
}

TEST_F(FrontPolicyTest, WhatBreaksAConstraintIsNotOnTheFront) {
  const std::int64_t trial = Run(0.99, 12);
  CurveStudy latency = AtTheEnd(loss_, &Growing);
  for (TrialCurve& each : loss_.trials) each.breaks_constraint = true;
  EXPECT_FALSE(VerdictOf(StoppingRule::kDecayCurve, trial, loss_, latency));
}

TEST_F(FrontPolicyTest, PausesWhereTheProgramCanResume) {
  const std::int64_t trial = Run(0.99, 12);
  loss_.can_resume = true;
  CurveStudy latency = AtTheEnd(loss_, &Growing);
  latency.can_resume = true;
  const auto verdict =
      VerdictOf(StoppingRule::kDecayCurve, trial, loss_, latency);
  ASSERT_TRUE(verdict.has_value());
  EXPECT_EQ(verdict->advice, TrialAdvice::kPause);
}

TEST_F(FrontPolicyTest, CurvesOfBothMetricsAreUsed) {
  const CurveFunction rising = [](double place, std::int64_t step) {
    return 10 + 5 * place + 3.0 / static_cast<double>(step);
  };
  for (const double place : {0.01, 0.99}) {
    CurveStudy loss = CompleteStudy(FallingCurve, 12);
    CurveStudy latency = CompleteStudy(rising, 12);
    AddRunning(FallingCurve, place, 12, &loss);
    AddRunning(rising, place, 12, &latency);
    EXPECT_EQ(
        VerdictOf(StoppingRule::kDecayCurve, 13, loss, latency).has_value(),
        place > 0.5);
  }
}

TEST(EveryMetricPolicyTest, TheMedianRuleMustStopATrialByEachMetric) {
  const auto flat = [](double value) {
    return [value](double place, std::int64_t) { return value * place; };
  };
  CurveStudy loss = CompleteStudy(flat(1), 8);
  CurveStudy latency = CompleteStudy(flat(2), 8);
  AddRunning(flat(1), 0.99, 12, &loss);
  AddRunning(flat(2), 0.01, 12, &latency);
  EXPECT_FALSE(VerdictOf(StoppingRule::kMedian, 9, loss, latency));
  AddRunning(flat(1), 0.99, 12, &loss);
  AddRunning(flat(2), 0.99, 12, &latency);
  const auto verdict = VerdictOf(StoppingRule::kMedian, 10, loss, latency);
  ASSERT_TRUE(verdict.has_value());
  EXPECT_THAT(verdict->reason, HasSubstr("By loss: The median rule stopped"));
  EXPECT_THAT(verdict->reason, HasSubstr(" By latency: The median rule"));
}

// A rule must not give a trial up because of one that cannot be the result.
TEST(ConstraintsAndStopsTest, OnlyWhatMeetsTheConstraintsHasToBeBeaten) {
  const auto study = [](bool breaks) {
    CurveStudy made = CompleteStudy(FallingCurve, 12);
    for (TrialCurve& trial : made.trials) {
      // Nothing near the best place is allowed.
      trial.breaks_constraint = breaks && *trial.final_value < 0.5;
    }
    AddRunning(FallingCurve, 0.35, 12, &made);  // It ends at 0.45.
    return made;
  };
  for (const StoppingRule rule : {StoppingRule::kDecayCurve,
                                  StoppingRule::kMedian, StoppingRule::kAsha}) {
    EXPECT_FALSE(VerdictOfLast(rule, study(true)).has_value());
  }
  EXPECT_TRUE(VerdictOfLast(StoppingRule::kDecayCurve, study(false)));
}

}  // namespace
}  // namespace vernier
