#include "trials/stopping/early_stopping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "store/sqlite/sqlite_store.h"
#include "study/job_file/job_parser.h"
#include "tests/fakes/memory_store.h"
#include "tests/store/temporary_folder.h"
#include "trials/engine/study_engines.h"

namespace vernier {
namespace {

/// A store that counts what is read of it, before another one.
class CountingStore final : public Store {
 public:
  std::unique_ptr<Store> inner = std::make_unique<MemoryStore>();
  mutable int reads = 0;        // Of whole curves.
  mutable int small_reads = 0;  // Of what is new.
  mutable absl::Status next_read;

  absl::StatusOr<StudyId> CreateJob(const NewJob& job, Timestamp now) override {
    return inner->CreateJob(job, now);
  }
  absl::StatusOr<StudyId> CreateStudy(const NewStudy& study,
                                      Timestamp now) override {
    return inner->CreateStudy(study, now);
  }
  absl::StatusOr<std::vector<TrialMeasurement>> ListStudyMeasurements(
      StudyId study, TrialId first, TrialId last,
      std::size_t limit) const override {
    return inner->ListStudyMeasurements(study, first, last, limit);
  }
  absl::StatusOr<OperationRecord> FindOperation(
      StudyId study, std::int64_t number) const override {
    return inner->FindOperation(study, number);
  }
  absl::StatusOr<RememberedRequest> FindRequest(
      const std::string& request_id) const override {
    return inner->FindRequest(request_id);
  }
  absl::Status Commit(const std::vector<Change>& changes,
                      Timestamp now) override {
    return inner->Commit(changes, now);
  }
  std::shared_ptr<const StoreSnapshot> Snapshot() const override {
    return inner->Snapshot();
  }
  absl::StatusOr<std::vector<Measurement>> ListMeasurements(
      StudyId study, TrialId trial, const std::string& metric,
      std::size_t limit) const override {
    ++reads;
    if (!next_read.ok()) return std::exchange(next_read, absl::OkStatus());
    return inner->ListMeasurements(study, trial, metric, limit);
  }
  absl::StatusOr<std::vector<Measurement>> ListMeasurementsAfter(
      const AttemptKey& attempt, const std::string& metric, std::int64_t step,
      std::size_t limit) const override {
    ++small_reads;
    return inner->ListMeasurementsAfter(attempt, metric, step, limit);
  }
  absl::StatusOr<std::vector<Event>> ListEvents(
      EventSequence after, std::optional<StudyId> study,
      std::size_t limit) const override {
    return inner->ListEvents(after, study, limit);
  }
  EventSequence LastEvent() const override { return inner->LastEvent(); }
  absl::Status Health() const override { return inner->Health(); }
};

/// A study of trials that report a "loss" to be minimized; a test moves them
/// by hand, as the orchestrator would.
class EarlyStoppingTest : public testing::Test {
 protected:
  EarlyStoppingTest() { Create(true); }

