#include "cli/imports/optuna_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kStudy[] =
    R"({"op_code": 0, "worker_id": "w", "study_name": "s", "directions": [1]})"
    "\n";
constexpr char kTrial[] = R"({"op_code": 4, "worker_id": "w", "study_id": 0, )"
                          R"("datetime_start": "2026-01-02T03:04:05.000006"})"
                          "\n";
constexpr char kParam[] =
    R"({"op_code": 5, "worker_id": "w", "trial_id": 0, "param_name": "x", )"
    R"("param_value_internal": 0.5, "distribution": )"
    R"("{\"name\": \"FloatDistribution\", \"attributes\": {\"step\": null, )"
    R"(\"low\": 0.0, \"high\": 1.0, \"log\": false}}"})"
    "\n";
constexpr char kComplete[] =
    R"({"op_code": 6, "worker_id": "w", "trial_id": 0, "state": 1, )"
    R"("values": [0.25], "datetime_complete": "2026-01-02T03:05:05+00:00"})"
    "\n";

std::string JournalErrorOf(const std::string& text) {
  const auto studies = ReadOptunaJournal(text, "j.log");
  return studies.ok() ? "" : std::string(studies.status().message());
}

TEST(OptunaJournalTest, IsRecognisedByItsFirstLine) {
  EXPECT_TRUE(IsOptunaJournal(kStudy));
  EXPECT_FALSE(IsOptunaJournal("{\"a\": 1}\n"));
  EXPECT_FALSE(IsOptunaJournal("lr,loss\n"));
  EXPECT_FALSE(IsOptunaJournal(""));
}

TEST(OptunaJournalTest, ReplaysATrial) {
  const auto studies = ReadOptunaJournal(
      absl::StrCat(kStudy, kTrial, kParam,
                   R"({"op_code": 7, "worker_id": "w", "trial_id": 0, )"
                   R"("step": 3, "intermediate_value": NaN})"
                   "\n"
                   R"({"op_code": 8, "worker_id": "w", "trial_id": 0, )"
                   R"("user_attr": {"who": ["me"]}})"
                   "\n",
                   kComplete),
      "j.log");
  ASSERT_TRUE(studies.ok()) << studies.status();
  ASSERT_THAT(*studies, SizeIs(1));
  EXPECT_THAT(studies->front().directions, ElementsAre(Goal::kMinimize));
  ASSERT_THAT(studies->front().trials, SizeIs(1));
  const OptunaTrial& trial = studies->front().trials.front();
  EXPECT_EQ(trial.state, OptunaTrial::State::kComplete);
  EXPECT_THAT(trial.values, ElementsAre(0.25));
  EXPECT_EQ(trial.params.at("x").internal, 0.5);
  EXPECT_TRUE(std::isnan(trial.reports.at(3)));
  EXPECT_EQ(trial.user_attributes.at("who"), R"(["me"])");
  EXPECT_EQ(trial.started, "2026-01-02T03:04:05.000006");
  EXPECT_EQ(trial.ended, "2026-01-02T03:05:05+00:00");
}

TEST(OptunaJournalTest, CountsWhatWasDeleted) {
  const std::string other =
      R"({"op_code": 0, "worker_id": "w", "study_name": "t", "directions": [2]})"
      "\n"
      R"({"op_code": 4, "worker_id": "w", "study_id": 1, "datetime_start": null})"
      "\n";
  const auto studies = ReadOptunaJournal(
      absl::StrCat(kStudy, kTrial,
                   R"({"op_code": 1, "worker_id": "w", "study_id": 0})"
                   "\n",
                   other,
                   R"({"op_code": 6, "worker_id": "w", "trial_id": 1, )"
                   R"("state": 3, "values": null, "datetime_complete": null})"
                   "\n"),
      "j.log");
  ASSERT_TRUE(studies.ok()) << studies.status();
  ASSERT_THAT(*studies, SizeIs(1));
  EXPECT_EQ(studies->front().name, "t");
  ASSERT_THAT(studies->front().trials, SizeIs(1));
  EXPECT_EQ(studies->front().trials[0].state, OptunaTrial::State::kFail);
}

TEST(OptunaJournalTest, PassesOverWhatComesAfterTheEnd) {
  const auto studies = ReadOptunaJournal(
      absl::StrCat(kStudy, kTrial, kComplete, kParam), "j.log");
  ASSERT_TRUE(studies.ok()) << studies.status();
  EXPECT_THAT(studies->front().trials[0].params, IsEmpty());
}

TEST(OptunaJournalTest, LeavesOutALineThatIsBeingWritten) {
  const auto studies =
      ReadOptunaJournal(absl::StrCat(kStudy, R"({"op_code": 4, "stu)"), "j");
  ASSERT_TRUE(studies.ok()) << studies.status();
  EXPECT_THAT(studies->front().trials, IsEmpty());
}

TEST(OptunaJournalTest, NamesTheLineThatIsWrong) {
  EXPECT_THAT(JournalErrorOf(absl::StrCat(kStudy, "{\"op_code\"\n")),
              HasSubstr("j.log: line 2: "));
  EXPECT_THAT(JournalErrorOf(absl::StrCat(kStudy, "[1]\n")),
              HasSubstr("line 2: must be a JSON object"));
  EXPECT_THAT(JournalErrorOf(absl::StrCat(kStudy, R"({"op_code": 11})", "\n")),
              HasSubstr("line 2: op_code"));
  EXPECT_THAT(
      JournalErrorOf(absl::StrCat(kStudy, kTrial,
                                  R"({"op_code": 6, "trial_id": 0, "state": 9})"
                                  "\n")),
      HasSubstr("line 3: state"));
  EXPECT_THAT(JournalErrorOf(absl::StrCat(kStudy, std::string(200, '['), "\n")),
              HasSubstr("line 2: "));
}

}  // namespace
}  // namespace vernier
