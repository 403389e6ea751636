#include "cli/live/progress_view.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/timestamp_text.h"

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
                {"trial 1  completed  0.5 at step 3  lr=0.123456789012",
                 "trial 3  failed  lr=0.3  (user error: exit 1)",
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

std::vector<std::string> Draw(const ProgressView& view, std::size_t columns,
                              std::size_t rows = 20) {
  return view.Lines(std::chrono::seconds(65), {columns, rows, Palette::kPlain});
}

TEST(ProgressViewTest, DrawsCountsBestAndWhatRuns) {
  ProgressView view;
  std::vector<std::string> ended;
  ASSERT_TRUE(view.TakeJob(kJob).ok());
  ASSERT_TRUE(view.TakeTrials(kTrials, &ended).ok());
  EXPECT_EQ(
      Draw(view, 100),
      std::vector<std::string>(
          {"digits  RUNNING  [######################........] 3/4  1 running  "
           "1 failed  1m05s",
           "best so far  0.25  #_  (trial 4)  opt=a-very-long-name",
           "last failure  trial 3  user error: exit 1",
           "  trial 2  active  0.75 at step 1  lr=0.2"}));
}

TEST(ProgressViewTest, TheBarGivesWayOnANarrowScreen) {
  ProgressView view;
  std::vector<std::string> ended;
  ASSERT_TRUE(view.TakeJob(kJob).ok());
  ASSERT_TRUE(view.TakeTrials(kTrials, &ended).ok());
  EXPECT_EQ(Draw(view, 64)[0],
            "digits  RUNNING  [#########....] 3/4  1 running  1 failed  1m05s");
  EXPECT_EQ(Draw(view, 55)[0],
            "digits  RUNNING  3/4  1 running  1 failed  1m05s");
  EXPECT_EQ(Draw(view, 40)[0], "digits  RUNNING  3/4  1 running  1m05s");
  EXPECT_EQ(Draw(view, 35)[0], "digits  RUNNING  3/4  1 running");
  for (std::size_t columns = 1; columns < 100; ++columns) {
    for (const std::string& line : Draw(view, columns)) {
      EXPECT_LE(DisplayWidth(line), columns);
    }
  }
}

TEST(ProgressViewTest, FitsALowScreen) {
  ProgressView view;
  std::vector<std::string> ended;
  ASSERT_TRUE(view.TakeJob(kJob).ok());
  ASSERT_TRUE(view.TakeTrials(R"({"trials":[
      {"trialId":"1","state":"ACTIVE"},{"trialId":"2","state":"ACTIVE"},
      {"trialId":"3","state":"ACTIVE"},{"trialId":"4","state":"ACTIVE"}]})",
                              &ended)
                  .ok());
  EXPECT_EQ(Draw(view, 80, 20).size(), 5u);
  EXPECT_EQ(Draw(view, 80, 5).size(), 5u);
  EXPECT_EQ(Draw(view, 80, 4).size(), 4u);
  EXPECT_EQ(Draw(view, 80, 4).back(), "  and 2 more");
  EXPECT_EQ(Draw(view, 80, 2).back(), "  and 4 running");
  EXPECT_EQ(Draw(view, 80, 1).size(), 1u);
}

TEST(ProgressViewTest, ShowsTheServicesEstimateOfTheTimeLeft) {
  ProgressView view;
  ASSERT_TRUE(view.TakeJob(R"({"jobId":"j","state":"RUNNING",
      "vernier":{"maxTrials":7,"runningTrials":2,"timeLeft":"55s",
                 "trialCounts":{"completed":1,"active":2}}})")
                  .ok());
  EXPECT_NE(Draw(view, 100)[0].find("1m05s  ~55s left"), std::string::npos);
  ASSERT_TRUE(view.TakeJob(R"({"jobId":"j","state":"RUNNING",
      "vernier":{"maxTrials":7}})")
                  .ok());
  EXPECT_EQ(Draw(view, 100)[0].find("left"), std::string::npos);
}

TEST(ProgressViewTest, NothingOfAUsersTextMovesTheCursor) {
  ProgressView view(Palette::kColours);
  std::vector<std::string> ended;
  ASSERT_TRUE(view.TakeTrials(R"({"trials":[
      {"trialId":"1","state":"FAILED","endCause":"user_error",
       "message":"\u001b]0;title\u0007 \u009b2J",
       "parameters":[{"name":"c","value":"\u001b[2J\rx","isText":true}]}]})",
                              &ended)
                  .ok());
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0],
            "trial 1  \033[31mfailed\033[0m  c=\xEF\xBF\xBD[2J x  (user error: "
            "\xEF\xBF\xBD]0;title\xEF\xBF\xBD \xEF\xBF\xBD"
            "2J)");
}

TEST(ProgressViewTest, NothingOfAPausedJobRuns) {
  ProgressView view;
  std::vector<std::string> ended;
  ASSERT_TRUE(view.TakeJob(R"({"jobId":"j","state":"RUNNING",
      "vernier":{"wanted":"PAUSE","maxTrials":7}})")
                  .ok());
  ASSERT_TRUE(view.TakeTrials(R"({"trials":[
      {"trialId":"1","state":"ACTIVE","paused":true,
       "attempts":[{"state":"KILLED","endCause":"preempted"}]},
      {"trialId":"2","state":"REQUESTED"}]})",
                              &ended)
                  .ok());
  const std::vector<std::string> lines = Draw(view, 100);
  EXPECT_EQ(lines[0].substr(0, 9), "j  PAUSED");
  EXPECT_NE(lines[0].find(" 0 running"), std::string::npos) << lines[0];
  EXPECT_EQ(lines[1], "  trial 1  paused");
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

TEST(ProgressViewTest, OfALongReasonToWaitTheFirstLineIsShown) {
  ProgressView view;
  ASSERT_TRUE(
      view.TakeJob(
              R"({"jobId":"j","state":"RUNNING","vernier":{"wanted":"PAUSE",
          "waitingFor":"a resume: it fails. Its log:\none\ntwo"}})")
          .ok());
  const std::vector<std::string> lines = Draw(view, 100);
  EXPECT_EQ(lines.back(),
            "  waits for a resume: it fails. Its log: see vernier why j");
}

TEST(ProgressViewTest, SaysOnceThatItPaused) {
  const auto end = [](const char* job) {
    ProgressView view;
    EXPECT_TRUE(view.TakeJob(job).ok());
    return view.EndText();
  };
  EXPECT_EQ(end(R"({"state":"FAILED","errorMessage":"why"})"), "FAILED: why");
  EXPECT_EQ(end(R"({"state":"CANCELLED"})"), "CANCELLED");
  EXPECT_EQ(end(R"({"state":"RUNNING","vernier":{"wanted":"PAUSE"},
                    "errorMessage":"paused by the user"})"),
            "paused by the user");
  EXPECT_EQ(end(R"({"state":"RUNNING","vernier":{"wanted":"PAUSE"},
                    "errorMessage":"it crashes"})"),
            "paused: it crashes");
}

}  // namespace
}  // namespace vernier
