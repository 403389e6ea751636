// What every Store does with measurements.

#include <chrono>
#include <cmath>
#include <limits>

#include "tests/store/store_conformance.h"

namespace vernier {
namespace {

using absl::StatusCode;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST_P(StoreConformanceTest, SummarisesTheObjective) {
  for (const Goal goal : {Goal::kMaximize, Goal::kMinimize}) {
    const StudyId study = AddRunningJob(
        1, {.job_id = goal == Goal::kMaximize ? "up" : "down", .goal = goal});
    const AttemptKey key{study, TrialId{1}, 1};
    MustCommit({AddMeasurements{key, {Report(1, 5), Report(3, 2)}}});
    MustCommit({AddMeasurements{
        key,
        {Report(2, 9), Report(4, 1, "accuracy"), Report(5, std::nan(""))}}});
    const MetricSummary objective = Trial(study, 1).objective;
    EXPECT_EQ(objective.last, (FinalMeasurement{2, 9})) << "said last";
    EXPECT_EQ(objective.last_attempt, 1);
    EXPECT_EQ(objective.last_reported_at, At(100));
    EXPECT_EQ(objective.best, goal == Goal::kMaximize
                                  ? (FinalMeasurement{2, 9})
                                  : (FinalMeasurement{3, 2}));
    EXPECT_EQ(objective.finite_count, 3);
    EXPECT_EQ(objective.not_finite_count, 1);
    EXPECT_EQ(Trial(study, 1).metrics_seen,
              (std::vector<SeenMetric>{{"loss"}, {"accuracy"}}));
  }
}

// What was reported last, not what came last.
TEST_P(StoreConformanceTest, KnowsWhetherTheLastValueIsFinite) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  const auto last = [&]() -> std::optional<double> {
    const auto& value = Trial(study, 1).objective.not_finite_last;
    if (!value.has_value()) return std::nullopt;
    return static_cast<double>(value->step) + (value->value > 0 ? 0.5 : 0);
  };
  MustCommit({AddMeasurements{key, {Report(1, 5), Report(3, std::nan(""))}}});
  EXPECT_EQ(last(), 3);
  MustCommit({AddMeasurements{key, {Report(2, 4, "loss", 90)}}});
  EXPECT_EQ(last(), 3) << "an earlier time";
  MustCommit(
      {AddMeasurements{key, {Report(2, kInfinity, "loss", 95), Report(4, 3)}}});
  EXPECT_EQ(last(), std::nullopt);
  MustCommit({AddMeasurements{key, {Report(5, kInfinity)}}});
  EXPECT_EQ(last(), 5.5);
  MustCommit({AddMeasurements{key, {Report(6, -kInfinity), Report(7, 1)}}});
  EXPECT_EQ(last(), std::nullopt);
  EXPECT_EQ(Trial(study, 1).objective.last, (FinalMeasurement{7, 1}));
  MustCommit({AddMeasurements{key, {Report(8, -kInfinity)}}});
  EXPECT_EQ(last(), 8);
}

Measurement By(MetricRoad road, Measurement measurement) {
  measurement.road = road;
  return measurement;
}

TEST_P(StoreConformanceTest, TheClearestRoadOfTheObjectiveCounts) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({AddMeasurements{key,
                              {By(MetricRoad::kStdout, Report(900, 1)),
                               By(MetricRoad::kTrainingEvents, Report(3, 2)),
                               By(MetricRoad::kStdout, Report(901, 1))}}});
  EXPECT_EQ(Trial(study, 1).objective.last, (FinalMeasurement{3, 2}));
  EXPECT_EQ(Trial(study, 1).objective.road, MetricRoad::kTrainingEvents);
  MustCommit(
      {AddMeasurements{key,
                       {By(MetricRoad::kHypertuneFile, Report(1, 7)),
                        By(MetricRoad::kValidationEvents, Report(4, 8)),
                        By(MetricRoad::kStdout, Report(902, 1, "accuracy"))}}});
  const MetricSummary objective = Trial(study, 1).objective;
  EXPECT_EQ(objective.road, MetricRoad::kHypertuneFile);
  EXPECT_EQ(objective.last, (FinalMeasurement{1, 7}));
  EXPECT_EQ(objective.best, (FinalMeasurement{1, 7}));
  EXPECT_EQ(objective.finite_count, 1);
  // What came before stays, and each says how it came.
  std::vector<std::pair<std::int64_t, MetricRoad>> list;
  const std::vector<Measurement> all =
      store().ListMeasurements(study, TrialId{1}, "loss", 10).value();
  for (const Measurement& one : all) {
    list.emplace_back(one.step, one.road);
  }
  EXPECT_EQ(list, (std::vector<std::pair<std::int64_t, MetricRoad>>{
                      {1, MetricRoad::kHypertuneFile},
                      {3, MetricRoad::kTrainingEvents},
                      {900, MetricRoad::kStdout}}));
}

