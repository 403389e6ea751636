#include "study/words/event_words.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "study/words/duration_text.h"

namespace vernier {
namespace {

std::string Sentence(const std::string& kind, const std::string& payload = "{}",
                     int trial = 0, int attempt = 0) {
  return SentenceOf(
      WordsOfEvent(kind, trial, attempt, ParseJson(payload).value()));
}

TEST(EventWordsTest, AnEventIsASentence) {
  EXPECT_EQ(Sentence("job.succeeded"), "The job succeeded");
  EXPECT_EQ(Sentence("attempt.exited",
                     R"({"cause":"user_error","exit_code":1,)"
                     R"("lasted_us":125000000,"message":"the loss is NaN"})",
                     3, 2),
            "Trial 3, attempt 2, ended: user error, exit code 1, after 2 min 5 "
            "s, the loss is NaN");
  EXPECT_EQ(Sentence("trial.completed",
                     R"({"cause":"success",)"
                     R"("final_measurement":{"step":30,"value":0.08158}})",
                     3),
            "Trial 3 completed with 0.08158 at step 30");
  EXPECT_EQ(Sentence("job.wanted", R"({"wanted":"pause","reason":"by me"})"),
            "The job is to pause: by me");
  EXPECT_EQ(Sentence("trial.created",
                     R"({"parameters":{"lr":0.001,"opt":"adam"}})", 4),
            "Trial 4 was created: lr 0.001, opt adam");
  EXPECT_EQ(Sentence("trial.created",
                     R"({"parameters":[{"name":"lr","value":0.001}]})", 4),
            "Trial 4 was created: lr 0.001");
  EXPECT_EQ(Sentence("job.revised", R"({"version":2,"changes":"new code"})"),
            "The job has a new version: version 2, new code");
  EXPECT_EQ(Sentence("study.moved", R"({"to":"completed","reason":"closed"})"),
            "The study was closed: closed");
  EXPECT_EQ(Sentence("study.metadata",
                     R"({"items":[{"ns":":attributes","key":"seed"}]})"),
            "The study has new attributes: seed");
  EXPECT_EQ(Sentence("study.metadata",
                     R"({"items":[{"ns":":attributes","key":"seed",)"
                     R"("text":"7","trial":3}]})"),
            "Trial 3 has new attributes: seed");
  EXPECT_EQ(
      Sentence("study.metadata", R"({"items":[{"ns":":vernier","key":"note",)"
                                 R"("text":"look","trial":3}]})"),
      "Trial 3 has a new note: look");
  EXPECT_EQ(Sentence("job.deleted", R"({"job_id":"j"})"),
            "The job was deleted: j");
  EXPECT_EQ(Sentence("some.new_kind"), "some new kind");
  EXPECT_EQ(Sentence("job.failed", "[]"), "The job failed");
}

TEST(EventWordsTest, AnExitIsToldOnce) {
  const auto told = [](const std::string& message) {
    return Sentence("attempt.exited",
                    DumpJson(Json{{"message", message}, {"exit_code", 1}}), 3,
                    1);
  };
  const std::string exited =
      "The replica master 0 exited with a non-zero status of 1. Termination "
      "reason: Error.";
  EXPECT_EQ(told(exited + "\nKeyError: 'lr'"),
            "Trial 3, attempt 1, ended: exit code 1, KeyError: 'lr'");
  EXPECT_EQ(told(exited), "Trial 3, attempt 1, ended: exit code 1");
  EXPECT_EQ(told("The replica master 0 was stopped on request and ended with "
                 "status 15(SIGTERM)."),
            "Trial 3, attempt 1, ended: exit code 1, its program was stopped "
            "on request");
}

TEST(DurationTextTest, SaysTheTwoLargestUnits) {
  using std::chrono::hours;
  using std::chrono::milliseconds;
  using std::chrono::minutes;
  using std::chrono::seconds;
  EXPECT_EQ(DurationText(milliseconds(-1)), "0 s");
  EXPECT_EQ(DurationText(milliseconds(420)), "0.4 s");
  EXPECT_EQ(DurationText(milliseconds(2000)), "2 s");
  EXPECT_EQ(DurationText(milliseconds(12'400)), "12 s");
  EXPECT_EQ(DurationText(seconds(125)), "2 min 5 s");
  EXPECT_EQ(DurationText(minutes(120)), "2 h");
  EXPECT_EQ(DurationText(hours(76)), "3 d 4 h");
  EXPECT_EQ(DurationText(hours(24 * 120 + 5)), "120 d");
}

}  // namespace
}  // namespace vernier
