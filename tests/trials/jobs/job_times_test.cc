#include "trials/jobs/job_times.h"

#include <gtest/gtest.h>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

SteadyTime At(int seconds) { return SteadyTime{std::chrono::seconds(seconds)}; }

TEST(JobTimesTest, CountsWaitingAndRunningApartOnTopOfWhatIsStored) {
  JobTimekeeper keeper(std::chrono::seconds(30));
  StudyBuilder study(TuningSpec(1, 1));
  study.job().waited_for = std::chrono::seconds(100);
  study.job().ran_for = std::chrono::seconds(1000);
  keeper.Measure(study.Job(), At(10));
  EXPECT_EQ(keeper.Measure(study.Job(), At(15)).waited_for,
            std::chrono::seconds(105));
  study.job().state = JobState::kRunning;
  const JobTimes times = keeper.Measure(study.Job(), At(18));
  EXPECT_EQ(times.waited_for, std::chrono::seconds(105));
  EXPECT_EQ(times.ran_for, std::chrono::seconds(1003));
}

TEST(JobTimesTest, AsksForACheckpointOnceAPeriod) {
  JobTimekeeper keeper(std::chrono::seconds(30));
  const StudyBuilder study(TuningSpec(1, 1));
  const StudyRecord& job = study.Build();
  keeper.Measure(study.Job(), At(0));
  EXPECT_FALSE(keeper.NeedsCheckpoint(job.id, At(29)));
  EXPECT_TRUE(keeper.NeedsCheckpoint(job.id, At(30)));
  keeper.Checkpointed(job.id, At(30));
  EXPECT_FALSE(keeper.NeedsCheckpoint(job.id, At(59)));
}

TEST(JobTimesTest, AReopenedJobStartsFromWhatIsStored) {
  JobTimekeeper keeper(std::chrono::seconds(30));
  StudyBuilder study(TuningSpec(1, 1));
  study.job().state = JobState::kRunning;
  keeper.Measure(study.Job(), At(0));
  keeper.Measure(study.Job(), At(50));
  study.job().state = JobState::kSucceeded;
  keeper.Forget(
      {{study.record().id, std::make_shared<StudySnapshot>(study.Build())}});
  study.job().state = JobState::kRunning;
  EXPECT_EQ(keeper.Measure(study.Job(), At(90)).ran_for.count(), 0);
}

}  // namespace
}  // namespace vernier
