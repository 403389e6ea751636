#include "trials/jobs/job_times.h"

#include <gtest/gtest.h>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

SteadyTime At(int seconds) { return SteadyTime{std::chrono::seconds(seconds)}; }

TEST(JobTimesTest, CountsWaitingAndRunningApartOnTopOfWhatIsStored) {
  JobTimekeeper keeper(std::chrono::seconds(30));
  StudyBuilder study(TuningSpec(1, 1));
  JobRecord& job = study.job();
  job.waited_for = std::chrono::seconds(100);
  job.ran_for = std::chrono::seconds(1000);
  keeper.Measure(job, At(10));
  EXPECT_EQ(keeper.Measure(job, At(15)).waited_for, std::chrono::seconds(105));
  job.state = JobState::kRunning;
  const JobTimes times = keeper.Measure(job, At(18));
  EXPECT_EQ(times.waited_for, std::chrono::seconds(105));
  EXPECT_EQ(times.ran_for, std::chrono::seconds(1003));
}

TEST(JobTimesTest, AsksForACheckpointOnceAPeriod) {
  JobTimekeeper keeper(std::chrono::seconds(30));
  const StudyBuilder study(TuningSpec(1, 1));
  const JobRecord& job = study.Build().job;
  keeper.Measure(job, At(0));
  EXPECT_FALSE(keeper.NeedsCheckpoint(job.study, At(29)));
  EXPECT_TRUE(keeper.NeedsCheckpoint(job.study, At(30)));
  keeper.Checkpointed(job.study, At(30));
  EXPECT_FALSE(keeper.NeedsCheckpoint(job.study, At(59)));
}

TEST(JobTimesTest, AReopenedJobStartsFromWhatIsStored) {
  JobTimekeeper keeper(std::chrono::seconds(30));
  StudyBuilder study(TuningSpec(1, 1));
  study.job().state = JobState::kRunning;
  keeper.Measure(study.job(), At(0));
  keeper.Measure(study.job(), At(50));
  study.job().state = JobState::kSucceeded;
  keeper.Forget(
      {{study.job().study, std::make_shared<StudySnapshot>(study.Build())}});
  study.job().state = JobState::kRunning;
  EXPECT_EQ(keeper.Measure(study.job(), At(90)).ran_for.count(), 0);
}

}  // namespace
}  // namespace vernier
