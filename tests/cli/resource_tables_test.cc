#include "cli/display/resource_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <optional>
#include <string>
#include <vector>

#include "cli/display/resource_paths.h"

namespace vernier {
namespace {

// Tables show times in the zone of the machine.
[[maybe_unused]] const int kZoneIsSet = ::setenv("TZ", "UTC", 1);

TEST(ResourceTablesTest, JobsShowTrialsAndWhatTheyWaitFor) {
  const auto table = JobTable(R"([
      {"jobId":"a","state":"RUNNING","createTime":"2026-02-03T04:05:06.7Z",
       "vernier":{"maxTrials":9,"wanted":"PAUSE","waitingFor":"you",
                  "trialCounts":{"completed":2,"failed":1,"active":3}}},
      {"jobId":"b","state":"FAILED","errorMessage":"first\nsecond"}])",
                              Digits::kFew);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(FormatTable(*table),
            "JOB_ID  STATE   TRIALS  CREATED                  NOTE\n"
            "a       PAUSED  3/9     2026-02-03 04:05:06 UTC  you\n"
            "b       FAILED  0/0                              first\n");
}

TEST(ResourceTablesTest, PeopleAreToldAnEndInTheirWords) {
  constexpr char kJobs[] = R"([{"jobId":"b","state":"FAILED","errorMessage":
      "The replica master 0 exited with a non-zero status of 3. Termination reason: Error."}])";
  const auto shown = JobTable(kJobs, Digits::kFew);
  const auto exact = JobTable(kJobs, Digits::kAll);
  ASSERT_TRUE(shown.ok() && exact.ok());
  EXPECT_EQ(shown->rows[0].back(), "Its program ended with exit status 3.");
  EXPECT_EQ(exact->rows[0].back(),
            "The replica master 0 exited with a non-zero status of 3. "
            "Termination reason: Error.");
}

TEST(ResourceTablesTest, TimesAreLocalForPeopleAndInUtcForPrograms) {
  EXPECT_EQ(TimeText("2026-02-03T04:05:06.7Z", Digits::kAll),
            "2026-02-03T04:05:06.7Z");
  EXPECT_EQ(TimeText("2026-02-03T04:05:06.7Z", Digits::kFew),
            "2026-02-03 04:05:06 UTC")
      << "the zone of this machine";
  EXPECT_EQ(TimeText("", Digits::kFew), "");
  EXPECT_EQ(TimeText("soon", Digits::kFew), "soon");
}

TEST(ResourceTablesTest, TheSummaryIsGcloudsByTrialNumber) {
  const auto table = JobSummaryTable(R"({
      "trainingInput":{"hyperparameters":{"params":[
          {"parameterName":"lr"},{"parameterName":"opt"}]}},
      "trainingOutput":{"trials":[
          {"trialId":"10","hyperparameters":{"opt":"sgd","lr":"0.1"},
           "finalMetric":{"trainingStep":"8","objectiveValue":45.76672372585389}},
          {"trialId":"9","hyperparameters":{"opt":"adam","lr":"0.2"},
           "finalMetric":{"objectiveValue":0}},
          {"trialId":"2","hyperparameters":{"opt":"sgd","lr":"0.3"}}]}})");
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(FormatTable(*table),
            "TRIAL  OBJECTIVE_VALUE    STEP  LR   OPT\n"
            "2                               0.3  sgd\n"
            "9      0                  0     0.2  adam\n"
            "10     45.76672372585389  8     0.1  sgd\n");
}

constexpr char kTrialsJson[] = R"([
    {"trialId":"1","state":"COMPLETED","endCause":"success","jobDir":"/o/1","filesDir":"/o/1",
     "parameterList":[{"name":"lr","value":"0.12345678901234"},
                   {"name":"opt","value":"12345678901234","isText":true}],
     "finalMeasurement":{"step":"3","value":0.30000000000000004}},
    {"trialId":"2","state":"ACTIVE","waitingFor":"its end",
     "parameterList":[{"name":"lr","value":"0.5"}],
     "lastMeasurement":{"value":0.25}},
    {"trialId":"3","state":"FAILED","endCause":"user_error",
     "message":"exit 3\nlog"}])";

