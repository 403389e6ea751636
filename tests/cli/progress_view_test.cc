#include "cli/progress_view.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vernier {
namespace {

constexpr char kJob[] = R"({"jobId":"digits","state":"RUNNING",
  "trainingInput":{"hyperparameters":{"goal":"MINIMIZE"}},
  "vernier":{"wanted":"RUN","maxTrials":4,
             "trialCounts":{"completed":2,"active":1,"failed":1}}})";

constexpr char kTrials[] = R"({"trials":[
  {"trialId":"1","state":"COMPLETED","endCause":"success",
   "parameters":[{"name":"lr","value":"0.123456789012"}],
   "finalMeasurement":{"step":"3","value":0.5}},
  {"trialId":"2","state":"ACTIVE",
   "parameters":[{"name":"lr","value":"0.2"}],
   "lastMeasurement":{"step":"1","value":0.75}},
  {"trialId":"3","state":"FAILED","endCause":"user_error",
   "parameters":[{"name":"lr","value":"0.3"}],"message":"exit 1\nmore"},
  {"trialId":"4","state":"COMPLETED","endCause":"success",
   "parameters":[{"name":"opt","value":"a-very-long-name","isText":true}],
   "finalMeasurement":{"value":0.25}}]})";

TEST(ProgressViewTest, TellsEachEndOnce) {
  ProgressView view;
  ASSERT_TRUE(view.TakeJob(kJob).ok());
  std::vector<std::string> ended;
  ASSERT_TRUE(view.TakeTrials(kTrials, &ended).ok());
  EXPECT_EQ(ended,
            std::vector<std::string>(
                {"trial 1  completed  0.5 at step 3  lr=0.123457",
                 "trial 3  failed  lr=0.3  (user_error: exit 1)",
                 "trial 4  completed  0.25 at step 0  opt=a-very-long-name"}));
  ended.clear();
  ASSERT_TRUE(view.TakeTrials(kTrials, &ended).ok());
  EXPECT_TRUE(ended.empty());
  EXPECT_EQ(view.first_open(), 2);
}

TEST(ProgressViewTest, AsksOnlyForWhatMayHaveChanged) {
  ProgressView view;
  std::vector<std::string> ended;
  ASSERT_TRUE(view.TakeTrials(kTrials, &ended).ok());
  ASSERT_TRUE(view.TakeTrials(R"({"trials":[
      {"trialId":"2","state":"COMPLETED","endCause":"success"},
      {"trialId":"3","endCause":"user_error"},
      {"trialId":"4","endCause":"success"}]})",
                              &ended)
                  .ok());
  EXPECT_EQ(view.first_open(), 5);
}

TEST(ProgressViewTest, ATrialThatWaitsForItsRetryIsQuiet) {
  ProgressView view;
  std::vector<std::string> ended;
  const auto is_quiet = [&](const std::string& state) {
    EXPECT_TRUE(view.TakeTrials(R"({"trials":[{"trialId":"1","state":"ACTIVE",
        "attempts":[{"number":1,"state":"EXITED"},
                    {"number":2,"state":")" +
                                    state + R"("}]}]})",
                                &ended)
                    .ok());
    return view.is_quiet();
  };
  for (const char* state : {"INTENDED", "LAUNCHING", "RUNNING"}) {
    EXPECT_FALSE(is_quiet(state)) << state;
  }
  for (const char* state : {"EXITED", "KILLED", "LOST"}) {
    EXPECT_TRUE(is_quiet(state)) << state;
  }
}

TEST(ProgressViewTest, DrawsCountsBestAndWhatRuns) {
  ProgressView view;
  std::vector<std::string> ended;
  ASSERT_TRUE(view.TakeJob(kJob).ok());
  ASSERT_TRUE(view.TakeTrials(kTrials, &ended).ok());
  EXPECT_EQ(
      view.Lines(std::chrono::seconds(65), 100),
      std::vector<std::string>(
          {"digits  RUNNING  [######################........] 3/4  1 running  "
           "1 failed  1m05s",
           "best so far  0.25  (trial 4)  opt=a-very-long-name",
           "  trial 2  active  lr=0.2  0.75 at step 1"}));
  for (const std::string& line : view.Lines(std::chrono::seconds(65), 20)) {
    EXPECT_LE(line.size(), 20u);
  }
}

TEST(ProgressViewTest, KnowsTheEndAndAPause) {
  ProgressView view;
  ASSERT_TRUE(view.TakeJob(R"({"state":"FAILED","errorMessage":"why"})").ok());
  EXPECT_TRUE(view.is_final());
  EXPECT_EQ(view.error_message(), "why");
  ASSERT_TRUE(
      view.TakeJob(R"({"state":"RUNNING","vernier":{"wanted":"PAUSE"}})").ok());
  EXPECT_TRUE(view.is_paused());
  EXPECT_TRUE(view.is_quiet());
  EXPECT_FALSE(view.TakeJob("[").ok());
}

}  // namespace
}  // namespace vernier
