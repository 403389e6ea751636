#include "trials/study_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "store/study_names.h"
#include "tests/store/temporary_folder.h"
#include "tests/trials/study_bed.h"
#include "trials/jobs/explain.h"
#include "trials/results/best_trials.h"

namespace vernier {
namespace {

using absl::StatusCode;
using testing::HasSubstr;

class StudyServiceTest : public StudyBed {
 protected:
  TrialRequest Point(double x) {
    TrialRequest request;
    request.parameters = {{"x", x}};
    return request;
  }

  std::string States() {
    std::string text;
    const std::vector<TrialWithMeasurements> trials =
        *studies_.ListTrials(kName);
    for (const TrialWithMeasurements& one : trials) {
      absl::StrAppend(&text, ToInt(one.trial), ":",
                      std::string(ToString(one.record().state)), " ");
    }
    return text;
  }
};

TEST_F(StudyServiceTest, MakingAStudyTwiceReturnsTheFirst) {
  Make();
  StudySpec other = MakeStudySpec();
  other.algorithm = Algorithm::kQuasiRandomSearch;
  bool is_new = true;
  const auto again =
      studies_.CreateStudy({"owners/me", "a study", other, {}, {}}, &is_new);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_FALSE(is_new);
  EXPECT_EQ((*again)->spec->algorithm, Algorithm::kRandomSearch);
  EXPECT_EQ(store_.Snapshot()->size(), 1u);
}

TEST_F(StudyServiceTest, ARepeatedRequestMakesNoOtherTrial) {
  Make();
  TrialRequest request = Point(0.5);
  request.request_id = "r";
  EXPECT_EQ(studies_.CreateTrial(kName, request)->trial, TrialId{1});
  EXPECT_EQ(studies_.CreateTrial(kName, Point(0.5))->trial, TrialId{2});
  EXPECT_EQ(studies_.CreateTrial(kName, request)->trial, TrialId{1});
  EXPECT_EQ(States(), "1:requested 2:requested ");
}

TEST_F(StudyServiceTest, ARequestIdIsForOneTrialOfOneStudy) {
  Make();
  Make(MakeStudySpec(), "other");
  TrialRequest request = Point(0.5);
  request.request_id = "r";
  ASSERT_TRUE(studies_.CreateTrial(kName, request).ok());
  EXPECT_EQ(studies_.CreateTrial("owners/me/studies/other", request)->trial,
            TrialId{1});
  TrialRequest changed = Point(0.25);
  changed.request_id = "r";
  EXPECT_EQ(studies_.CreateTrial(kName, changed).status().code(),
            StatusCode::kInvalidArgument);
  changed.request_id = std::string(129, 'r');
  EXPECT_EQ(studies_.CreateTrial(kName, changed).status().code(),
            StatusCode::kInvalidArgument);
}

TEST_F(StudyServiceTest, ARepeatedReportIsStoredOnce) {
  Make();
  ASSERT_TRUE(Ask("c").ok());
  for (const double value : {0.5, 0.25, std::nan("")}) {
    for (int i = 0; i < 2; ++i) {
      const auto answer =
          studies_.AddMeasurement(kName, TrialId{1}, Loss(value, 3), "r");
      EXPECT_TRUE(answer.ok()) << answer.status();
    }
  }
  EXPECT_EQ(studies_.GetTrial(kName, TrialId{1})->reports.size(), 3u);
  // A value that comes back behind another one is no repeated call.
  ASSERT_TRUE(studies_.AddMeasurement(kName, TrialId{1}, Loss(0.5, 3)).ok());
  EXPECT_EQ(studies_.GetTrial(kName, TrialId{1})->reports.size(), 4u);
}

TEST_F(StudyServiceTest, ARepeatedEndIsTheSameEnd) {
  Make();
  ASSERT_TRUE(Ask("c", 2).ok());
  TrialCompletion end{Loss(0.5, 3), false, "", "r"};
  const TrialCompletion fails{std::nullopt, true, "why", "r"};
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(studies_.CompleteTrial(kName, TrialId{1}, end).ok());
    EXPECT_TRUE(studies_.CompleteTrial(kName, TrialId{2}, fails).ok());
  }
  EXPECT_EQ(States(), "1:completed 2:infeasible ");
  end.request_id = "";
  EXPECT_EQ(studies_.CompleteTrial(kName, TrialId{1}, end).status().code(),
            StatusCode::kFailedPrecondition);
  end = {Loss(0.25, 3), false, "", "r"};
  EXPECT_EQ(studies_.CompleteTrial(kName, TrialId{1}, end).status().code(),
            StatusCode::kFailedPrecondition);
}

// Whatever face it came by.
TEST_F(StudyServiceTest, AProjectHasAnId) {
  const auto make = [this](const std::string& parent, const std::string& name) {
    StudyRequest request;
    request.parent = parent;
    request.name = name;
    request.spec = MakeStudySpec();
    return studies_.CreateStudy(request).status().code();
  };
  EXPECT_EQ(make("projects/p1/locations/l", "s"), StatusCode::kOk);
  EXPECT_EQ(make("projects/example.com:p1/locations/l", "s"), StatusCode::kOk);
  EXPECT_EQ(make("owners/A. User_1", "s"), StatusCode::kOk);
  for (const std::string& parent : std::vector<std::string>{
           "projects/../locations/l", "projects/./locations/l",
           "projects/p1\n/locations/l", "projects/P1/locations/l",
           "projects//locations/l", "projects/p1/locations/..",
           "projects/p1/locations/a\nb", "owners/..", "owners/a\nb",
           "owners/a\x7f", "owners/" + std::string(600, 'a'), ""}) {
    EXPECT_EQ(make(parent, "s"), StatusCode::kInvalidArgument) << parent;
  }
  for (const std::string name : {"..", ".", "a\nb", "a\x1b[31m"}) {
    EXPECT_EQ(make("owners/a", name), StatusCode::kInvalidArgument) << name;
  }
}

TEST_F(StudyServiceTest, NamesMayHoldAnythingButASlash) {
  for (const char* name :
       {"a.b, c", "<x>[1]", "\"quoted\" 'name'", "\xc3\xa4"}) {
    EXPECT_TRUE(
        studies_.CreateStudy({"owners/me", name, MakeStudySpec(), {}, {}}).ok())
        << name;
    EXPECT_TRUE(studies_.GetStudy(StudyResourceName("owners/me", name)).ok());
  }
  for (const std::string& name :
       {std::string(), std::string("a/b"), std::string(600, 'x')}) {
    EXPECT_EQ(studies_.CreateStudy({"owners/me", name, MakeStudySpec(), {}, {}})
                  .status()
                  .code(),
              StatusCode::kInvalidArgument);
  }
}

TEST_F(StudyServiceTest, ListsTheStudiesOfAParent) {
  Make();
  Make(MakeStudySpec(), "second");
  ASSERT_TRUE(
      studies_.CreateStudy({"owners/you", "x", MakeStudySpec(), {}, {}}).ok());
  const auto mine = studies_.ListStudies("owners/me");
  ASSERT_EQ(mine.size(), 2u);
  EXPECT_EQ(DisplayNameOf(*mine[1]), "second");
  EXPECT_TRUE(studies_.ListStudies("owners").empty());
}

TEST_F(StudyServiceTest, ADeletedStudyIsGoneAndItsNameFree) {
  Make();
  EXPECT_EQ(Get("a"), "1");
  ASSERT_TRUE(studies_.DeleteStudy(kName).ok());
  EXPECT_EQ(studies_.GetStudy(kName).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(studies_.DeleteStudy(kName).code(), StatusCode::kNotFound);
  Make();
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ((*studies_.GetStudy(kName))->trials.size(), 1u);
}

TEST_F(StudyServiceTest, ATrialBroughtAlongKeepsItsEnd) {
  Make();
  TrialRequest done = Point(0.25);
  done.state = TrialState::kCompleted;
  done.final_report = Loss(1.5, 7);
  done.reports = {Loss(3, 1), Loss(2, 1)};
  done.metadata = {{{"", "k"}, {true, "v"}}};
  const auto first = studies_.CreateTrial(kName, done);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->record().state, TrialState::kCompleted);
  EXPECT_EQ(first->record().final_measurement, (FinalMeasurement{7, 1.5}));
  EXPECT_EQ(first->record().metadata.size(), 1u);
  ASSERT_EQ(first->reports.size(), 2u);
  EXPECT_EQ(first->reports[1].metrics[0].value, 2);
  TrialRequest infeasible = Point(0.5);
  infeasible.state = TrialState::kInfeasible;
  infeasible.infeasible_reason = "diverged";
  const auto second = studies_.CreateTrial(kName, infeasible);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ(second->record().state, TrialState::kInfeasible);
  EXPECT_EQ(second->record().message, "diverged");
  TrialRequest stopped = done;
  stopped.state = TrialState::kStopped;
  const auto third = studies_.CreateTrial(kName, stopped);
  ASSERT_TRUE(third.ok()) << third.status();
  EXPECT_EQ(third->record().end_cause, TrialEndCause::kStoppedEarly);
  EXPECT_EQ(third->record().message, "stopped by its client");
  EXPECT_EQ(States(), "1:completed 2:infeasible 3:stopped ");
}

TEST_F(StudyServiceTest, ARequestedTrialKeepsWhatItBrings) {
  Make();
  TrialRequest request = Point(0.5);
  request.reports = {Loss(0.75, 1)};
  ASSERT_TRUE(studies_.CreateTrial(kName, request).ok());
  EXPECT_EQ(Get("a"), "1");
  ASSERT_TRUE(studies_.AddMeasurement(kName, TrialId{1}, Loss(0.5, 2)).ok());
  const auto trial = *studies_.GetTrial(kName, TrialId{1});
  ASSERT_EQ(trial.reports.size(), 2u);
  EXPECT_EQ(trial.reports[0].step, 1);
  ASSERT_TRUE(studies_.CreateTrial(kName, request).ok());
  EXPECT_EQ(Get("b"), "2");
  // What came with the point is its last report, too.
  const auto done = studies_.CompleteTrial(kName, TrialId{2}, {});
  ASSERT_TRUE(done.ok()) << done.status();
  EXPECT_EQ(done->record().final_measurement, (FinalMeasurement{1, 0.75}));
}

TEST_F(StudyServiceTest, ATrialThatEndedWellNeedsAFinalMeasurement) {
  Make();
  TrialRequest done = Point(0.25);
  done.state = TrialState::kCompleted;
  EXPECT_EQ(studies_.CreateTrial(kName, done).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(States(), "");
}

TEST_F(StudyServiceTest, APointMustFitTheSpace) {
  Make();
  for (const Parameters& parameters :
       std::vector<Parameters>{{},
                               {{"y", 0.5}},
                               {{"x", 2.0}},
                               {{"x", "text"}},
                               {{"x", 0.5}, {"y", 1.0}},
                               {{"x", 0.5}, {"x", 0.6}},
                               {{"x", std::nan("")}}}) {
    TrialRequest request;
    request.parameters = parameters;
    EXPECT_EQ(studies_.CreateTrial(kName, request).status().code(),
              StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(States(), "");
}

// Does something else whenever somebody asks for the time.
class InterruptedClock final : public Clock {
 public:
  explicit InterruptedClock(std::function<void()> interrupt)
      : interrupt_(std::move(interrupt)) {}
  Timestamp Now() const override {
    interrupt_();
    return clock_.Now();
  }
  SteadyTime Steady() const override { return clock_.Steady(); }

 private:
  const std::function<void()> interrupt_;
  const TickingClock clock_;
};

TEST_F(StudyServiceTest, ATrialIsMadeHoweverManyOthersComeFirst) {
  Make();
  // The time is asked for between the look at the study and the write.
  int races = 100;
  const InterruptedClock clock([&] {
    if (races-- > 0) {
      EXPECT_TRUE(studies_.CreateTrial(kName, Point(0.1)).ok());
    }
  });
  StudyService raced(
      {store_, clock, engines_, suggestions_, [] { return std::uint64_t{7}; }});
  const auto made = raced.CreateTrial(kName, Point(0.2));
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->trial, TrialId{101});
}

TEST_F(StudyServiceTest, ANumberIsNeverGivenAgain) {
  Make();
  ASSERT_TRUE(studies_.CreateTrial(kName, Point(0.1)).ok());
  ASSERT_TRUE(studies_.CreateTrial(kName, Point(0.2)).ok());
  ASSERT_TRUE(studies_.DeleteTrial(kName, TrialId{2}).ok());
  EXPECT_EQ(studies_.GetTrial(kName, TrialId{2}).status().code(),
            StatusCode::kNotFound);
  EXPECT_EQ(studies_.DeleteTrial(kName, TrialId{2}).code(),
            StatusCode::kNotFound);
  ASSERT_TRUE(studies_.CreateTrial(kName, Point(0.3)).ok());
  EXPECT_EQ(States(), "1:requested 3:requested ");
}

TEST_F(StudyServiceTest, ATrialIsDeletedInAnyState) {
  Make();
  EXPECT_EQ(Get("a", 4), "1 2 3 4");
  ASSERT_TRUE(studies_.StopTrial(kName, TrialId{2}).ok());
  Complete(3, 1);
  ASSERT_TRUE(studies_.CreateTrial(kName, Point(0.5)).ok());
  for (int trial = 1; trial <= 5; ++trial) {
    const absl::Status deleted = studies_.DeleteTrial(kName, TrialId{trial});
    EXPECT_TRUE(deleted.ok()) << trial << ": " << deleted;
  }
  EXPECT_EQ(States(), "");
  const auto study = *studies_.GetStudy(kName);
  EXPECT_TRUE(study->open.empty());
  EXPECT_TRUE(BestFirst(*study).empty());
}

TEST_F(StudyServiceTest, MeasurementsComeBackInTheOrderOfTheirArrival) {
  Make();
  EXPECT_EQ(Get("a"), "1");
  const MetricReport first{5,
                           std::chrono::milliseconds(1500),
                           {{"loss", 0.5}, {"acc", std::nan("")}}};
  std::vector<std::int64_t> steps;
  for (const MetricReport& report : {first, Loss(0.4, 3), Loss(0.3, 3)}) {
    const auto added = studies_.AddMeasurement(kName, TrialId{1}, report);
    ASSERT_TRUE(added.ok()) << added.status();
    // The whole trial, in the order of arrival.
    steps.push_back(report.step);
    ASSERT_EQ(added->reports.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      EXPECT_EQ(added->reports[i].step, steps[i]);
    }
  }
  const auto trial = *studies_.GetTrial(kName, TrialId{1});
  ASSERT_EQ(trial.reports.size(), 3u);
  EXPECT_EQ(trial.reports[0].step, 5);
  EXPECT_EQ(trial.reports[0].elapsed, std::chrono::milliseconds(1500));
  ASSERT_EQ(trial.reports[0].metrics.size(), 2u);
  EXPECT_TRUE(std::isnan(trial.reports[0].metrics[0].value));
  EXPECT_EQ(trial.reports[2].metrics[0].value, 0.3);
  EXPECT_EQ((*studies_.ListTrials(kName))[0].reports.size(), 3u);
}

TEST_F(StudyServiceTest, AMeasurementNeedsMetricsWithDistinctNames) {
  Make();
  EXPECT_EQ(Get("a"), "1");
  for (const MetricReport& report : std::vector<MetricReport>{
           {}, {0, {}, {{"", 1}}}, {0, {}, {{"a", 1}, {"a", 2}}}}) {
    EXPECT_EQ(
        studies_.AddMeasurement(kName, TrialId{1}, report).status().code(),
        StatusCode::kInvalidArgument);
  }
}

TEST_F(StudyServiceTest, OnlyARunningTrialTakesMeasurements) {
  Make();
  ASSERT_TRUE(studies_.CreateTrial(kName, Point(0.5)).ok());
  const auto add = [&](int trial) {
    return studies_.AddMeasurement(kName, TrialId{trial}, Loss(1)).status();
  };
  EXPECT_EQ(add(1).code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(Get("a"), "1");
  EXPECT_TRUE(add(1).ok());
  ASSERT_TRUE(studies_.StopTrial(kName, TrialId{1}).ok());
  EXPECT_TRUE(add(1).ok());
  Complete(1, 1);
  EXPECT_EQ(add(1).code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(Get("a"), "2");
  ASSERT_TRUE(
      studies_.CompleteTrial(kName, TrialId{2}, {std::nullopt, true, "x"})
          .ok());
  EXPECT_TRUE(add(2).ok()) << "no matter for an infeasible trial";
  EXPECT_TRUE(studies_.GetTrial(kName, TrialId{2})->reports.empty());
}

TEST_F(StudyServiceTest, CompletesWithTheLastMeasurementIfNoneIsGiven) {
  Make();
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(studies_.CompleteTrial(kName, TrialId{1}, {}).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(Trial(1).state, TrialState::kActive);
  ASSERT_TRUE(studies_.AddMeasurement(kName, TrialId{1}, Loss(0.25, 9)).ok());
  ASSERT_TRUE(studies_.AddMeasurement(kName, TrialId{1}, Loss(0.75, 2)).ok());
  const auto done = studies_.CompleteTrial(kName, TrialId{1}, {});
  ASSERT_TRUE(done.ok()) << done.status();
  EXPECT_EQ(done->record().final_measurement, (FinalMeasurement{2, 0.75}));
  EXPECT_TRUE(done->record().ended_at.has_value());
}

TEST_F(StudyServiceTest, ASecondCompletionChangesNothing) {
  Make();
  EXPECT_EQ(Get("a"), "1");
  Complete(1, 0.5);
  EXPECT_EQ(studies_.CompleteTrial(kName, TrialId{1}, {Loss(0.9), false, ""})
                .status()
                .code(),
            StatusCode::kFailedPrecondition);
  EXPECT_EQ(Trial(1).final_measurement->value, 0.5);
}

TEST_F(StudyServiceTest, AnInfeasibleTrialKeepsItsReasonAndMeasurement) {
  Make();
  EXPECT_EQ(Get("a"), "1");
  const auto done =
      studies_.CompleteTrial(kName, TrialId{1}, {Loss(0.5), true, "too hot"});
  ASSERT_TRUE(done.ok()) << done.status();
  EXPECT_EQ(done->record().state, TrialState::kInfeasible);
  EXPECT_EQ(done->record().message, "too hot");
  EXPECT_TRUE(done->record().final_report.has_value());
  EXPECT_FALSE(done->record().final_measurement.has_value());
  EXPECT_EQ(BestTrial(**studies_.GetStudy(kName)), nullptr);
}

TEST_F(StudyServiceTest, AResultThatIsNotFiniteIsInfeasible) {
  Make();
  const double kInfinity = std::numeric_limits<double>::infinity();
  ASSERT_EQ(Get("a", 3), "1 2 3");
  const double values[] = {kInfinity, -kInfinity, std::nan("")};
  const char* texts[] = {"inf", "-inf", "nan"};
  for (int i = 0; i < 3; ++i) {
    for (int tries = 0; tries < 2; ++tries) {
      const auto done = studies_.CompleteTrial(
          kName, TrialId{i + 1}, {Loss(values[i], 12), false, "", "r"});
      ASSERT_TRUE(done.ok()) << done.status();
      EXPECT_EQ(done->record().state, TrialState::kInfeasible);
      EXPECT_EQ(done->record().end_cause, TrialEndCause::kNotFinite);
      EXPECT_EQ(
          done->record().message,
          absl::StrCat("its last value of loss was ", texts[i], " at step 12"));
      EXPECT_FALSE(done->record().final_measurement.has_value());
      EXPECT_TRUE(done->record().final_report.has_value());
    }
  }
  EXPECT_TRUE(studies_.ListOptimalTrials(kName)->empty());
}

TEST_F(StudyServiceTest, OfRepeatedPointsTheBestMeanIsOptimal) {
  StudySpec spec = MakeStudySpec();
  spec.repeats = {RepeatPolicy::kFixed, 2};
  Make(spec);
  const double losses[][2] = {{0.5, -9}, {0.25, 0}, {0.5, 9}, {0.25, 0.1}};
  for (const auto& [x, loss] : losses) {
    TrialRequest done = Point(x);
    done.state = TrialState::kCompleted;
    done.final_report = Loss(loss);
    ASSERT_TRUE(studies_.CreateTrial(kName, done).ok());
  }
  const auto optimal = studies_.ListOptimalTrials(kName);
  ASSERT_TRUE(optimal.ok()) << optimal.status();
  ASSERT_EQ(optimal->size(), 1u);
  EXPECT_EQ(optimal->front().trial,
            BestTrial(*store_.Snapshot()->begin()->second)->id);
}

// By its last report, when it was stopped, or when it was run elsewhere.
TEST_F(StudyServiceTest, NoRoadMakesAValueThatIsNotFiniteOne) {
  Make();
  ASSERT_EQ(Get("a", 2), "1 2");
  ASSERT_TRUE(studies_.AddMeasurement(kName, TrialId{1}, Loss(0.25, 1)).ok());
  ASSERT_TRUE(
      studies_.AddMeasurement(kName, TrialId{1}, Loss(std::nan(""), 2)).ok());
  ASSERT_TRUE(studies_.CompleteTrial(kName, TrialId{1}, {}).ok());
  ASSERT_TRUE(studies_.StopTrial(kName, TrialId{2}).ok());
  Complete(2, std::nan(""));
  TrialRequest elsewhere = Point(0.25);
  elsewhere.state = TrialState::kCompleted;
  elsewhere.final_report = Loss(std::nan(""));
  ASSERT_TRUE(studies_.CreateTrial(kName, elsewhere).ok());
  for (const int trial : {1, 2, 3}) {
    EXPECT_EQ(Trial(trial).state, TrialState::kInfeasible) << trial;
    EXPECT_EQ(Trial(trial).end_cause, TrialEndCause::kNotFinite) << trial;
  }
}

TEST_F(StudyServiceTest, ANanInAnyMetricOfTheStudyIsInfeasible) {
  StudySpec spec = MakeStudySpec();
  spec.metrics.push_back({"acc", Goal::kMaximize});
  Make(spec);
  ASSERT_EQ(Get("a", 2), "1 2");
  const auto complete = [&](int trial, const char* other) {
    const MetricReport report{0, {}, {{"loss", 1}, {other, std::nan("")}}};
    ASSERT_TRUE(
        studies_.CompleteTrial(kName, TrialId{trial}, {report, false, ""})
            .ok());
  };
  complete(1, "acc");
  complete(2, "seconds");
  EXPECT_EQ(States(), "1:infeasible 2:completed ");
  EXPECT_EQ(Trial(1).message, "its last value of acc was nan");
}

TEST_F(StudyServiceTest, AResultWithoutAMetricOfTheStudyIsRefused) {
  Make();
  EXPECT_EQ(Get("a"), "1");
  const auto end = [this](std::vector<MetricValue> metrics, bool infeasible) {
    return studies_
        .CompleteTrial(
            kName, TrialId{1},
            {MetricReport{0, {}, std::move(metrics)}, infeasible, ""})
        .status();
  };
  EXPECT_EQ(end({{"los", 1}}, false).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(end({{"los", 1}}, false).message(),
            "the study has no metric \"los\", but \"loss\"; did you mean "
            "loss?");
  EXPECT_EQ(Trial(1).state, TrialState::kActive) << "nothing is lost";
  // Nor does a last report of something else end it.
  ASSERT_TRUE(studies_
                  .AddMeasurement(kName, TrialId{1},
                                  MetricReport{1, {}, {{"other", 1}}})
                  .ok());
  EXPECT_EQ(studies_.CompleteTrial(kName, TrialId{1}, {}).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_TRUE(end({{"aside", 1}, {"loss", 2}}, false).ok());
  EXPECT_EQ(Trial(1).final_measurement->value, 2);
}

TEST_F(StudyServiceTest, AMeasurementHasABoundedNumberOfBoundedNames) {
  Make();
  EXPECT_EQ(Get("a"), "1");
  const auto report = [this](std::vector<MetricValue> metrics) {
    return studies_
        .AddMeasurement(kName, TrialId{1},
                        MetricReport{1, {}, std::move(metrics)})
        .status()
        .code();
  };
  std::vector<MetricValue> many;
  for (int i = 0; i < 101; ++i) many.push_back({std::to_string(i), 1});
  EXPECT_EQ(report(many), StatusCode::kInvalidArgument);
  EXPECT_EQ(report({{std::string(257, 'm'), 1}}), StatusCode::kInvalidArgument);
  many.pop_back();
  EXPECT_EQ(report(many), StatusCode::kOk);
  EXPECT_EQ(report({{"one more", 1}}), StatusCode::kInvalidArgument);
  EXPECT_EQ(report({{"loss", 1}}), StatusCode::kOk);
}

TEST_F(StudyServiceTest, StopsAnActiveTrialOnly) {
  Make();
  EXPECT_EQ(Get("a"), "1");
  for (int i = 0; i < 2; ++i) {
    const auto stopping = studies_.StopTrial(kName, TrialId{1});
    ASSERT_TRUE(stopping.ok()) << stopping.status();
    EXPECT_EQ(stopping->record().state, TrialState::kStopping);
  }
  Complete(1, 0.5);
  EXPECT_EQ(Trial(1).end_cause, TrialEndCause::kStoppedEarly);
  EXPECT_EQ(Trial(1).state, TrialState::kStopped);
  EXPECT_EQ(Trial(1).final_measurement->value, 0.5);
  EXPECT_EQ(BestTrial(**studies_.GetStudy(kName)), nullptr);
  EXPECT_TRUE(studies_.StopTrial(kName, TrialId{1}).ok());
  ASSERT_TRUE(studies_.CreateTrial(kName, Point(0.5)).ok());
  EXPECT_EQ(studies_.StopTrial(kName, TrialId{2}).status().code(),
            StatusCode::kFailedPrecondition);
}

// Six complete trainings, and two trials that run: 7 is bad, and 8 is good.
class StoppingStudyTest : public StudyServiceTest {
 protected:
  void Train(StoppingRule rule) {
    StudySpec spec = MakeStudySpec();
    spec.stopping_rule = rule;
    Make(spec);
    for (int trial = 1; trial <= 6; ++trial) {
      ASSERT_EQ(Get("a"), std::to_string(trial));
      Report(trial, 10, 0.1);
      Complete(trial, 0.1);
    }
    ASSERT_EQ(Get("a", 2), "7 8");
    Report(7, 3, 0.9);
    Report(8, 3, 0.05);
  }

  void Report(int trial, int last, double value) {
    for (int step = 1; step <= last; ++step) {
      ASSERT_TRUE(
          studies_.AddMeasurement(kName, TrialId{trial}, Loss(value, step))
              .ok());
    }
  }
};

TEST_F(StoppingStudyTest, TheRuleStopsABadTrialForGood) {
  Train(StoppingRule::kMedian);
  std::string reason;
  for (int i = 0; i < 2; ++i) {
    const auto bad = studies_.CheckEarlyStopping(kName, TrialId{7});
    ASSERT_TRUE(bad.ok()) << bad.status();
    ASSERT_TRUE(bad->has_value());
    EXPECT_THAT(**bad, HasSubstr("median"));
    if (i > 0) {
      EXPECT_EQ(**bad, reason);
    }
    reason = **bad;
    EXPECT_FALSE(studies_.CheckEarlyStopping(kName, TrialId{8})->has_value());
  }
  EXPECT_EQ(Trial(7).state, TrialState::kStopping);
  EXPECT_EQ(Trial(8).state, TrialState::kActive);
  // What comes while its client has not heard of it yet does not matter.
  Report(7, 4, 0.01);
  EXPECT_EQ(studies_.CheckEarlyStopping(kName, TrialId{7})->value_or(""),
            reason);
  EXPECT_EQ(studies_.CheckEarlyStopping(kName, TrialId{1}).status().code(),
            StatusCode::kFailedPrecondition);
}

// A client that is told to stop need not say so when it completes the trial.
TEST_F(StoppingStudyTest, WhatWasStoppedIsNoCompleteTraining) {
  Train(StoppingRule::kMedian);
  const std::string reason = **studies_.CheckEarlyStopping(kName, TrialId{7});
  Complete(7, 0.9);
  EXPECT_EQ(Trial(7).state, TrialState::kStopped);
  EXPECT_EQ(Trial(7).end_cause, TrialEndCause::kStoppedEarly);
  EXPECT_EQ(Trial(7).message, reason);
  EXPECT_EQ(Trial(7).final_measurement->value, 0.9);
  Complete(8, 0.05);
  EXPECT_EQ(Trial(8).end_cause, TrialEndCause::kSuccess);
}

TEST_F(StoppingStudyTest, WithoutARuleNothingIsStopped) {
  Train(StoppingRule::kNone);
  for (const int trial : {7, 8}) {
    const auto verdict = studies_.CheckEarlyStopping(kName, TrialId{trial});
    ASSERT_TRUE(verdict.ok()) << verdict.status();
    EXPECT_FALSE(verdict->has_value());
    EXPECT_EQ(Trial(trial).state, TrialState::kActive);
  }
}

TEST_F(StudyServiceTest, OptimalTrialsAreThoseThatNoOtherBeats) {
  StudySpec spec = MakeStudySpec();
  spec.metrics.push_back({"acc", Goal::kMaximize});
  Make(spec);
  ASSERT_EQ(Get("a", 6), "1 2 3 4 5 6");
  const double results[][2] = {{1, 1},  // Beaten by 3.
                               {2, 5},           {1, 2},
                               {2, 5},           {3, 5},  // Beaten by 2.
                               {0, std::nan("")}};
  for (int i = 0; i < 6; ++i) {
    const MetricReport report{
        0, {}, {{"loss", results[i][0]}, {"acc", results[i][1]}}};
    ASSERT_TRUE(
        studies_.CompleteTrial(kName, TrialId{i + 1}, {report, false, ""})
            .ok());
  }
  std::string optimal;
  const std::vector<TrialWithMeasurements> trials =
      *studies_.ListOptimalTrials(kName);
  for (const TrialWithMeasurements& one : trials) {
    absl::StrAppend(&optimal, ToInt(one.trial), " ");
  }
  EXPECT_EQ(optimal, "2 3 4 ");
}

TEST_F(StudyServiceTest, AnInactiveStudyIsReadOnly) {
  Make();
  EXPECT_EQ(Get("a"), "1");
  ASSERT_TRUE(studies_.SetState(kName, StudyState::kCompleted, "").ok());
  const StatusCode refused = StatusCode::kFailedPrecondition;
  EXPECT_EQ(studies_.CreateTrial(kName, Point(0.1)).status().code(), refused);
  EXPECT_EQ(studies_.AddMeasurement(kName, TrialId{1}, Loss(1)).status().code(),
            refused);
  EXPECT_EQ(studies_.CompleteTrial(kName, TrialId{1}, {Loss(1), false, ""})
                .status()
                .code(),
            refused);
  EXPECT_EQ(studies_.StopTrial(kName, TrialId{1}).status().code(), refused);
  EXPECT_EQ(studies_.DeleteTrial(kName, TrialId{1}).code(), refused);
  EXPECT_EQ(studies_.CheckEarlyStopping(kName, TrialId{1}).status().code(),
            refused);
  // What is said about a study may be said when it is over.
  EXPECT_TRUE(
      studies_.UpdateMetadata(kName, {{std::nullopt, {"", "k"}, {true, "v"}}})
          .ok());
  EXPECT_TRUE(studies_.GetTrial(kName, TrialId{1}).ok());
  EXPECT_TRUE(studies_.ListOptimalTrials(kName).ok());
}

TEST_F(StudyServiceTest, WhatIsNotThereIsNotFound) {
  const StatusCode missing = StatusCode::kNotFound;
  EXPECT_EQ(studies_.GetTrial(kName, TrialId{1}).status().code(), missing);
  Make();
  for (const int trial : {0, 1, -1}) {
    const TrialId id{trial};
    EXPECT_EQ(studies_.GetTrial(kName, id).status().code(), missing);
    EXPECT_EQ(studies_.StopTrial(kName, id).status().code(), missing);
    EXPECT_EQ(studies_.CompleteTrial(kName, id, {}).status().code(), missing);
    EXPECT_EQ(studies_.AddMeasurement(kName, id, Loss(1)).status().code(),
              missing);
  }
}

TEST_F(StudyServiceTest, AfterAFailedWriteNothingHasChanged) {
  Make();
  EXPECT_EQ(Get("a"), "1");
  store_.FailNextWrite(absl::ResourceExhaustedError("full"));
  EXPECT_EQ(studies_.CompleteTrial(kName, TrialId{1}, {Loss(1), false, ""})
                .status()
                .code(),
            StatusCode::kResourceExhausted);
  EXPECT_EQ(Trial(1).state, TrialState::kActive);
  Complete(1, 1);
}

TEST_F(StudyServiceTest, ATrialThatLosesItsNumberGetsTheNext) {
  Make();
  store_.FailNextWrite(absl::AbortedError("the next trial is another"));
  EXPECT_TRUE(studies_.CreateTrial(kName, Point(0.5)).ok());
  EXPECT_EQ(States(), "1:requested ");
}

TEST_F(StudyServiceTest, AStudyIsFoundByAnyOfItsNames) {
  Make();
  const auto snapshot = store_.Snapshot();
  for (const std::string& text :
       {kName, std::string("a study"), std::string("1")}) {
    EXPECT_TRUE(FindStudy(*snapshot, text).ok()) << text;
  }
  EXPECT_EQ(FindStudy(*snapshot, "b").status().code(), StatusCode::kNotFound);
  ASSERT_TRUE(
      studies_.CreateStudy({"owners/you", "a study", MakeStudySpec(), {}, {}})
          .ok());
  const auto two = FindStudy(*store_.Snapshot(), "a study");
  EXPECT_EQ(two.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(two.status().message()),
              HasSubstr("owners/you/studies/a study"));
}

TEST_F(StudyServiceTest, AStudyBeyondTheQuotaIsRefused) {
  const TemporaryFolder folder;
  const auto quotas = QuotaStore::Open(folder.path() + "/quotas.db").value();
  ASSERT_TRUE(quotas->Set("me", {{}, {}, 1}).ok());
  StudyService studies({store_, clock_, engines_, suggestions_,
                        [] { return std::uint64_t{7}; }, quotas.get()});
  const auto create = [&](const std::string& parent, const std::string& name) {
    return studies.CreateStudy({parent, name, MakeStudySpec(), {}, {}})
        .status()
        .code();
  };
  EXPECT_EQ(create("owners/me", "a"), StatusCode::kOk);
  EXPECT_EQ(create("projects/me/locations/l", "b"),
            StatusCode::kResourceExhausted);
  EXPECT_EQ(create("owners/me", "a"), StatusCode::kOk) << "it is there";
  EXPECT_EQ(create("owners/you", "b"), StatusCode::kOk);
}

TEST_F(StudyServiceTest, AProjectFindsItsOwnStudiesOnly) {
  Make();
  // Called as if it were the other's.
  ASSERT_TRUE(
      studies_
          .CreateStudy({"owners/you", "a study@me", MakeStudySpec(), {}, {}})
          .ok());
  const auto snapshot = store_.Snapshot();
  const auto found = [&](const std::string& text) -> std::string {
    const auto study = FindStudy(*snapshot, text);
    return study.ok() ? (*study)->name : "-";
  };
  EXPECT_EQ(found("a study@me"), kName);
  EXPECT_EQ(found("1@me"), kName);
  EXPECT_EQ(found("a study@you"), "-");
  EXPECT_EQ(found("1@you"), "-");
  EXPECT_EQ(found("2@you"), "owners/you/studies/a study@me");
  EXPECT_EQ(found("owners/you/studies/a study@me"),
            "owners/you/studies/a study@me");
}

TEST_F(StudyServiceTest, WhySaysWhoRunsTheStudy) {
  StudySpec spec = MakeStudySpec();
  spec.metrics.push_back({"acc", Goal::kMaximize});
  Make(spec);
  EXPECT_EQ(Get("a"), "1");
  const auto study = *studies_.GetStudy(kName);
  EXPECT_THAT(ExplainJob(*study), HasSubstr("is active; its clients run"));
  EXPECT_THAT(ExplainJob(*study), HasSubstr("front of its 2 metrics"));
  EXPECT_THAT(ExplainTrial(*study, Trial(1)),
              HasSubstr("waits for its client \"a\" to complete it"));
}

}  // namespace
}  // namespace vernier