TEST(ResourceTablesTest, TrialsAreShortenedForPeople) {
  EXPECT_EQ(
      FormatTable(*TrialTable(kTrialsJson, TrialFiles::kWith, Digits::kFew)),
      "TRIAL  STATE      OBJECTIVE  STEP  lr                opt             "
      "JOB_DIR  NOTE\n"
      "1      completed  0.3        3     0.12345678901234  12345678901234  "
      "/o/1\n"
      "2      active     0.25       0     0.5                               "
      "         its end\n"
      "3      failed                                                        "
      "         user error: exit 3\n")
      << "parameters are whole, so that a filter finds them";
}

TEST(ResourceTablesTest, ATrialThatIsSetAsideIsPaused) {
  const auto state = [](const std::string& more) {
    const auto table =
        TrialTable(R"([{"trialId":"1","state":"ACTIVE")" + more + "}]",
                   TrialFiles::kWithout, Digits::kFew);
    return table.ok() ? table->rows[0][1] : table.status().ToString();
  };
  EXPECT_EQ(state(R"(,"paused":true)"), "paused");
  EXPECT_EQ(state(""), "active");
  const auto table = TrialFieldTable(
      R"({"state":"ACTIVE","paused":true,"endCause":"user_error"})",
      Digits::kFew);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->rows[0], (std::vector<std::string>{"state", "PAUSED"}));
  EXPECT_EQ(table->rows[1],
            (std::vector<std::string>{"endCause", "user error"}));
}

TEST(ResourceTablesTest, PausedTrialsOfAJobAreNoneOfTheActive) {
  const auto table =
      JobFieldTable(R"({"vernier":{"trialCounts":{"active":2,"completed":3},)"
                    R"("pausedTrials":2}})",
                    Digits::kFew);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_THAT(FormatTable(*table),
              testing::ContainsRegex("trialStates +completed 3, paused 2\n"));
}

TEST(ResourceTablesTest, AJobShowsWhereItsFilesAreAndWhatWasNotCopied) {
  const auto table =
      JobFieldTable(R"({"jobId":"j","vernier":{"outputDir":"/runs/1",)"
                    R"("codeNotes":["not copied with the code: .git"]}})",
                    Digits::kFew);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_THAT(
      FormatTable(*table),
      testing::AllOf(testing::ContainsRegex("files +/runs/1\n"),
                     testing::ContainsRegex("code +not copied with the code")));
}

TEST(ResourceTablesTest, AndWholeForPrograms) {
  EXPECT_EQ(
      FormatCsv(*TrialTable(kTrialsJson, TrialFiles::kWithout, Digits::kAll)),
      "TRIAL,STATE,OBJECTIVE,STEP,lr,opt,NOTE\n"
      "1,completed,0.30000000000000004,3,0.12345678901234,12345678901234,\n"
      "2,active,0.25,0,0.5,,its end\n"
      "3,failed,,,,,user error: exit 3\n");
}

TEST(ResourceTablesTest, CsvColumnsAreTheSearchSpacesWhateverTheRowsAre) {
  const TrialColumns names = {{"lr", "opt", "momentum"}, {}};
  EXPECT_EQ(
      FormatCsv(*TrialTable("[]", TrialFiles::kWith, Digits::kAll, names)),
      "TRIAL,STATE,OBJECTIVE,STEP,lr,opt,momentum,JOB_DIR,NOTE\n");
  const char* one = R"([{"trialId":"1","state":"ACTIVE",
      "parameterList":[{"name":"momentum","value":"0.5"}]}])";
  EXPECT_EQ(
      FormatCsv(*TrialTable(one, TrialFiles::kWithout, Digits::kAll, names)),
      "TRIAL,STATE,OBJECTIVE,STEP,lr,opt,momentum,NOTE\n"
      "1,active,,,,,0.5,\n");
  const char* several = R"([{"trialId":"1","state":"COMPLETED",
      "endCause":"success","finalMeasurement":{"step":"3","value":0.5},
      "finalMetrics":{"acc":0.5,"ms":2}},{"trialId":"2","state":"FAILED"}])";
  EXPECT_EQ(FormatCsv(*TrialTable(several, TrialFiles::kWithout, Digits::kAll,
                                  TrialColumns{{"lr"}, {"acc", "ms"}})),
            "TRIAL,STATE,acc,ms,STEP,lr,NOTE\n"
            "1,completed,0.5,2,3,,\n2,failed,,,,,\n");
}