TEST_P(StoreConformanceTest, ListsWhatOneAttemptMeasuredBeyondAStep) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({AddMeasurements{
      key,
      {Report(1, 1), Report(2, 2, "loss", 102), Report(2, 3, "loss", 103),
       Report(3, 4), Report(7, 9, "accuracy"), Report(9, 5)}}});
  const auto after = [&](const AttemptKey& attempt, std::int64_t step,
                         std::size_t limit,
                         const std::string& metric = "loss") {
    const std::vector<Measurement> list =
        store().ListMeasurementsAfter(attempt, metric, step, limit).value();
    std::vector<double> values;
    for (const Measurement& one : list) {
      EXPECT_EQ(one.metric, metric);
      values.push_back(one.value);
    }
    return values;
  };
  EXPECT_EQ(after(key, -5, 99), (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(after(key, 1, 99), (std::vector<double>{2, 3, 4, 5}));
  EXPECT_EQ(after(key, 1, 2), (std::vector<double>{2, 3}));
  EXPECT_EQ(after(key, 9, 99), std::vector<double>{});
  EXPECT_EQ(after(key, 0, 99, "accuracy"), std::vector<double>{9});
  EXPECT_EQ(after(key, 0, 99, "nobody's"), std::vector<double>{});
  EXPECT_EQ(after({study, TrialId{1}, 2}, 0, 99), std::vector<double>{});
  EXPECT_EQ(store()
                .ListMeasurementsAfter({study, TrialId{9}, 1}, "loss", 0, 99)
                .status()
                .code(),
            absl::StatusCode::kNotFound);
}

// A printed value, of the line that begins at byte `place`.
Measurement Printed(std::int64_t place, std::int64_t step, double value,
                    const std::string& metric = "loss") {
  Measurement measurement =
      By(MetricRoad::kStdout, Report(step, value, metric));
  measurement.reported_at = Timestamp(std::chrono::microseconds(place));
  return measurement;
}

TEST_P(StoreConformanceTest, WhatIsReadAgainIsTheSame) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  for (int i = 0; i < 2; ++i) {
    MustCommit({AddMeasurements{
        key, {Printed(0, 1, 5), Printed(9, 1, 4), Printed(18, 1, 5)}}});
  }
  EXPECT_EQ(Trial(study, 1).objective.finite_count, 3);
  EXPECT_EQ(Trial(study, 1).objective.last, (FinalMeasurement{1, 5}));
}

TEST_P(StoreConformanceTest, TheLastOfTheSourceIsTheLastHoweverItIsRead) {
  const std::vector<Measurement> log = {Printed(0, 10, 9), Printed(20, 30, 7),
                                        Printed(40, 30, 5), Printed(60, 20, 1)};
  for (const std::vector<std::size_t>& order :
       std::vector<std::vector<std::size_t>>{
           {0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}}) {
    const StudyId study =
        AddRunningJob(1, {.job_id = "order" + std::to_string(order.front())});
    const AttemptKey key{study, TrialId{1}, 1};
    for (const std::size_t i : order) {
      MustCommit({AddMeasurements{key, {log[i]}}});
    }
    EXPECT_EQ(Trial(study, 1).objective.last, (FinalMeasurement{20, 1}));
    EXPECT_EQ(Trial(study, 1).objective.finite_count, 4);
  }
}

