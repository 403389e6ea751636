#include "daemon/open_work.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

using std::chrono::seconds;

StoreSnapshot Of(const StudyBuilder& job) {
  return {{StudyId{7}, std::make_shared<const StudySnapshot>(job.Build())}};
}

TEST(OpenWorkTest, AJobIsOpenUntilItIsFinal) {
  EXPECT_FALSE(HasOpenJobs({}));
  StudyBuilder job(TuningSpec(2, 1));
  EXPECT_TRUE(HasOpenJobs(Of(job)));
  job.job().state = JobState::kSucceeded;
  EXPECT_FALSE(HasOpenJobs(Of(job)));
}

TEST(OpenWorkTest, TheGraceIsTheLongestOfWhatRuns) {
  JobSpec spec = TuningSpec(2, 1);
  spec.vernier.kill_grace = seconds(40);
  StudyBuilder job(spec);
  EXPECT_FALSE(HasLiveAttempts(Of(job)));
  EXPECT_EQ(LongestGrace(Of(job)), seconds(15));
  job.Active();
  EXPECT_TRUE(HasLiveAttempts(Of(job)));
  EXPECT_EQ(LongestGrace(Of(job)), seconds(55));
}

}  // namespace
}  // namespace vernier