  /// `section` is added to the job's vernier section.
  void Create(bool stops_early, const std::string& section = "") {
    const absl::StatusOr<ParsedJob> parsed = ParseJob(
        absl::StrCat(R"({"jobId": ")",
                     stops_early ? absl::StrCat("job", ++jobs_) : "patient",
                     R"(", "trainingInput": {"hyperparameters": {
                         "goal": "MINIMIZE", "hyperparameterMetricTag": "loss",
                         "maxTrials": 100, "maxParallelTrials": 100,
                         "enableTrialEarlyStopping": )",
                     stops_early ? "true" : "false", R"(, "params": [
                         {"parameterName": "x", "type": "DOUBLE",
                          "minValue": 0, "maxValue": 1}]}},
                         "vernier": {"command": ["/bin/true"])",
                     section, "}}"),
        {});
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    NewJob job;
    job.spec = std::make_shared<const JobSpec>(parsed->spec);
    job.spec_json = parsed->json;
    job.run_root = "/run";
    study_ = store_.CreateJob(job, {}).value();
    trials_ = 0;
  }
  void Must(const std::vector<Change>& changes) {
    const absl::Status status = store_.Commit(changes, {});
    ASSERT_TRUE(status.ok()) << status;
  }
  AttemptKey Key(std::int64_t trial, int attempt = 1) const {
    return {study_, TrialId{trial}, attempt};
  }

  /// Starts the next trial and reports `values` at steps 1, 2, ...
  std::int64_t Start(const std::vector<double>& values) {
    const std::int64_t trial = ++trials_;
    Must({CreateTrials{study_, {{{{"x", 0.5}}, {}}}},
          IntendLaunch{Key(trial), "nonce", {}}});
    Report(Key(trial), values);
    return trial;
  }
  void Report(const AttemptKey& attempt, const std::vector<double>& values,
              std::int64_t first_step = 1) {
    std::vector<Measurement> measurements;
    for (const double value : values) {
      measurements.push_back({"loss", first_step++, {}, value});
    }
    Must({AddMeasurements{attempt, measurements}});
  }
  void End(std::int64_t trial, TrialEvent event, TrialEndCause cause) {
    const TrialRecord record = Study()->trials.Get(TrialId{trial});
    EndAttempt end;
    end.attempt = Key(trial, static_cast<int>(record.attempts.size()));
    end.event = AttemptEvent::kExit;
    Must({end, MoveTrial{study_, TrialId{trial}, event, cause, "",
                         record.objective.last}});
  }
  void RequestStop(std::int64_t trial) {
    MoveTrial stop;
    stop.study = study_;
    stop.trial = TrialId{trial};
    stop.event = TrialEvent::kRequestStop;
    Must({stop});
  }
  void Succeed(const std::vector<double>& values) {
    End(Start(values), TrialEvent::kReportFinal, TrialEndCause::kSuccess);
  }
  /// Five trials whose losses are 1 to 5 from the first step to the fourth.
  void SucceedFive() {
    for (const double loss : {3, 1, 5, 2, 4}) {
      Succeed({loss, loss, loss, loss});
    }
  }
  std::shared_ptr<const StudySnapshot> Study() {
    return store_.Snapshot()->at(study_);
  }
  /// Numbers of the trials to stop.
  std::vector<std::int64_t> Decide() {
    const absl::StatusOr<EarlyVerdicts> verdicts = engines_.Stops(*Study());
    EXPECT_TRUE(verdicts.ok()) << verdicts.status();
    std::vector<std::int64_t> ids;
    for (const auto& [id, reason] : verdicts->stops) {
      ids.push_back(ToInt(id));
      EXPECT_NE(reason, "");
    }
    return ids;
  }

  using Ids = std::vector<std::int64_t>;
  CountingStore store_;
  StudyId study_{};
  std::int64_t trials_ = 0;
  int jobs_ = 0;
  StudyEngines engines_{store_, [](const std::string&) {}};
};

TEST_F(EarlyStoppingTest, StopsRunningTrialsThatAreWorseThanTheMedian) {
  SucceedFive();
  const std::int64_t bad = Start({9, 8});
  Start({9, 2.5});
  EXPECT_EQ(Decide(), Ids{bad});
  EXPECT_EQ(engines_.Stops(*Study())->stops.begin()->second,
            "The median rule stopped it at step 2: its best value so far, 8, "
            "is above 3, the median of what 5 earlier trials had on average by "
            "then.");
}

TEST_F(EarlyStoppingTest, OnlyWhereTheJobAsksForIt) {
  Create(false);
  SucceedFive();
  Start({9, 8});
  EXPECT_EQ(Decide(), Ids{});
  EXPECT_EQ(store_.reads, 0);
}

