#include <gtest/gtest.h>
#include <vernier/v1/study_service.grpc.pb.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "faces/messages/insights_message.h"
#include "tests/faces/client_study_bed.h"

namespace vernier {
namespace {

using Studies = v1::StudyService::Stub;

class StudyInsightsTest : public ClientStudyBed {
 protected:
  Json Insights(const std::string& request) {
    const auto answer = client_->Ask(&Studies::GetInsights, request);
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.ok() ? ParseJson(*answer).value() : Json();
  }
};

TEST_F(StudyInsightsTest, TellWhatAJobsResultsSay) {
  ASSERT_TRUE(client_->CreateJob(JobJson("a", 20), "").ok());
  const StudyId study = FindJob(*store_.Snapshot(), "a")->id;
  for (int trial = 1; trial <= 12; ++trial) {
    const double x = trial / 13.0;
    Complete(Launch(study, trial, x), (x - 0.5) * (x - 0.5));
  }
  const Json insights = Insights(R"({"study":"a"})");
  EXPECT_EQ(insights["hasModel"], true);
  EXPECT_EQ(insights["observationCount"], "12");
  EXPECT_EQ(insights["metric"], "loss");
  EXPECT_EQ(insights["goal"], "MINIMIZE");
  ASSERT_EQ(insights["importance"].size(), 1u);
  EXPECT_EQ(insights["importance"][0]["parameter"], "x");
  ASSERT_EQ(insights["slices"].size(), 1u);
  ASSERT_EQ(insights["calibration"]["trials"].size(), 12u);
  EXPECT_EQ(insights["slices"][0]["x"].size(), 41u);
  EXPECT_EQ(insights["slices"][0]["mean"].size(), 41u);
  EXPECT_FALSE(insights.contains("contours")) << "there is one parameter";
  EXPECT_EQ(insights["calibration"]["trials"][11], "12");
  const Json best = insights["predictedBest"]["parameters"][0];
  EXPECT_EQ(best["name"], "x");
  EXPECT_NEAR(std::stod(best["value"].get<std::string>()), 0.5, 0.05);
  EXPECT_NEAR(insights["predictedBest"]["prediction"].value("mean", 0.0), 0,
              0.01);
}

TEST_F(StudyInsightsTest, SayWhyThereIsNoModel) {
  Create("a");
  const Json insights = Insights(R"({"study":"a"})");
  EXPECT_FALSE(insights.contains("hasModel"));
  EXPECT_NE(insights["reason"].get<std::string>().find("a model needs"),
            std::string::npos);
  EXPECT_EQ(insights["metric"], "loss");
}

TEST_F(StudyInsightsTest, RefuseUnknownNames) {
  Create("a");
  EXPECT_TRUE(absl::IsNotFound(
      client_->Ask(&Studies::GetInsights, R"({"study":"b"})").status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      client_
          ->Ask(&Studies::GetInsights,
                R"({"study":"a","contours":[{"first":"x","second":"y"}]})")
          .status()));
}

// A study with two metrics, each of which is modelled by itself.
TEST_F(StudyInsightsTest, OfSeveralMetricsAreAboutTheOneThatIsAskedFor) {
  StudyRequest request;
  request.parent = "owners/me";
  request.name = "two";
  ParameterSpec x;
  x.name = "x";
  x.max_value = 1;
  request.spec.parameters = {x};
  request.spec.metrics = {{"accuracy", Goal::kMaximize},
                          {"seconds", Goal::kMinimize}};
  ASSERT_TRUE(studies_.CreateStudy(request).ok());
  const std::string name = StudyResourceName("owners/me", "two");
  for (int i = 0; i < 10; ++i) {
    TrialRequest trial;
    trial.parameters = {{"x", i / 10.0}};
    trial.state = TrialState::kCompleted;
    trial.final_report.emplace();
    trial.final_report->metrics = {{"accuracy", -1.0 * (i - 3) * (i - 3)},
                                   {"seconds", 1.0 * i}};
    const auto made = studies_.CreateTrial(name, trial);
    ASSERT_TRUE(made.ok()) << made.status();
  }
  const Json insights = Insights(R"({"study":"owners/me/studies/two"})");
  EXPECT_EQ(insights["hasModel"], true) << insights["reason"];
  EXPECT_EQ(insights["metric"], "accuracy");
  EXPECT_EQ(insights["goal"], "MAXIMIZE");
  const Json best = insights["predictedBest"]["parameters"][0];
  EXPECT_NEAR(std::stod(best["value"].get<std::string>()), 0.3, 0.05);
  // Beside it the front, which is of all metrics.
  EXPECT_EQ(insights["frontGrowth"]["trials"], Json({"1", "2", "3", "4"}));
  EXPECT_EQ(insights["frontGrowth"]["hypervolume"].size(), 4u);
  ASSERT_EQ(insights["tradeOffs"].size(), 2u);
  EXPECT_NE(insights["tradeOffs"][0].get<std::string>().find(" of seconds"),
            std::string::npos);
  const Json seconds =
      Insights(R"({"study":"owners/me/studies/two","metric":"seconds"})");
  EXPECT_EQ(seconds["metric"], "seconds");
  EXPECT_EQ(seconds["goal"], "MINIMIZE");
  EXPECT_EQ(seconds["tradeOffs"], insights["tradeOffs"]);
  const Json fastest = seconds["predictedBest"]["parameters"][0];
  EXPECT_NEAR(std::stod(fastest["value"].get<std::string>()), 0, 0.05);
  const auto unknown =
      client_->Ask(&Studies::GetInsights,
                   R"({"study":"owners/me/studies/two","metric":"second"})");
  EXPECT_TRUE(absl::IsInvalidArgument(unknown.status()));
  EXPECT_EQ(unknown.status().message(),
            "metric must be one of the study's (accuracy, seconds), not "
            "second; did you mean seconds?");
}

// Failures are told of before there is a model, too. A client's infeasible
// trial is of no known kind.
TEST_F(StudyInsightsTest, TellWhereTrialsDie) {
  StudyRequest request;
  request.parent = "owners/me";
  request.name = "dies";
  ParameterSpec x;
  x.name = "x";
  x.max_value = 1;
  request.spec.parameters = {x};
  request.spec.metrics = {{"loss", Goal::kMinimize}};
  ASSERT_TRUE(studies_.CreateStudy(request).ok());
  const std::string name = StudyResourceName("owners/me", "dies");
  for (int i = 0; i < 20; ++i) {
    TrialRequest trial;
    trial.parameters = {{"x", i / 20.0}};
    trial.state = TrialState::kCompleted;
    if (i >= 14) {
      trial.state = TrialState::kInfeasible;
      trial.infeasible_reason = "too large";
    } else {
      trial.final_report.emplace();
      // All are equal, so that there is no model.
      trial.final_report->metrics = {{"loss", 1}};
    }
    const auto made = studies_.CreateTrial(name, trial);
    ASSERT_TRUE(made.ok()) << made.status();
  }
  const Json insights = Insights(R"({"study":"owners/me/studies/dies"})");
  EXPECT_FALSE(insights.contains("hasModel"));
  ASSERT_EQ(insights["failures"].size(), 1u) << insights;
  const Json died = insights["failures"][0];
  EXPECT_EQ(died["kind"], "OTHER");
  EXPECT_EQ(died["count"], 6);
  EXPECT_EQ(died["share"], 0.3);
  EXPECT_EQ(died["boundary"],
            Json::parse(R"({"parameters":["x"],"quantity":"VALUE",
                "relation":"ABOVE","threshold":0.67,"insideCount":6,
                "insideFailedCount":6,"outsideCount":14})"));
  EXPECT_EQ(died["text"],
            "6 of 20 trials (30 %) failed or were infeasible. Of trials with x "
            "above 0.67, 6 of 6 did, and 0 of 14 others.");
}

// One of each field; numbers that tell apart what could be mixed up.
TEST(InsightsMessageTest, HasEveryPart) {
  StudySnapshot study;
  StudySpec spec;
  ParameterSpec c;
  c.name = "c";
  c.type = ParameterType::kCategorical;
  c.categorical_values = {"p", "q"};
  spec.parameters = {c};
  spec.metrics = {{"loss", Goal::kMinimize}};
  study.spec = std::make_shared<const StudySpec>(spec);
  StudyInsights insights;
  insights.observed = {TrialId{4}, TrialId{9}};
  Insights& from = insights.insights;
  from.num_observations = 2;
  from.importance = {{"c", 0.5, 0.4, 0.6}};
  from.interactions = {{"c", "d", 0.25}};
  const CurveAxis axis{"c", {0, 1}, {"p", "q"}};
  const CurveAxis other{"d", {7}, {}};
  from.slices = {{axis, {{2, 1, 3}, {5, 4, 6}}}};
  from.contours = {{axis, other, {{2, 1, 3}, {5, 3, 7}}}};
  from.calibration.points = {{1, 0.75, {0.5, 0.25, 1}}};
  from.calibration.coverage = 0.5;
  from.calibration.log_score = -1;
  from.best = {{"c", std::string("q")}};
  from.best_prediction = {8, 7, 9};
  from.expected_gain = 0.125;
  from.improvement_probability = 0.375;
  from.advice = {{"c", AdviceKind::kUnimportant, "It hardly matters."}};
  FailureReport failures{FailureKind::kDivergence,
                         4,
                         16,
                         std::chrono::microseconds(1500000),
                         std::chrono::seconds(60),
                         FailureBoundary{}};
  failures.boundary->first = "e";
  failures.boundary->second = "f";
  failures.boundary->quantity = FailureBoundary::Quantity::kRatio;
  failures.boundary->relation = FailureBoundary::Relation::kBelow;
  failures.boundary->threshold = 3;
  failures.boundary->inside = 5;
  failures.boundary->inside_failed = 4;
  failures.boundary->outside = 8;
  failures.boundary->outside_failed = 1;
  insights.failures = {failures};

  const v1::Insights to = ToProto(study, insights);
  EXPECT_EQ(to.failures(0).kind(), "DIVERGENCE");
  EXPECT_EQ(to.failures(0).count(), 4);
  EXPECT_EQ(to.failures(0).share(), 0.25);
  EXPECT_EQ(to.failures(0).median_time_to_death().seconds(), 1);
  EXPECT_EQ(to.failures(0).median_time_to_death().nanos(), 500000000);
  EXPECT_EQ(to.failures(0).median_time_of_success().seconds(), 60);
  EXPECT_EQ(to.failures(0).boundary().parameters(1), "f");
  EXPECT_EQ(to.failures(0).boundary().quantity(), "RATIO");
  EXPECT_EQ(to.failures(0).boundary().relation(), "BELOW");
  EXPECT_EQ(to.failures(0).boundary().threshold(), 3);
  EXPECT_EQ(to.failures(0).boundary().inside_count(), 5);
  EXPECT_EQ(to.failures(0).boundary().inside_failed_count(), 4);
  EXPECT_EQ(to.failures(0).boundary().outside_count(), 8);
  EXPECT_EQ(to.failures(0).boundary().outside_failed_count(), 1);
  EXPECT_EQ(to.failures(0).text(),
            "4 of 16 trials (25 %) diverged, after 1.5 s in the median; a "
            "success takes 1 min. Of trials with e / f below 3, 4 of 5 did, "
            "and 1 of 8 others.");
  EXPECT_TRUE(to.has_model());
  EXPECT_EQ(to.observation_count(), 2);
  EXPECT_EQ(to.goal(), "MINIMIZE");
  EXPECT_EQ(to.importance(0).low(), 0.4);
  EXPECT_EQ(to.importance(0).high(), 0.6);
  EXPECT_EQ(to.interactions(0).second(), "d");
  EXPECT_EQ(to.slices(0).labels(1), "q");
  EXPECT_EQ(to.slices(0).mean(1), 5);
  EXPECT_EQ(to.slices(0).low(1), 4);
  EXPECT_EQ(to.slices(0).high(1), 6);
  EXPECT_EQ(to.contours(0).x_labels_size(), 2);
  EXPECT_EQ(to.contours(0).y(0), 7);
  EXPECT_EQ(to.contours(0).y_labels_size(), 0);
  EXPECT_EQ(to.contours(0).mean(1), 5);
  EXPECT_EQ(to.contours(0).deviation(0), 1);
  EXPECT_EQ(to.contours(0).deviation(1), 2);
  EXPECT_EQ(to.calibration().trials(0), 9);
  EXPECT_EQ(to.calibration().observed(0), 0.75);
  EXPECT_EQ(to.calibration().mean(0), 0.5);
  EXPECT_EQ(to.calibration().coverage(), 0.5);
  EXPECT_EQ(to.calibration().log_score(), -1);
  EXPECT_TRUE(to.predicted_best().parameters(0).is_text());
  EXPECT_EQ(to.predicted_best().parameters(0).value(), "q");
  EXPECT_EQ(to.predicted_best().prediction().mean(), 8);
  EXPECT_EQ(to.expected_gain(), 0.125);
  EXPECT_EQ(to.improvement_probability(), 0.375);
  EXPECT_EQ(to.advice(0).kind(), "UNIMPORTANT");
}

}  // namespace
}  // namespace vernier
