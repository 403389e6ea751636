#include "trials/jobs/job_outcome.h"

#include <gtest/gtest.h>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

TEST(JobOutcomeTest, AJobWithAValueHasSucceeded) {
  StudyBuilder study(TuningSpec(9, 1));
  study.Failed().Completed(1).Failed();
  EXPECT_EQ(FailureAtTheEnd(study.Build(), {}), std::nullopt);
  StudyBuilder now(TuningSpec(9, 1));
  now.Failed();
  EXPECT_EQ(FailureAtTheEnd(now.Build(), {true, true, ""}), std::nullopt);
}

TEST(JobOutcomeTest, AJobWithoutAnySuccessHasFailedWithItsLastWords) {
  StudyBuilder study(TuningSpec(9, 1));
  study.Failed().Failed();
  EXPECT_EQ(FailureAtTheEnd(study.Build(), {}),
            "no trial succeeded; the last one, trial 2: it broke");
  EXPECT_EQ(FailureAtTheEnd(study.Build(), {false, false, "trial 3: boom"}),
            "no trial succeeded; the last one, trial 3: boom");
  EXPECT_EQ(FailureAtTheEnd(StudyBuilder(TuningSpec(9, 1)).Build(), {}),
            "no trial succeeded");
}

TEST(JobOutcomeTest, AJobWithoutAnyValueHasFailedToo) {
  StudyBuilder study(TuningSpec(9, 1));
  study.Failed(TrialEndCause::kNoMetric).Failed(TrialEndCause::kNotFinite);
  EXPECT_EQ(FailureAtTheEnd(study.Build(), {}),
            "no trial has a value of the metric \"loss\"; the last one, trial "
            "2: it broke");
  EXPECT_EQ(FailureAtTheEnd(study.Build(), {true, true, "trial 3: "}),
            std::nullopt);
}

TEST(JobOutcomeTest, AJobWithoutTuningNeedsNoValue) {
  EXPECT_EQ(FailureAtTheEnd(StudyBuilder(PlainSpec()).Build(),
                            {true, false, "trial 1: "}),
            std::nullopt);
}

}  // namespace
}  // namespace vernier