// Earlier releases gave what is printed the time of its reading.
TEST_P(StoreConformanceTest, WhatIsReadAnewComesBehindWhatWasTimed) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  Measurement old = By(MetricRoad::kStdout, Report(7, 5));
  old.reported_at = Timestamp(std::chrono::seconds(1700000000));
  MustCommit({AddMeasurements{key, {old}}});
  MustCommit({AddMeasurements{key, {Printed(0, 1, 4), Printed(9, 2, 3)}}});
  EXPECT_EQ(Trial(study, 1).objective.last, (FinalMeasurement{2, 3}));
}

TEST_P(StoreConformanceTest, OfCallsOfOneStepTheLaterOneCounts) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  // One body, thus one time.
  AddMeasurements calls{key, {Report(1, 5), Report(1, 4), Report(1, 5)}};
  calls.may_be_repeated = true;
  MustCommit({calls});
  EXPECT_EQ(Trial(study, 1).objective.last, (FinalMeasurement{1, 5}));
  EXPECT_EQ(Trial(study, 1).objective.finite_count, 3);
  calls.measurements = {Report(1, 3, "loss", 200)};
  MustCommit({calls, calls});
  EXPECT_EQ(Trial(study, 1).objective.last, (FinalMeasurement{1, 3}));
  EXPECT_EQ(Trial(study, 1).objective.finite_count, 4) << "sent again";
  // What nobody may have sent again is another call, also in one instant.
  MustCommit({AddMeasurements{key, {Report(1, 3, "loss", 200)}},
              AddMeasurements{key, {Report(1, 2, "loss", 200)}}});
  EXPECT_EQ(Trial(study, 1).objective.last, (FinalMeasurement{1, 2}));
  EXPECT_EQ(Trial(study, 1).objective.finite_count, 6);
}

TEST_P(StoreConformanceTest, CallsOfOneInstantKeepTheirOrder) {
  const StudyId study = AddRunningJob();
  MustCommit({AddMeasurements{
      {study, TrialId{1}, 1},
      {Report(2, 5), Report(2, 4), Report(1, 3), Report(1, 2, "loss", 50)}}});
  EXPECT_EQ(Trial(study, 1).objective.last, (FinalMeasurement{1, 2}));
}

TEST_P(StoreConformanceTest,
       WhatElseWasPrintedCountsWhileTheObjectiveIsMissing) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({AddMeasurements{key, {Printed(0, 1, 5, "acc")}}});
  MustCommit({AddMeasurements{key, {Report(1, 3)}}});
  MustCommit({AddMeasurements{key, {Printed(9, 1, 5, "noise")}}});
  EXPECT_EQ(Trial(study, 1).metrics_seen,
            (std::vector<SeenMetric>{{"acc", MetricRoad::kStdout}, {"loss"}}));
}

Measurement EventReport(std::int64_t step, double value, int at,
                        const std::string& metric = "loss") {
  return By(MetricRoad::kEvents, Report(step, value, metric, at));
}

// A restart that TensorBoard would show, too: of the objective, by event files.
CurveRestart Restart(std::int64_t from_step, int at,
                     const std::string& metric = "loss") {
  return {metric, MetricRoad::kEvents, from_step, At(at)};
}

