#include "trials/jobs/job_outcome.h"

#include <gtest/gtest.h>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

TEST(JobOutcomeTest, AJobWithAValueHasSucceeded) {
  StudyBuilder study(TuningSpec(9, 1));
  study.Failed().Completed(1).Failed();
  EXPECT_EQ(FailureAtTheEnd(study.Job(), {}), std::nullopt);
  StudyBuilder now(TuningSpec(9, 1));
  now.Failed();
  EXPECT_EQ(FailureAtTheEnd(now.Job(), {true, true, ""}), std::nullopt);
}

TEST(JobOutcomeTest, AJobWithoutAnySuccessHasFailedWithItsLastWords) {
  StudyBuilder study(TuningSpec(9, 1));
  study.Failed().Failed();
  EXPECT_EQ(FailureAtTheEnd(study.Job(), {}),
            "no trial succeeded; the last one, trial 2: it broke");
  EXPECT_EQ(FailureAtTheEnd(study.Job(), {false, false, "trial 3: boom"}),
            "no trial succeeded; the last one, trial 3: boom");
  EXPECT_EQ(FailureAtTheEnd(StudyBuilder(TuningSpec(9, 1)).Job(), {}),
            "no trial succeeded");
}

TEST(JobOutcomeTest, AJobWithoutAnyValueHasFailedToo) {
  StudyBuilder study(TuningSpec(9, 1));
  study.Failed(TrialEndCause::kNoMetric).Failed(TrialEndCause::kNotFinite);
  EXPECT_EQ(FailureAtTheEnd(study.Job(), {}),
            "no trial has a value of the metric \"loss\"; the last one, trial "
            "2: it broke");
  EXPECT_EQ(FailureAtTheEnd(study.Job(), {true, true, "trial 3: "}),
            std::nullopt);
}

TEST(JobOutcomeTest, AJobWithoutTuningNeedsNoValue) {
  EXPECT_EQ(FailureAtTheEnd(StudyBuilder(PlainSpec()).Job(),
                            {true, false, "trial 1: "}),
            std::nullopt);
}

}  // namespace
}  // namespace vernier
