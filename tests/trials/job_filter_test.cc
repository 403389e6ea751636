#include "trials/job_filter.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace vernier {
namespace {

StudySnapshot CensusJob() {
  StudySnapshot job;
  job.run.emplace<JobRun>();
  job.name = "census_3";
  JobRunOf(job).state = JobState::kRunning;
  job.labels = {{"team", "vision"}, {"phase", "2"}};
  job.created_at =
      Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 2 / 3));
  return job;
}

struct FilterCase {
  const char* filter;
  bool matches;
};

class JobFilterTest : public testing::TestWithParam<FilterCase> {};

TEST_P(JobFilterTest, Selects) {
  const auto filter = JobFilter::Parse(GetParam().filter);
  ASSERT_TRUE(filter.ok()) << filter.status();
  EXPECT_EQ(filter->Matches(JobOf(CensusJob())), GetParam().matches)
      << GetParam().filter;
}

INSTANTIATE_TEST_SUITE_P(
    Table, JobFilterTest,
    testing::Values(
        FilterCase{"", true}, FilterCase{"  ", true},
        FilterCase{"jobId:census*", true}, FilterCase{"jobId:ensus*", false},
        FilterCase{"jobId:ensus", true}, FilterCase{"jobId=census", false},
        FilterCase{"state:RUNNING", true}, FilterCase{"state=running", true},
        FilterCase{"state!=RUNNING", false},
        FilterCase{"jobId:rnn* AND state:RUNNING", false},
        FilterCase{"jobId:rnn* OR state:RUNNING", true},
        FilterCase{"state:FAILED OR jobId:c* AND state:FAILED", false},
        FilterCase{"jobId:census* state:RUNNING", true},
        FilterCase{"NOT state:FAILED", true},
        FilterCase{"-state:RUNNING", false},
        FilterCase{"NOT (state:FAILED OR jobId:census*)", false},
        FilterCase{"createTime>2017-01-15T19:00", true},
        FilterCase{"createTime<2017-01-15T19:00", false},
        FilterCase{"createTime>\"2017-01-15 19:00:00\"", true},
        FilterCase{"createTime<\"2017-01-15 19:00:00\"", false},
        FilterCase{"createTime>\"2017-01-15 20:00 +01:00\"", true},
        FilterCase{"labels.team=vision", true},
        FilterCase{"labels.team:*", true}, FilterCase{"labels.owner:*", false},
        FilterCase{"labels.owner!=me", true},
        FilterCase{"endTime>2017-01-01", false},
        FilterCase{"jobId = \"census_3\"", true}));

TEST(JobFilterPauseTest, APausedJobIsFoundByBothOfItsStates) {
  StudySnapshot job = CensusJob();
  const auto matches = [&job](const char* text) {
    return JobFilter::Parse(text)->Matches(JobOf(job));
  };
  EXPECT_FALSE(matches("state=PAUSED"));
  JobRunOf(job).wanted = JobWanted::kPause;
  EXPECT_TRUE(matches("state=PAUSED"));
  EXPECT_TRUE(matches("state:paused"));
  EXPECT_TRUE(matches("state=RUNNING")) << "as AI Platform's clients ask";
  EXPECT_FALSE(matches("state!=PAUSED"));
  EXPECT_FALSE(matches("NOT state=PAUSED"));
  EXPECT_TRUE(matches("state!=QUEUED"));
}

TEST(JobFilterErrorTest, SaysWhatIsWrongAndWhatWouldBeRight) {
  const std::pair<const char*, const char*> cases[] = {
      {"jobid=x", "unknown key \"jobid\"; known are jobId, state"},
      {"state", "character 6: expected one of = != < <= > >= :"},
      {"state=", "character 7: expected a value"},
      {"(state=a", "expected )"},
      {"state=a AND", "expected a key"},
      {"state=\"a", "this quote has no end"},
      {"state=a)", "expected AND, OR or the end"},
      {"state:RUNNNING",
       "unknown state \"RUNNNING\"; did you mean RUNNING?; known are QUEUED, "
       "PREPARING, RUNNING, CANCELLING, SUCCEEDED, FAILED, CANCELLED, PAUSED"},
      {"createTime>now",
       "createTime is compared with \"now\", which is no time; write one like "
       "2026-02-03T04:05:06Z"},
      {"endTime!=\"26.11.2026 18:58\"", "which is no time"},
      {"startTime<1764183480", "which is no time"},
      {"jobId:x AND NOT state!=done", "unknown state \"done\"; known are"},
  };
  for (const auto& [text, message] : cases) {
    const auto filter = JobFilter::Parse(text);
    EXPECT_EQ(filter.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(filter.status().message().find(message), std::string::npos)
        << text << ": " << filter.status();
  }
}

TEST(JobFilterErrorTest, DeepNestingIsRefused) {
  const std::string deep(2000, '(');
  EXPECT_EQ(JobFilter::Parse(deep + "state=a").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(JobFilter::Parse(std::string(5000, ' ')).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace vernier