TEST_P(StoreConformanceTest, ARestartTakesLaterStepsBack) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  const auto list = [&](const std::string& metric) {
    return MeasurementsText(
        store().ListMeasurements(study, TrialId{1}, metric, 99).value());
  };
  MustCommit({AddMeasurements{
      key,
      {EventReport(4, 4, 104), EventReport(5, 90, 105),
       EventReport(6, std::nan(""), 106), EventReport(7, 80, 107),
       EventReport(7, 70, 107, "accuracy")}}});
  AddMeasurements again{key, {EventReport(5, 5, 205)}};
  again.restarts = {Restart(5, 200)};
  MustCommit({again});
  const std::string expected =
      MeasurementsText({EventReport(4, 4, 104), EventReport(5, 5, 205)});
  EXPECT_EQ(list("loss"), expected);
  EXPECT_EQ(list("accuracy"),
            MeasurementsText({EventReport(7, 70, 107, "accuracy")}));
  EXPECT_EQ(store()
                .ListStudyMeasurements(study, TrialId{1}, TrialId{1}, 99)
                .value()
                .size(),
            3u);
  MetricSummary objective = Trial(study, 1).objective;
  EXPECT_EQ(objective.last, (FinalMeasurement{5, 5}));
  EXPECT_EQ(objective.last_reported_at, At(205));
  EXPECT_EQ(objective.best, (FinalMeasurement{5, 5}));
  EXPECT_EQ(objective.finite_count, 2);
  EXPECT_EQ(objective.not_finite_count, 0);
  // A reader that begins anew says all of it again.
  again.measurements.insert(again.measurements.begin(),
                            {EventReport(5, 90, 105), EventReport(7, 80, 107)});
  MustCommit({again});
  EXPECT_EQ(list("loss"), expected);
  EXPECT_EQ(Trial(study, 1).objective.finite_count, 2);
}

TEST_P(StoreConformanceTest, ARestartTakesNothingElseBack) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({AddMeasurements{
      key,
      {EventReport(4, 1, 104), By(MetricRoad::kStdout, Report(9, 2, "noise")),
       EventReport(9, 3, 109)}}});
  const auto everything = [&] {
    return Everything() +
           MeasurementsText(
               store().ListMeasurements(study, TrialId{1}, "", 99).value());
  };
  const std::string before = everything();
  AddMeasurements change{key, {}};
  change.restarts = {Restart(10, 200), Restart(0, 104), Restart(0, 300, "new"),
                     Restart(0, 300, "noise")};
  MustCommit({change});
  EXPECT_EQ(everything(), before);
}

TEST_P(StoreConformanceTest,
       ARestartTakesEarlierAttemptsBackWhateverTheirTime) {
  const StudyId study = AddRunningJob();
  const AttemptKey first{study, TrialId{1}, 1};
  const AttemptKey second{study, TrialId{1}, 2};
  AddMeasurements change{second, {EventReport(3, 8, 203)}};
  change.restarts = {Restart(3, 202)};
  MustCommit({AddMeasurements{
                  first, {EventReport(2, 1, 102), EventReport(50, 99, 999)}},
              Exit(first, 1), Launch(second), change});
  EXPECT_EQ(Trial(study, 1).objective.best, (FinalMeasurement{3, 8}));
  EXPECT_EQ(Trial(study, 1).objective.finite_count, 2);
}

TEST_P(StoreConformanceTest, ARefusedChangeTakesNothingBack) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({AddMeasurements{key, {EventReport(5, 90, 105)}}});
  AddMeasurements change{key, {}};
  change.restarts = {Restart(5, 200)};
  Refuses(StatusCode::kInvalidArgument,
          {change, AddMeasurements{key, {Report(1, 3, "")}}});
  EXPECT_EQ(store().ListMeasurements(study, TrialId{1}, "", 9).value().size(),
            1u);
}

TEST_P(StoreConformanceTest, ATrialMayHaveTakenEverythingBack) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  AddMeasurements change{key, {EventReport(5, 90, 105)}};
  change.restarts = {Restart(0, 200)};
  MustCommit({change});
  EXPECT_FALSE(Trial(study, 1).objective.last.has_value());
  EXPECT_FALSE(Trial(study, 1).objective.best.has_value());
  EXPECT_EQ(Trial(study, 1).objective.road, MetricRoad::kEvents);
}

TEST_P(StoreConformanceTest, KeepsTheFirstOfEqualBests) {
  const StudyId study = AddRunningJob();
  MustCommit(
      {AddMeasurements{{study, TrialId{1}, 1}, {Report(1, 4), Report(2, 4)}}});
  EXPECT_EQ(Trial(study, 1).objective.best, (FinalMeasurement{1, 4}));
}