TEST(ResourceTablesTest, WhatAnEditHasDroppedHasAColumnBehindTheOthers) {
  const char* trials = R"([{"trialId":"1","state":"COMPLETED",
      "endCause":"success","finalMeasurement":{"value":0.5},
      "parameterList":[{"name":"old","value":"3"},{"name":"lr","value":"0.1"}]}
      ])";
  EXPECT_EQ(FormatCsv(*TrialTable(trials, TrialFiles::kWithout, Digits::kAll,
                                  TrialColumns{{"lr", "new"}, {}})),
            "TRIAL,STATE,OBJECTIVE,STEP,lr,new,old,NOTE\n"
            "1,completed,0.5,0,0.1,,3,\n");
  const auto summary = JobSummaryTable(R"({
      "trainingInput":{"hyperparameters":{"params":[{"parameterName":"lr"}]}},
      "trainingOutput":{"trials":[
          {"trialId":"1","hyperparameters":{"z":"1","old":"3","lr":"0.1"}}]}})");
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(FormatCsv(*summary),
            "TRIAL,OBJECTIVE_VALUE,STEP,LR,OLD,Z\n1,,,0.1,3,1\n");
}

// Its trials may tell more metrics than the study has.
TEST(ResourceTablesTest, MetricsOfAClientStudyHaveColumns) {
  const TrialColumns both = {
      {"x"},
      MetricNamesIn(R"({"metrics":[{"name":"b","goal":"MINIMIZE"},
          {"name":"a","goal":"MINIMIZE"}],
          "metricConstraints":[{"metric":"a","max":3}]})")
          .value()};
  EXPECT_THAT(MetricNamesIn(R"({"metrics":[{"name":"b"}],
          "metricConstraints":[{"metric":"b","min":3},{"metric":"c"}]})")
                  .value(),
              testing::ElementsAre("b", "c"));
  const char* trials = R"([{"trialId":"1","state":"COMPLETED",
      "endCause":"success","finalMeasurement":{"value":2},
      "finalMetrics":{"m":7,"extra":0,"a":1,"b":2}},
      {"trialId":"2","state":"ACTIVE"}])";
  EXPECT_EQ(
      FormatCsv(*TrialTable(trials, TrialFiles::kWithout, Digits::kAll, both)),
      "TRIAL,STATE,b,a,extra,m,STEP,x,NOTE\n"
      "1,completed,2,1,0,7,0,,\n2,active,,,,,,,\n");
  EXPECT_EQ(
      FormatCsv(*TrialTable("[]", TrialFiles::kWithout, Digits::kAll, both)),
      "TRIAL,STATE,b,a,STEP,x,NOTE\n");
}

TEST(ResourceTablesTest, AnOnlyMetricIsTheObjectiveWhereOthersToldMore) {
  const char* trials = R"([{"trialId":"1","state":"COMPLETED",
      "endCause":"success","finalMeasurement":{"value":2}},
      {"trialId":"2","state":"COMPLETED","endCause":"success",
       "finalMeasurement":{"value":3},"finalMetrics":{"time":7,"loss":3}}])";
  EXPECT_EQ(FormatCsv(*TrialTable(trials, TrialFiles::kWithout, Digits::kAll,
                                  TrialColumns{{}, {"loss"}})),
            "TRIAL,STATE,loss,time,STEP,NOTE\n"
            "1,completed,2,,0,\n2,completed,3,7,0,\n");
  EXPECT_EQ(FormatCsv(*TrialTable("[]", TrialFiles::kWithout, Digits::kAll,
                                  TrialColumns{{}, {"loss"}})),
            "TRIAL,STATE,OBJECTIVE,STEP,NOTE\n");
}

TEST(ResourceTablesTest, ATrialSaysWhichConstraintItBreaks) {
  const auto note = [&](const std::string& more) {
    const std::string trial = R"({"trialId":"1","state":"COMPLETED",
        "endCause":"success","finalMeasurement":{"value":1})" +
                              more + "}";
    const auto table =
        TrialTable("[" + trial + "]", TrialFiles::kWithout, Digits::kFew,
                   TrialColumns{{}, {"acc", "memory"}});
    const auto fields = TrialFieldTable(trial, Digits::kFew);
    EXPECT_TRUE(table.ok() && fields.ok());
    std::string field;
    for (const auto& row : fields->rows) {
      if (row[0] == "constraint") field = row[1];
    }
    EXPECT_EQ(field, table->rows[0].back());
    return field;
  };
  EXPECT_EQ(note(""), "");
  EXPECT_EQ(note(R"(,"brokenConstraints":["memory <= 2500"])"),
            "breaks the constraint memory <= 2500");
  EXPECT_EQ(note(R"x(,"brokenConstraints":["memory <= 2500 (no value)",
                                           "acc >= 0.5 and <= 1"])x"),
            "breaks the constraints memory <= 2500 (no value), "
            "acc >= 0.5 and <= 1");
}

