#include "cli/display/revision_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vernier {
namespace {

using testing::HasSubstr;

TEST(RevisionTextTest, ReadsTheAnswer) {
  const auto news = ReadRevision(
      R"({"job":{},"changes":["new code","maxTrials 3 -> 5"],)"
      R"("codeVersion":2,"restarted":1,"madeUpTrials":3,"hasMoreTrials":true})");
  ASSERT_TRUE(news.ok()) << news.status();
  EXPECT_EQ(news->changes.size(), 2u);
  EXPECT_EQ(news->version, 2);
  EXPECT_EQ(news->restarted, 1);
  EXPECT_EQ(news->made_up_trials, 3);
  EXPECT_TRUE(news->has_more_trials);
  EXPECT_FALSE(news->is_replaced);
  EXPECT_FALSE(ReadRevision("[").ok());
}

TEST(RevisionTextTest, SaysInOneLineHowAJobGoesOn) {
  RevisionNews news;
  EXPECT_EQ(GoesOnText("j", news), "job j goes on; nothing changed");
  news.changes = {"new code", "command changed", "maxTrials 10 -> 20"};
  news.version = 2;
  EXPECT_EQ(GoesOnText("j", news),
            "job j goes on: new code (version 2), command changed, maxTrials "
            "10 -> 20");
  news.changes = {"command changed"};
  news.made_up_trials = 1;
  news.restarted = 2;
  EXPECT_EQ(GoesOnText("j", news),
            "job j goes on: command changed (version 2); 2 trials start again; "
            "1 trial more, in place of as many that failed or were cancelled");
  news.is_replaced = true;
  EXPECT_THAT(GoesOnText("j", news), HasSubstr("had not run anything"));
}

TEST(RevisionTextTest, SaysHowToApplyADifferenceToAJobThatRuns) {
  RevisionNews news;
  EXPECT_EQ(RunsAlreadyText({"j", ""}, news), "job j runs; following it");
  news.changes = {"new code"};
  EXPECT_THAT(RunsAlreadyText({"j", ""}, news), HasSubstr("--restart"));
  EXPECT_THAT(RunsAlreadyText({"j", ""}, news),
              HasSubstr("vernier jobs update j --code DIR"));
  news.changes = {"command changed"};
  EXPECT_THAT(RunsAlreadyText({"j", ""}, news),
              testing::Not(HasSubstr("--code DIR")));
}

TEST(RevisionTextTest, SaysWhatBecomesOfASuccess) {
  RevisionNews news;
  EXPECT_THAT(SucceededText({"j", ""}, news),
              HasSubstr("nothing changed since"));
  news.changes = {"args changed"};
  EXPECT_THAT(SucceededText({"j", ""}, news),
              HasSubstr("nothing was run; what differs: args changed"));
  EXPECT_EQ(UpdatedText("job j", news),
            "job j, for the trials to come: args changed (version 1)");
}

TEST(RevisionTextTest, PrintsCommandsThatReachTheJob) {
  const JobReference job{"j@p", " --data-dir /data"};
  EXPECT_THAT(SucceededText(job, {}),
              HasSubstr("vernier jobs extend j@p --data-dir /data "
                        "--max-trials N"));
  RevisionNews news;
  news.changes = {"new code"};
  EXPECT_THAT(RunsAlreadyText(job, news),
              HasSubstr("vernier jobs update j@p --data-dir /data --code DIR"));
}

}  // namespace
}  // namespace vernier
