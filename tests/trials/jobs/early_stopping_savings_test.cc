#include "trials/jobs/early_stopping_savings.h"

#include <gtest/gtest.h>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

auto AtStep(std::int64_t step) {
  return [step](TrialRecord* trial) {
    trial->objective.last = FinalMeasurement{step, 0.5};
  };
}

TEST(EarlyStoppingSavingsTest, NothingIsSavedUntilATrialIsStopped) {
  StudyBuilder study(TuningSpec(9, 1));
  study.Completed(1).Failed().Active();
  EXPECT_EQ(SavingsOf(study.Build()), std::nullopt);
}

TEST(EarlyStoppingSavingsTest, CountsTheStepsUpToTheMedianOfWholeTrials) {
  StudyBuilder study(TuningSpec(9, 1));
  study.Completed(1).With(AtStep(20)).Completed(1).With(AtStep(20));
  study.Completed(1).With(AtStep(90));
  study.Failed(TrialEndCause::kStoppedEarly).With(AtStep(2));
  study.Failed(TrialEndCause::kStoppedEarly).With(AtStep(30));
  study.Failed();
  const auto savings = SavingsOf(study.Build());
  ASSERT_TRUE(savings.has_value());
  EXPECT_EQ(savings->stopped_trials, 2);
  EXPECT_EQ(savings->ended_trials, 6);
  EXPECT_EQ(savings->saved_steps, 18);
  EXPECT_EQ(savings->trained_steps, 162);
  EXPECT_EQ(DescribeSavings(*savings),
            "2 of 6 trials were stopped early, which saved 18 of 180 steps "
            "(10 %)");
}

TEST(EarlyStoppingSavingsTest, WithoutAWholeTrialNobodyKnowsWhatWasSaved) {
  StudyBuilder study(TuningSpec(9, 1));
  study.Failed(TrialEndCause::kStoppedEarly).With(AtStep(INT64_MIN));
  study.Failed(TrialEndCause::kStoppedEarly).With(AtStep(INT64_MAX));
  EXPECT_EQ(SavingsOf(study.Build())->saved_steps, 0);
}

}  // namespace
}  // namespace vernier