TEST_F(EarlyStoppingTest, ReadsEachEndedTrialOnceAndOnlyWhenAskedFor) {
  SucceedFive();
  EXPECT_EQ(Decide(), Ids{});
  EXPECT_EQ(store_.reads, 0) << "nothing runs";
  const std::int64_t bad = Start({9});
  EXPECT_EQ(Decide(), Ids{bad});
  EXPECT_EQ(Decide(), Ids{bad});
  EXPECT_EQ(store_.reads, 5);
  Succeed({4, 4});
  EXPECT_EQ(Decide(), Ids{bad});
  EXPECT_EQ(store_.reads, 6);
}

TEST_F(EarlyStoppingTest, AsksAgainWhenThereIsNewsOfTheTrialOrOfOthers) {
  SucceedFive();
  const std::int64_t trial = Start({3});
  EXPECT_EQ(Decide(), Ids{}) << "it equals the median";
  Succeed({1, 1});
  Succeed({1, 1});
  EXPECT_EQ(Decide(), Ids{trial}) << "the median is 2 now";
  Report(Key(trial), {0.5}, 2);
  EXPECT_EQ(Decide(), Ids{}) << "its best is 0.5 now";
}

TEST_F(EarlyStoppingTest, AsksAgainAtEachReport) {
  // The median of the averages is 12 at step 1 and 7.5 at step 2.
  for (const double loss : {3, 1, 5, 2, 4}) Succeed({loss + 9, loss, 1});
  const std::int64_t trial = Start({10});
  EXPECT_EQ(Decide(), Ids{});
  Report(Key(trial), {10}, 2);
  EXPECT_EQ(Decide(), Ids{trial});
}

TEST_F(EarlyStoppingTest, ARestartChangesNoVerdict) {
  SucceedFive();
  const std::int64_t bad = Start({9, 8});
  Start({2});
  const EarlyVerdicts before = *engines_.Stops(*Study());
  EXPECT_EQ(before.stops.size(), 1u);
  EXPECT_EQ(before.stops.begin()->first, TrialId{bad});
  EXPECT_EQ(*EarlyStopper(store_).Decide(*Study()), before);
}

TEST_F(EarlyStoppingTest, CurvesAreReadAgainFromAReopenedDatabase) {
  const TemporaryFolder folder;
  store_.inner = SqliteStore::Open(folder.database()).value();
  Create(true);
  // Reported in parts, with values that are none, and thinned.
  for (const double loss : {3, 1, 5, 2, 4}) {
    const std::int64_t trial = Start({loss, std::nan(""), loss});
    Report(Key(trial), std::vector<double>(200, loss), 4);
    End(trial, TrialEvent::kReportFinal, TrialEndCause::kSuccess);
  }
  const std::int64_t bad = Start(std::vector<double>(100, 9));
  const EarlyVerdicts before = *engines_.Stops(*Study());
  EXPECT_EQ(before.stops.size(), 1u);
  EXPECT_EQ(before.stops.begin()->first, TrialId{bad});

  store_.inner.reset();
  store_.inner = SqliteStore::Open(folder.database()).value();
  EXPECT_EQ(*EarlyStopper(store_).Decide(*Study()), before);
}

TEST_F(EarlyStoppingTest, ComparesWithWhatEndedWellOrWasStoppedEarly) {
  for (const double loss : {3, 1, 5, 2}) Succeed({loss, loss, loss});
  End(Start({4, 4}), TrialEvent::kGiveUp, TrialEndCause::kUserError);
  const std::int64_t cancelled = Start({4, 4});
  RequestStop(cancelled);
  End(cancelled, TrialEvent::kConfirmStop, TrialEndCause::kCancelled);
  const std::int64_t bad = Start({9});
  EXPECT_EQ(Decide(), Ids{}) << "four trials are too few";
  const std::int64_t stopped = Start({4, 4});
  RequestStop(stopped);
  End(stopped, TrialEvent::kConfirmStop, TrialEndCause::kStoppedEarly);
  EXPECT_EQ(Decide(), Ids{bad});
}