TEST_P(StoreConformanceTest, TakesTheLastOfTheLatestAttempt) {
  const StudyId study = AddRunningJob();
  const AttemptKey first{study, TrialId{1}, 1};
  const AttemptKey second{study, TrialId{1}, 2};
  MustCommit(
      {AddMeasurements{first, {Report(50, 1)}}, Exit(first, 1), Launch(second),
       AddMeasurements{
           second, {Report(2, 7), Report(2, 8, "loss", 99), Report(1, 9)}}});
  EXPECT_EQ(Trial(study, 1).objective.last, (FinalMeasurement{1, 9}));
  EXPECT_EQ(Trial(study, 1).objective.last_attempt, 2);
}

TEST_P(StoreConformanceTest, StoresEachMeasurementOnce) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  const auto written = [](double value, const std::string& metric = "loss",
                          int at = 100) {
    return By(MetricRoad::kMetricFile, Report(1, value, metric, at));
  };
  MustCommit({AddMeasurements{key, {written(5), written(5)}}});
  const std::string before = Everything();
  MustCommit({AddMeasurements{key, {written(5)}}});
  MustCommit({AddMeasurements{key, {written(6)}}});  // The first one stays.
  EXPECT_EQ(Everything(), before);
  EXPECT_EQ(Trial(study, 1).objective.finite_count, 1);

  // Another time or metric is another measurement.
  MustCommit({AddMeasurements{
      key, {written(6, "loss", 101), written(7, "accuracy")}}});
  EXPECT_EQ(MeasurementsText(
                store().ListMeasurements(study, TrialId{1}, "", 9).value()),
            MeasurementsText(
                {written(7, "accuracy"), written(5), written(6, "loss", 101)}));
}

TEST_P(StoreConformanceTest, KeepsEveryKindOfNumber) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  const std::vector<Measurement> reported = {
      Report(1, std::nan("")),
      Report(2, -std::nan("0x5")),
      Report(3, kInfinity),
      Report(4, -kInfinity),
      Report(5, -0.0),
      Report(6, 0.0),
      Report(7, std::numeric_limits<double>::denorm_min()),
      Report(8, -std::numeric_limits<double>::max()),
      Report(9, 0.1)};
  MustCommit({AddMeasurements{key, reported}});
  EXPECT_EQ(
      MeasurementsText(
          store().ListMeasurements(study, TrialId{1}, "loss", 99).value()),
      MeasurementsText(reported));
  EXPECT_EQ(Trial(study, 1).objective.finite_count, 5);
  EXPECT_EQ(Trial(study, 1).objective.not_finite_count, 4);
}

TEST_P(StoreConformanceTest, ListsMeasurementsInOrder) {
  const StudyId study = AddRunningJob();
  const AttemptKey first{study, TrialId{1}, 1};
  const AttemptKey second{study, TrialId{1}, 2};
  MustCommit(
      {AddMeasurements{
           first, {Report(2, 1, "z"), Report(-5, 2, "z"), Report(7, 3, "a")}},
       Exit(first, 1), Launch(second),
       AddMeasurements{second, {Report(1, 5, "a", -9), Report(1, 4, "a")}}});
  const auto list = [&](const std::string& metric, std::size_t limit) {
    return MeasurementsText(
        store().ListMeasurements(study, TrialId{1}, metric, limit).value());
  };
  EXPECT_EQ(list("", 99),
            MeasurementsText({Report(7, 3, "a"), Report(-5, 2, "z"),
                              Report(2, 1, "z"), Report(1, 5, "a", -9),
                              Report(1, 4, "a")}));
  std::vector<int> attempts;
  const auto listed = store().ListMeasurements(study, TrialId{1}, "", 99);
  ASSERT_TRUE(listed.ok()) << listed.status();
  for (const Measurement& one : *listed) attempts.push_back(one.attempt);
  EXPECT_EQ(attempts, (std::vector<int>{1, 1, 1, 2, 2}));
  EXPECT_EQ(list("z", 99),
            MeasurementsText({Report(-5, 2, "z"), Report(2, 1, "z")}));
  EXPECT_EQ(list("", 1), MeasurementsText({Report(7, 3, "a")}));
  EXPECT_EQ(list("", 0), "");
  EXPECT_EQ(list("unknown", 99), "");
  EXPECT_EQ(store().ListMeasurements(study, TrialId{9}, "", 9).status().code(),
            StatusCode::kNotFound);
  EXPECT_EQ(
      store().ListMeasurements(StudyId{9}, TrialId{1}, "", 9).status().code(),
      StatusCode::kNotFound);
}