TEST(ResourceTablesTest, TheSummaryHasConditionalParametersToo) {
  const auto table = JobSummaryTable(R"({
      "trainingInput":{"hyperparameters":{"params":[
          {"parameterName":"opt","childParameterSpecs":[
              {"parameterName":"momentum"},{"parameterName":"lr"}]},
          {"parameterName":"n"}]}},
      "trainingOutput":{"trials":[
          {"trialId":"1","hyperparameters":{"momentum":"0.5"}}]}})");
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(FormatTable(*table),
            "TRIAL  OBJECTIVE_VALUE  STEP  OPT  MOMENTUM  LR  N\n"
            "1                                  0.5\n");
}

TEST(ResourceTablesTest, ATrialsFieldsIncludeItsAttempts) {
  const auto table = TrialFieldTable(
      R"({"trialId":"1","state":"FAILED","attempts":[
          {"number":1,"state":"EXITED","exitCode":0,"endCause":"no_metric",
           "runDir":"/r"}],"filesDir":"/r/work"})",
      Digits::kFew);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(FormatTable(*table),
            "FIELD             VALUE\n"
            "trialId           1\n"
            "state             FAILED\n"
            "files             /r/work\n"
            "attempt 1         exited, exit status 0, no metric\n"
            "attempt 1 folder  /r\n");
}

TEST(ResourceTablesTest, WithoutAJobDirFilesAreInTheWorkingDirectory) {
  const char* trials = R"([{"trialId":"1","state":"COMPLETED",
      "endCause":"success","filesDir":"/r/2/work"},
      {"trialId":"2","state":"REQUESTED"}])";
  for (const TrialFiles files : {TrialFiles::kWith, TrialFiles::kWithout}) {
    EXPECT_EQ(FormatTable(*TrialTable(trials, files, Digits::kFew)),
              "TRIAL  STATE      OBJECTIVE  STEP  FILES\n"
              "1      completed                   /r/2/work\n"
              "2      requested\n");
  }
}

TEST(ResourceTablesTest, ZeroHasNoSign) {
  EXPECT_EQ(ShortNumber(-0.0), "0");
  EXPECT_EQ(ShortNumber(-1e-9), "-1e-09");
  const char* trials = R"([{"trialId":"1","state":"COMPLETED",
      "endCause":"success","finalMeasurement":{"step":"1","value":-0.0},
      "parameterList":[{"name":"x","value":"-0.0"}]}])";
  EXPECT_EQ(FormatCsv(*TrialTable(trials, TrialFiles::kWithout, Digits::kAll)),
            "TRIAL,STATE,OBJECTIVE,STEP,x\n1,completed,0,1,0\n");
}

// The command line adds the 0 that the service leaves out as 0.0.
TEST(ResourceTablesTest, ZeroIsShownAsOtherWholeNumbers) {
  const char* trials = R"([
      {"trialId":"1","state":"COMPLETED","endCause":"success",
       "finalMeasurement":{"step":"1","value":0.0}},
      {"trialId":"2","state":"COMPLETED","endCause":"success",
       "finalMeasurement":{"step":"1","value":1}}])";
  EXPECT_EQ(FormatCsv(*TrialTable(trials, TrialFiles::kWithout, Digits::kAll)),
            "TRIAL,STATE,OBJECTIVE,STEP\n1,completed,0,1\n2,completed,1,1\n");
}

TEST(ResourceTablesTest, AMeasurementMayHaveNoTime) {
  EXPECT_EQ(FormatTable(*MeasurementTable(
                R"([{"metric":"acc","step":"1","value":0.5}])", Digits::kFew)),
            "METRIC  STEP  VALUE  TIME  SOURCE\nacc     1     0.5\n");
}

}  // namespace
}  // namespace vernier