TEST_F(EarlyStoppingTest, StoppedTrialsDoNotShortenATypicalTraining) {
  for (const double loss : {3, 1, 5, 2, 4}) {
    Succeed(std::vector<double>(40, loss));
  }
  for (int i = 0; i < 6; ++i) {
    const std::int64_t stopped = Start({3, 3});
    RequestStop(stopped);
    End(stopped, TrialEvent::kConfirmStop, TrialEndCause::kStoppedEarly);
  }
  const std::int64_t trial = Start({9, 9, 9});
  EXPECT_EQ(Decide(), Ids{}) << "a tenth of 40 steps is 4";
  Report(Key(trial), {9}, 4);
  EXPECT_EQ(Decide(), Ids{trial});
}

TEST_F(EarlyStoppingTest, AsksOnlyAboutWhatTheLiveAttemptReported) {
  SucceedFive();
  const std::int64_t trial = Start({0.1});
  EndAttempt lost;
  lost.attempt = Key(trial);
  lost.event = AttemptEvent::kLose;
  Must({lost});
  EXPECT_EQ(Decide(), Ids{}) << "nothing to stop";
  Must({IntendLaunch{Key(trial, 2), "again", {}}});
  EXPECT_EQ(Decide(), Ids{}) << "the retry has said nothing yet";
  Report(Key(trial, 2), {9, 8});
  EXPECT_EQ(engines_.Stops(*Study())->stops.at(TrialId{trial}).substr(0, 68),
            "The median rule stopped it at step 2: its best value so far, 8, "
            "is a");
  Report(Key(trial, 2), {2}, 3);
  EXPECT_EQ(Decide(), Ids{}) << "its best is 2 now";
  Report(Key(trial, 2), {std::nan("")}, 4);
  EXPECT_EQ(Decide(), Ids{});
  Succeed({1, 1, 1, 1});
  Succeed({1, 1, 1, 1});
  Succeed({1, 1, 1, 1});
  EXPECT_EQ(Decide(), Ids{trial}) << "the median is 1.5 now";
  Must({WantKill{Key(trial, 2), TrialEndCause::kTimeLimit}});
  EXPECT_EQ(Decide(), Ids{}) << "it is being stopped already";
}

TEST_F(EarlyStoppingTest, ARetryReplacesWhatItReportsAgain) {
  for (const double loss : {3, 1, 5, 2}) Succeed({loss, loss, loss, loss});
  const std::int64_t retried = Start({90, 90, 90, 90});
  EndAttempt lost;
  lost.attempt = Key(retried);
  lost.event = AttemptEvent::kLose;
  Must({lost, IntendLaunch{Key(retried, 2), "again", {}}});
  Report(Key(retried, 2), {4, 4, 4});
  End(retried, TrialEvent::kReportFinal, TrialEndCause::kSuccess);
  Start({9, 8, 3.5});
  // Averages at step 3: 3, 1, 5, 2 and 4.
  EXPECT_NE(engines_.Stops(*Study())->stops.begin()->second.find("above 3,"),
            std::string::npos);
}

/// A study of a loss with curves, best at x = 0.7, and of a latency that is
/// measured at the end, best at x = 0.
class SeveralMetricsStoppingTest : public EarlyStoppingTest {
 protected:
  static constexpr int kSteps = 40;

  SeveralMetricsStoppingTest() {
    Create(false, R"(, "earlyStopping": "AUTO", "objectives": [
        {"metric": "loss", "goal": "MINIMIZE"},
        {"metric": "latency", "goal": "MINIMIZE"}])");
  }

  std::int64_t StartAt(double x, int steps) {
    const std::int64_t trial = ++trials_;
    Must({CreateTrials{study_, {{{{"x", x}}, {}}}},
          IntendLaunch{Key(trial), "nonce", {}}});
    std::vector<double> losses;
    const double end = 0.1 + std::abs(x - 0.7);
    for (int step = 1; step <= steps; ++step) {
      losses.push_back(end + (1.5 - end) * std::exp(-step / 6.0));
    }
    Report(Key(trial), losses);
    return trial;
  }
  void SucceedAt(double x) {
    const std::int64_t trial = StartAt(x, kSteps);
    const double latency = 10 + 5 * x;
    Must({AddMeasurements{Key(trial), {{"latency", kSteps, {}, latency}}}});
    EndAttempt end;
    end.attempt = Key(trial);
    end.event = AttemptEvent::kExit;
    const auto loss = Study()->trials.Get(TrialId{trial}).objective.last;
    MoveTrial move{study_,
                   TrialId{trial},
                   TrialEvent::kReportFinal,
                   TrialEndCause::kSuccess,
                   "",
                   loss};
    move.final_report.emplace().metrics = {{"loss", loss->value},
                                           {"latency", latency}};
    Must({end, move});
  }
};