TEST_P(StoreConformanceTest, TakesTheLastReportAfterTheExit) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({Exit(key)});
  MustCommit({AddMeasurements{key, {Report(1, 3)}}});
  EXPECT_EQ(Trial(study, 1).objective.last, (FinalMeasurement{1, 3}));
}

TEST_P(StoreConformanceTest, FencesOffAReplacedAttempt) {
  const StudyId study = AddRunningJob();
  const AttemptKey old{study, TrialId{1}, 1};
  MustCommit({Exit(old, 1), Launch({study, TrialId{1}, 2})});
  Refuses(StatusCode::kAborted, {AddMeasurements{old, {Report(1, 3)}}});
}

TEST_P(StoreConformanceTest, WritesNoEventForMeasurements) {
  const StudyId study = AddRunningJob();
  const EventSequence before = store().LastEvent();
  MustCommit({AddMeasurements{{study, TrialId{1}, 1}, {Report(1, 3)}}});
  EXPECT_EQ(store().LastEvent(), before);
}

TEST_P(StoreConformanceTest, NeedsAMetricName) {
  const StudyId study = AddRunningJob();
  Refuses(StatusCode::kInvalidArgument,
          {AddMeasurements{{study, TrialId{1}, 1}, {Report(1, 3, "")}}});
}

TEST_P(StoreConformanceTest, KeepsAHundredMetricNamesAndTheObjective) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  std::vector<Measurement> reported;
  for (int i = 0; i < 130; ++i) {
    reported.push_back(Report(1, i, "metric-" + std::to_string(i)));
  }
  reported.push_back(Report(1, 7));
  MustCommit({AddMeasurements{key, reported}});
  MustCommit({AddMeasurements{key, {Report(2, 8), Report(2, 9, "metric-3")}}});
  const TrialRecord trial = Trial(study, 1);
  EXPECT_EQ(trial.metrics_seen.size(), 101u);
  EXPECT_EQ(trial.objective.finite_count, 2);
  EXPECT_EQ(store().ListMeasurements(study, TrialId{1}, "", 999).value().size(),
            103u);
  EXPECT_EQ(trial.metric_problems,
            std::vector<std::string>{
                "a trial may report at most 100 metrics besides its study's; "
                "later ones are left out"});
}

TEST_P(StoreConformanceTest, LeavesOutMetricsWithEndlessNames) {
  const StudyId study = AddRunningJob();
  MustCommit({AddMeasurements{{study, TrialId{1}, 1},
                              {Report(1, 3, std::string(257, 'm')),
                               Report(1, 4, std::string(256, 'm'))}}});
  EXPECT_EQ(Trial(study, 1).metrics_seen,
            std::vector<SeenMetric>{{std::string(256, 'm')}});
  ASSERT_EQ(Trial(study, 1).metric_problems.size(), 1u);
  EXPECT_EQ(Trial(study, 1).metric_problems[0].rfind(
                "the name of a metric must have at most 256 bytes: 257", 0),
            0u);
}

TEST_P(StoreConformanceTest, KeepsAFewProblemsOfATrialsReportsOnce) {
  const StudyId study = AddRunningJob();
  AddMeasurements change{{study, TrialId{1}, 1}, {}};
  change.problems = {"a", "b", "a", std::string(399, 'x') + "\xc3\xa9"};
  MustCommit({change});
  change.problems = {"b", "c", "d", "e"};
  MustCommit({change});
  EXPECT_EQ(
      Trial(study, 1).metric_problems,
      (std::vector<std::string>{"a", "b", std::string(399, 'x'), "c", "d"}));
  EXPECT_TRUE(Trial(study, 1).metrics_seen.empty());
}

