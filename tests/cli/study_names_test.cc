// Studies that programs run, as the command line shows and completes them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "cli/command/completion.h"
#include "cli/display/study_tables.h"
#include "cli/live/top_data.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kStudies[] = R"({"studies": [
  {"name": "projects/default/locations/local/studies/one", "runByClients": true,
   "state": "ACTIVE", "trialCount": 26, "openTrialCount": 24, "runningTrialCount": 1,
   "metrics": [{"name": "loss", "goal": "MINIMIZE"}],
   "lastActivityTime": "2026-01-02T03:04:05Z",
   "createTime": "2026-01-02T03:00:00Z",
   "workers": [{"name": "process 7 on tower", "presence": "GONE"},
               {"name": "process 8 on tower", "presence": "RUNS"},
               {"name": "worker-1", "presence": "NOT_KNOWN"}]},
  {"name": "owners/me/studies/digits", "runByClients": true,
   "state": "ACTIVE", "idle": true},
  {"name": "projects/default/locations/local/studies/two", "runByClients": true},
  {"name": "owners/me/studies/two", "runByClients": true},
  {"name": "a_job"}]})";

TEST(StudyNamesTest, AreShortWhereNothingElseIsCalledSo) {
  EXPECT_THAT(StudyNames(kStudies, {"a_job", "digits"}),
              ElementsAre("one", "owners/me/studies/digits",
                          "projects/default/locations/local/studies/two",
                          "owners/me/studies/two"));
  EXPECT_THAT(StudyNames("[]", {}), IsEmpty());
  EXPECT_THAT(StudyNames("{", {}), IsEmpty());
}

TEST(StudyNamesTest, AreTakenWhereAStudyMayStand) {
  CLI::App app;
  CLI::App* trials = app.add_subcommand("trials", "");
  std::string job;
  trials->add_subcommand("list", "")->add_option("JOB", job);
  CLI::App* jobs = app.add_subcommand("jobs", "");
  jobs->add_subcommand("pause", "")->add_option("JOB", job);
  app.add_subcommand("logs", "")->add_option("JOB", job);
  EXPECT_TRUE(TakesStudyName(app, {"trials", "list", ""}));
  EXPECT_FALSE(TakesStudyName(app, {"trials", "list", "a", ""}));
  EXPECT_FALSE(TakesStudyName(app, {"jobs", "pause", ""}));
  EXPECT_FALSE(TakesStudyName(app, {"logs", ""}));
}

TEST(WorkedOnTableTest, SaysWhoWorksAndWhatRuns) {
  const auto table = WorkedOnTable(
      std::string(kStudies).substr(std::string("{\"studies\": ").size(),
                                   std::string(kStudies).size() - 13),
      Digits::kFew);
  ASSERT_TRUE(table.ok()) << table.status();
  ASSERT_EQ(table->rows.size(), 5u);
  EXPECT_THAT(std::vector<std::string>(table->rows[0].begin(),
                                       table->rows[0].begin() + 5),
              ElementsAre("one", "ACTIVE", "2/26", "1", ""));
  EXPECT_EQ(table->rows[1][1], "IDLE");
  EXPECT_EQ(table->rows[0].back(),
            "process 7 on tower (has ended), process 8 on tower, worker-1 "
            "(elsewhere)");
}

TEST(StudyFieldTableTest, ShowsReferencesAndConstraints) {
  const auto table = StudyFieldTable(
      R"({"name":"both","metrics":[{"name":"error","goal":"MINIMIZE"},
          {"name":"latency","goal":"MINIMIZE"}],
          "metricConstraints":[{"metric":"memory","max":60}],
          "front":{"trials":["2"],"reference":{"latency":8,"error":0.25}}})",
      Digits::kFew);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_THAT(
      FormatTable(*table),
      testing::AllOf(
          testing::ContainsRegex("constraint memory +<= 60\n"),
          testing::ContainsRegex("reference +error 0.25, latency 8\n")));
}

TEST(TopStudiesTest, AStudyIsARowWithoutAnEnd) {
  const auto studies = ReadTopStudies(kStudies);
  ASSERT_TRUE(studies.ok()) << studies.status();
  const TopJob& one = studies->front();
  EXPECT_EQ(one.shown_id, "one");
  EXPECT_EQ(one.state, "ACTIVE");
  EXPECT_TRUE(one.minimize);
  EXPECT_EQ(one.max_trials, 0);
  EXPECT_EQ(one.running, 1);
  EXPECT_EQ(one.ended, 2);
  EXPECT_FALSE(one.time_left.has_value());
  EXPECT_EQ((*studies)[1].state, "IDLE");
  EXPECT_FALSE(ReadTopStudies("[]").ok());
}

}  // namespace
}  // namespace vernier