TEST_F(SeveralMetricsStoppingTest, StopsWhatCannotEnterTheFront) {
  for (int i = 1; i <= 10; ++i) SucceedAt(std::fmod(0.618 * i, 1.0));
  const std::int64_t bad = StartAt(0.99, 12);
  StartAt(0.01, 12);  // Its loss is the worst, and its latency the best.
  EXPECT_EQ(Decide(), Ids{bad});
  const EarlyVerdicts verdicts = *engines_.Stops(*Study());
  EXPECT_NE(verdicts.stops.begin()->second.find(" latency 14."),
            std::string::npos)
      << verdicts.stops.begin()->second;
  EXPECT_EQ(*EarlyStopper(store_).Decide(*Study()), verdicts)
      << "after a restart";
}

TEST_F(SeveralMetricsStoppingTest,
       WhatWasStoppedTeachesByTheMetricsWithCurves) {
  for (int i = 1; i <= 10; ++i) SucceedAt(std::fmod(0.618 * i, 1.0));
  const std::int64_t stopped = StartAt(0.99, 12);
  RequestStop(stopped);
  End(stopped, TrialEvent::kConfirmStop, TrialEndCause::kStoppedEarly);
  const SuggestionExecutor::Request request =
      engines_.RequestPoints(*Study(), nullptr, 1);
  const Observation& last = request.view.completed.back();
  ASSERT_TRUE(last.is_stopped_early);
  ASSERT_TRUE(last.estimate.has_value());
  EXPECT_NEAR(last.estimate->mean, 0.39, 0.05);
  const StudyView loss = ViewOfMetric(request.view, 0);
  EXPECT_EQ(loss.completed.size(), 11u);
  const StudyView latency = ViewOfMetric(request.view, 1);
  EXPECT_EQ(latency.completed.size(), 10u);
}

TEST_F(EarlyStoppingTest, OtherMetricsHaveNoPart) {
  SucceedFive();
  const std::int64_t other = Start({});
  for (std::int64_t step = 1; step <= 2; ++step) {
    Must({AddMeasurements{Key(other),
                          {{"zeal", step, {}, -100}, {"loss", step, {}, 3}}}});
  }
  End(other, TrialEvent::kReportFinal, TrialEndCause::kSuccess);
  Start({9, 3});
  EXPECT_EQ(Decide(), Ids{}) << "the median is 3";
}

TEST_F(EarlyStoppingTest, AFailedReadStopsNothingAndIsMadeUpFor) {
  SucceedFive();
  const std::int64_t bad = Start({9});
  store_.next_read = absl::InternalError("disk");
  EXPECT_EQ(engines_.Stops(*Study()).status().code(),
            absl::StatusCode::kInternal);
  EXPECT_EQ(Decide(), Ids{bad});
}

TEST_F(EarlyStoppingTest, ForgetsAJobThatIsOver) {
  SucceedFive();
  const std::int64_t bad = Start({9});
  EXPECT_EQ(Decide(), Ids{bad});
  engines_.ForgetEnded(*store_.Snapshot());
  EXPECT_EQ(Decide(), Ids{bad});
  EXPECT_EQ(store_.reads, 5) << "the job is open";
  engines_.ForgetEnded({});
  EXPECT_EQ(Decide(), Ids{bad});
  EXPECT_EQ(store_.reads, 10);
}