TEST_P(StoreConformanceTest, RefusesAClientsMetricsBeyondTheBounds) {
  const StudyId study = AddRunningStudy();
  const AttemptKey key = Reporter(study, 1);
  std::vector<Measurement> reported;
  for (int i = 0; i < 100; ++i) {
    reported.push_back(Report(1, i, "metric-" + std::to_string(i)));
  }
  MustCommit({AddMeasurements{key, reported}});
  Refuses(StatusCode::kInvalidArgument,
          {AddMeasurements{key, {Report(1, 1, "metric-100")}}});
  Refuses(StatusCode::kInvalidArgument,
          {AddMeasurements{key, {Report(1, 1, std::string(257, 'm'))}}});
  MustCommit({AddMeasurements{key, {Report(1, 1)}}});
}

constexpr char kTwoMetrics[] =
    R"(,"objectives":[{"metric":"loss","goal":"MAXIMIZE"},)"
    R"({"metric":"latency","goal":"MINIMIZE"}],)"
    R"("metricConstraints":[{"metric":"memory","max":4}])";

TEST_P(StoreConformanceTest, SummarisesAllMetricsThatTheStudyNeeds) {
  const StudyId study = AddRunningJob(1, {.section = kTwoMetrics});
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({AddMeasurements{
      key,
      {By(MetricRoad::kStdout, Report(9, 90, "latency")), Report(1, 5),
       Report(1, 30, "latency"), Report(2, 20, "latency"),
       By(MetricRoad::kStdout, Report(3, 1, "latency")),
       EventReport(4, 3, 104, "memory"), EventReport(5, 7, 105, "memory"),
       Report(2, 1, "accuracy")}}});
  TrialRecord trial = Trial(study, 1);
  ASSERT_EQ(trial.others.size(), 2u);
  EXPECT_EQ(trial.others["latency"].road, MetricRoad::kReport);
  EXPECT_EQ(trial.others["latency"].last, (FinalMeasurement{2, 20}));
  EXPECT_EQ(trial.others["latency"].best, (FinalMeasurement{2, 20}));
  EXPECT_EQ(trial.others["memory"].last, (FinalMeasurement{5, 7}));
  AddMeasurements again{key, {EventReport(5, 2, 205, "memory")}};
  again.restarts = {{"memory", MetricRoad::kEvents, 5, At(200)}};
  MustCommit({again});
  EXPECT_EQ(Trial(study, 1).others["memory"].last, (FinalMeasurement{5, 2}));

  MoveTrial end = Move(study, TrialId{1}, TrialEvent::kReportFinal,
                       TrialEndCause::kSuccess);
  end.final_measurement = {1, 5};
  end.final_report =
      MetricReport{2, {}, {{"loss", 5}, {"latency", 20}, {"memory", 2}}};
  MustCommit({EndAttempt{key, AttemptEvent::kExit, TrialEndCause::kSuccess, 0,
                         std::nullopt, ""},
              end});
  trial = Trial(study, 1);
  EXPECT_TRUE(trial.others.empty());
  EXPECT_EQ(trial.final_report->metrics, end.final_report->metrics);
}

TEST_P(StoreConformanceTest, AJobOfOneMetricHasNoReportOfSeveral) {
  const StudyId study = AddRunningJob();
  MoveTrial end = Move(study, TrialId{1}, TrialEvent::kReportFinal,
                       TrialEndCause::kSuccess);
  end.final_measurement = {1, 5};
  end.final_report = MetricReport{1, {}, {{"loss", 5}}};
  Refuses(StatusCode::kInvalidArgument, {EndAttempt{{study, TrialId{1}, 1},
                                                    AttemptEvent::kExit,
                                                    TrialEndCause::kSuccess,
                                                    0,
                                                    std::nullopt,
                                                    ""},
                                         end});
}

}  // namespace
}  // namespace vernier