TEST_F(EarlyStoppingTest, WhatATrialReportsLaterIsNotReadAgain) {
  SucceedFive();
  const std::int64_t trial = Start({2, 2});
  EXPECT_EQ(Decide(), Ids{});
  EXPECT_EQ(store_.reads, 6);
  for (std::int64_t step = 3; step <= 300; ++step) {
    Report(Key(trial), {2}, step);
    EXPECT_EQ(Decide(), Ids{});
  }
  EXPECT_EQ(store_.reads, 6);
}

TEST_F(EarlyStoppingTest, CurvesDoNotDependOnWhenTheyWereRead) {
  Start({});
  StudyCurves at_once(store_);
  ASSERT_TRUE(at_once.Update(*Study()).ok());
  for (std::int64_t step = 1; step <= 500; ++step) {
    // The best of all is at a place that a sample could leave out.
    Report(Key(1), {step == 333 ? -1.0 : 1.0 / static_cast<double>(step)},
           step);
    if (step % 7 != 0) continue;  // Several at once, sometimes.
    ASSERT_TRUE(at_once.Update(*Study()).ok());
  }
  Report(Key(1), {5}, 501);
  ASSERT_TRUE(at_once.Update(*Study()).ok());
  StudyCurves afterwards(store_);
  ASSERT_TRUE(afterwards.Update(*Study()).ok());
  ASSERT_EQ(at_once.curves().trials.size(), 1u);
  const Curve& curve = at_once.curves().trials[0].reports;
  EXPECT_EQ(curve, afterwards.curves().trials[0].reports);
  EXPECT_LE(curve.size(), kMaxCurvePoints);
  EXPECT_GE(curve.size(), kMaxCurvePoints / 2);
  EXPECT_EQ(curve.front(), (CurvePoint{1, 1}));
  EXPECT_EQ(curve.back(), (CurvePoint{501, 5}));
  EXPECT_TRUE(std::find(curve.begin(), curve.end(), CurvePoint{333, -1}) !=
              curve.end());
}

// A program that reports a hundred times a second is not read from its
// beginning each time.
TEST_F(EarlyStoppingTest, OnlyWhatIsNewIsRead) {
  Start({});
  StudyCurves curves(store_);
  for (std::int64_t step = 1; step <= 300; step += 3) {
    Report(Key(1), {1, 2, static_cast<double>(step)}, step);
    ASSERT_TRUE(curves.Update(*Study()).ok());
  }
  EXPECT_EQ(store_.reads, 1) << "the first time";
  EXPECT_EQ(store_.small_reads, 99);
  StudyCurves afterwards(store_);
  ASSERT_TRUE(afterwards.Update(*Study()).ok());
  EXPECT_EQ(curves.curves().trials, afterwards.curves().trials);
  EXPECT_EQ(curves.curves().trials[0].reports.back(), (CurvePoint{300, 298}));

  // What comes late, and for an earlier step, is missed by nobody.
  Report(Key(1), {-5}, 0);
  Report(Key(1), {7, 8}, 301);
  ASSERT_TRUE(curves.Update(*Study()).ok());
  EXPECT_EQ(store_.reads, 3);
  EXPECT_EQ(curves.curves().trials[0].reports.front(), (CurvePoint{0, -5}));
  EXPECT_EQ(curves.curves().trials[0].reports.back(), (CurvePoint{302, 8}));
}

// Nor is one that reports an earlier step again, while it says nothing new.
TEST_F(EarlyStoppingTest, AnEarlierStepIsReadOnce) {
  Start({3, 2, 1});
  StudyCurves curves(store_);
  ASSERT_TRUE(curves.Update(*Study()).ok());
  Report(Key(1), {9}, 2);
  EXPECT_EQ(Study()->trials.Get(TrialId{1}).objective.last,
            (FinalMeasurement{2, 9}));
  ASSERT_TRUE(curves.Update(*Study()).ok());
  EXPECT_EQ(curves.curves().trials[0].reports, (Curve{{1, 3}, {2, 9}, {3, 1}}));
  const int reads = store_.reads;
  ASSERT_TRUE(curves.Update(*Study()).ok());
  EXPECT_EQ(store_.reads, reads);
}

// Nor is one whose reports are too many to be read.
TEST_F(EarlyStoppingTest, OfTooManyReportsTheLastCounts) {
  Start({});
  std::vector<double> many(100'000, 1);
  Report(Key(1), many, 1);
  StudyCurves curves(store_);
  ASSERT_TRUE(curves.Update(*Study()).ok());
  EXPECT_EQ(store_.reads, 1);
  for (std::int64_t step = 100'001; step <= 100'020; step += 2) {
    Report(Key(1), {2, static_cast<double>(step)}, step);
    ASSERT_TRUE(curves.Update(*Study()).ok());
    EXPECT_EQ(curves.curves().trials[0].reports.back(),
              (CurvePoint{step + 1, static_cast<double>(step)}));
  }
  EXPECT_EQ(store_.reads, 1);
  StudyCurves afterwards(store_);
  ASSERT_TRUE(afterwards.Update(*Study()).ok());
  EXPECT_EQ(curves.curves().trials, afterwards.curves().trials);
}

TEST_F(EarlyStoppingTest, AnOlderLookChangesNothing) {
  const auto before = Study();
  SucceedFive();
  const std::int64_t bad = Start({9});
  EXPECT_EQ(Decide(), Ids{bad});
  StudyCurves curves(store_);
  ASSERT_TRUE(curves.Update(*Study()).ok());
  const std::uint64_t revision = curves.revision();
  ASSERT_TRUE(curves.Update(*before).ok());
  EXPECT_EQ(curves.revision(), revision);
}

TEST_F(EarlyStoppingTest, ATrainingThatGoesOnKeepsItsCurve) {
  Create(true, R"(, "canResume": true, "earlyStopping": "ASHA")");
  const std::int64_t trial = Start({9, 8, 7});
  EndAttempt lost;
  lost.attempt = Key(trial);
  lost.event = AttemptEvent::kLose;
  Must({lost, IntendLaunch{Key(trial, 2), "again", {}}});
  StudyCurves curves(store_);
  ASSERT_TRUE(curves.Update(*Study()).ok());
  ASSERT_EQ(curves.curves().trials.size(), 1u) << "it has not reported again";
  EXPECT_EQ(curves.curves().trials[0].reports.size(), 3u);
  Report(Key(trial, 2), {5, 4}, 3);  // Its checkpoint was at step 2.
  ASSERT_TRUE(curves.Update(*Study()).ok());
  ASSERT_EQ(curves.curves().trials.size(), 1u);
  EXPECT_EQ(curves.curves().trials[0].reports,
            (Curve{{1, 9}, {2, 8}, {3, 5}, {4, 4}}));
  EXPECT_TRUE(curves.curves().can_resume);
}

TEST_F(EarlyStoppingTest, APausedTrialIsResumedWhenItIsAmongTheBest) {
  Create(true, R"(, "canResume": true, "earlyStopping": {"rule": "ASHA",
                  "minSteps": 1, "maxSteps": 9, "reductionFactor": 3})");
  const std::int64_t first = Start({3});
  EarlyVerdicts verdicts = *engines_.Stops(*Study(), 1);
  ASSERT_EQ(verdicts.pauses.count(TrialId{first}), 1u) << "it is one of one";
  EXPECT_EQ(verdicts.pauses.begin()->second.substr(0, 26),
            "ASHA paused it at step 1: ");
  Must({WantKill{Key(first), TrialEndCause::kStoppedEarly, "a pause"}});
  EXPECT_TRUE(IsPausing(Study()->trials.Get(TrialId{first})));
  EXPECT_TRUE(engines_.Stops(*Study(), 0)->empty());
  EndAttempt ended;
  ended.attempt = Key(first);
  ended.event = AttemptEvent::kKill;
  ended.cause = TrialEndCause::kStoppedEarly;
  Must({ended});
  EXPECT_TRUE(IsPaused(Study()->trials.Get(TrialId{first})));
  EXPECT_TRUE(engines_.Stops(*Study(), 1)->empty()) << "still one of one";
  Start({5});
  Start({4});
  verdicts = *engines_.Stops(*Study(), 1);
  EXPECT_EQ(verdicts.resumes.count(TrialId{first}), 1u) << "the best of three";
  EXPECT_EQ(verdicts.pauses.size(), 2u);
  EXPECT_EQ(*EarlyStopper(store_).Decide(*Study(), 1), verdicts)
      << "a restart changes no verdict";
  EXPECT_TRUE(engines_.Stops(*Study(), 0)->resumes.empty()) << "no room";
}

TEST_F(EarlyStoppingTest, EachRuleIsAsked) {
  for (const char* rule : {"DECAY_CURVE", "AUTO", "HYPERBAND", "ASHA"}) {
    SCOPED_TRACE(rule);
    Create(true, absl::StrCat(R"(, "earlyStopping": {"rule": ")", rule,
                              R"(", "maxSteps": 27, "brackets": 1})"));
    for (int i = 0; i < 12; ++i) {
      const double loss = 1 + 0.1 * i;
      std::vector<double> values;
      for (int step = 1; step <= 27; ++step) {
        values.push_back(loss + 10.0 / step);
      }
      Succeed(values);
    }
    std::vector<double> hopeless;
    for (int step = 1; step <= 9; ++step) hopeless.push_back(90 + 10.0 / step);
    const std::int64_t bad = Start(hopeless);
    EXPECT_EQ(Decide(), Ids{bad});
    EXPECT_EQ(*EarlyStopper(store_).Decide(*Study()),
              *engines_.Stops(*Study()));
  }
}

TEST_F(EarlyStoppingTest, WhatIsPausedTeachesTheModel) {
  for (const char* const rule : {"DECAY_CURVE", "MEDIAN", "NONE"}) {
    SCOPED_TRACE(rule);
    Create(true, absl::StrCat(R"(, "earlyStopping": ")", rule, R"(")"));
    SucceedFive();
    SucceedFive();
    const std::int64_t trial = Start({2, 1.5, 1.2});
    const auto learn = [this] {
      return engines_.RequestPoints(*Study(), nullptr, 1).view;
    };
    const int before = store_.reads;
    EXPECT_EQ(learn().completed.size(), 10u) << "what runs is not over";
    EXPECT_EQ(store_.reads, before);
    Must({WantKill{Key(trial), TrialEndCause::kStoppedEarly, "a pause"}});
    const StudyView view = learn();
    if (rule == std::string_view("NONE")) {
      EXPECT_EQ(view.completed.size(), 10u);
      continue;
    }
    ASSERT_EQ(view.completed.size(), 11u);
    EXPECT_TRUE(view.completed.back().estimate.has_value());
    EXPECT_LT(view.stopped_part, 1);
  }
}

TEST_F(EarlyStoppingTest, ALargeStudyIsSampledEvenly) {
  for (const std::int64_t id : {1, 2, 3, 1023, 1024, 1026, 2048, 2052, 4096}) {
    EXPECT_TRUE(IsSampled(TrialId{id})) << id;
  }
  for (const std::int64_t id : {1025, 2047, 2049, 2050, 4098, 4100}) {
    EXPECT_FALSE(IsSampled(TrialId{id})) << id;
  }
  int sampled = 0;
  for (std::int64_t id = 1; id <= 1 << 20; ++id) {
    sampled += IsSampled(TrialId{id});
  }
  EXPECT_EQ(sampled, 1024 + 10 * 512);
}

}  // namespace
}  // namespace vernier
