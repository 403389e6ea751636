#include "trials/submission/study_revision.h"

#include <gmock/gmock.h>

#include "store/present_space.h"
#include "tests/trials/study_bed.h"
#include "trials/engine/study_view.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// An edit whose parameters are these, in the form of a job file.
StudyRevision To(const std::string& params) {
  return {R"({"trainingInput":{"hyperparameters":{"params":[)" + params +
          "]}}}"};
}

std::string X(const std::string& range) {
  return R"({"parameterName":"x","type":"DOUBLE",)" + range + "}";
}

const std::string kWhole = X(R"("minValue":0,"maxValue":1)");
const std::string kNarrow = X(R"("minValue":0,"maxValue":0.5)");

class StudyRevisionTest : public StudyBed {
 protected:
  absl::StatusOr<StudyRevisionPlan> Plan(const StudyRevision& asked) {
    return PlanStudyRevision(ClientStudyOf(**studies_.GetStudy(kName)), asked);
  }

  std::vector<std::string> Edit(const StudyRevision& asked) {
    const auto plan = Plan(asked);
    EXPECT_TRUE(plan.ok()) << plan.status();
    if (!plan.ok()) return {};
    if (!plan->changes.empty()) {
      EXPECT_TRUE(studies_.Revise(plan->change).ok());
    }
    return plan->changes;
  }

  void Refuses(const StudyRevision& asked, absl::StatusCode code,
               const std::string& message) {
    const auto plan = Plan(asked);
    EXPECT_EQ(plan.status().code(), code) << plan.status();
    EXPECT_THAT(std::string(plan.status().message()), HasSubstr(message));
  }
};

TEST_F(StudyRevisionTest, OldTrialsAreOfUseWhereTheyFit) {
  Make();
  EXPECT_EQ(Get("a", 8), "1 2 3 4 5 6 7 8");
  int inside = 0;
  for (int i = 1; i <= 8; ++i) {
    Complete(i, 0.5);
    inside += std::get<double>(Trial(i).parameters[0].value) <= 0.5;
  }
  ASSERT_GT(inside, 0);
  ASSERT_LT(inside, 8);
  EXPECT_THAT(Edit(To(kNarrow)), ElementsAre("x: range 0..1 -> 0..0.5"));
  const auto edited = *studies_.GetStudy(kName);
  EXPECT_EQ(MakeStudyView(*edited, nullptr).completed.size(),
            static_cast<std::size_t>(inside));
  EXPECT_EQ(CountOutside(*edited), static_cast<std::size_t>(8 - inside));
  const auto next = Ask("b", 20);
  ASSERT_TRUE(next.ok()) << next.status();
  for (const TrialId id : next->trials) {
    EXPECT_LE(std::get<double>(next->study->trials.Get(id).parameters[0].value),
              0.5);
  }
  EXPECT_THAT(Edit(To(kWhole)), ElementsAre("x: range 0..0.5 -> 0..1"));
  EXPECT_EQ(CountOutside(**studies_.GetStudy(kName)), 0u);
  EXPECT_EQ(SpecVersionOf(ClientRunOf(**studies_.GetStudy(kName))), 3);
}

TEST_F(StudyRevisionTest, WhatIsThereAlreadyChangesNothing) {
  StudySpec spec = MakeStudySpec();
  spec.parameters[0].scale = ScaleType::kLinear;
  ParameterSpec k = MakeGridSpec().parameters[0];
  spec.parameters.push_back(k);
  Make(spec);
  EXPECT_THAT(
      Edit(To(
          R"({"parameterName":"n","type":"INTEGER","minValue":1,"maxValue":3},)" +
          kWhole)),
      IsEmpty())
      << "a linear scale is not said, and the order says nothing";
  EXPECT_THAT(Edit({"{}"}), IsEmpty());
}

TEST_F(StudyRevisionTest, ConstraintsAreEditedAndKept) {
  Make();
  EXPECT_THAT(Edit({R"({"vernier":{"parameterConstraints":["2*x <= 1"]}})"}),
              ElementsAre("constraint added: \"2*x <= 1\""));
  EXPECT_THAT(Edit(To(X(R"("minValue":0,"maxValue":2)"))),
              ElementsAre("x: range 0..1 -> 0..2"));
  EXPECT_EQ((*studies_.GetStudy(kName))->spec->parameter_constraints.size(),
            1u);
  Refuses(To(R"({"parameterName":"y","type":"DOUBLE","minValue":0,)"
             R"("maxValue":1,"defaultValue":0})"),
          absl::StatusCode::kInvalidArgument, "2*x <= 1");
}

TEST_F(StudyRevisionTest, SaysWhyNotAndOffersTheStudyAsMemory) {
  StudySpec learns = MakeStudySpec();
  learns.algorithm = Algorithm::kDefault;
  Make(learns);
  const std::string y =
      R"({"parameterName":"y","type":"DOUBLE","minValue":0,"maxValue":1})";
  Refuses(To(kWhole + "," + y), absl::StatusCode::kFailedPrecondition,
          "the search of study \"a study\" cannot be edited so: parameter "
          "\"y\" is new and has no default");
  Refuses(To(kWhole + "," + y), absl::StatusCode::kFailedPrecondition,
          "a new search needs a name of its own, and has this one as its "
          "memory with priorStudies: [a study]");
  Refuses({R"({"vernier":{"command":["true"]}})"},
          absl::StatusCode::kInvalidArgument, "not vernier.command");
  Refuses({R"({"trainingInput":{"hyperparameters":{"goal":"MAXIMIZE"}}})"},
          absl::StatusCode::kInvalidArgument, "hyperparameters.goal");
  Refuses(To(""), absl::StatusCode::kInvalidArgument, "at least one parameter");
  Refuses(To(X(R"("minValue":2,"maxValue":1)")),
          absl::StatusCode::kInvalidArgument, "maxValue");
  EXPECT_TRUE(
      std::string(Plan(To("")).status().message()).starts_with("params"));
  Refuses({"[]"}, absl::StatusCode::kInvalidArgument, "must be an object");
}

TEST_F(StudyRevisionTest, AMetricIsRenamedWithItsValues) {
  Make();
  EXPECT_EQ(Get("a", 3), "1 2 3");
  Complete(1, 0.5);
  Complete(2, 0.25);
  const auto rename = [](const std::string& name, const std::string& old) {
    return StudyRevision{R"({"vernier":{"renamedFrom":{")" + name + R"(":[")" +
                         old + R"("]}}})"};
  };
  EXPECT_THAT(Edit(rename("error", "loss")),
              ElementsAre("metric loss -> error"));
  EXPECT_THAT(Edit(rename("error", "loss")), IsEmpty()) << "it is done";
  EXPECT_EQ(Trial(2).final_report->metrics[0].metric, "error");
  const auto study = *studies_.GetStudy(kName);
  EXPECT_EQ(MakeStudyView(*study, nullptr).completed.size(), 2u);
  Complete(3, 0.75);  // Its client still says "loss".
  EXPECT_EQ(Trial(3).final_measurement->value, 0.75);
  EXPECT_EQ(Trial(3).final_report->metrics[0].metric, "error");
  Refuses(rename("cost", "los"), absl::StatusCode::kInvalidArgument,
          "no metric is or was called \"los\": the metrics are \"error\"");
  Refuses({R"({"vernier":{"renamedFrom":{"cost":"error"}}})"},
          absl::StatusCode::kInvalidArgument, "must be a mapping");
  EXPECT_THAT(Edit(rename("loss", "error")),
              ElementsAre("metric error -> loss"));
  EXPECT_EQ(Trial(3).final_report->metrics[0].metric, "loss");
}

TEST_F(StudyRevisionTest, OfSeveralMetricsTheBestTrialsAreTheMemory) {
  StudySpec spec = MakeStudySpec();
  spec.metrics.push_back({"accuracy", Goal::kMaximize});
  Make(spec);
  Refuses(To(R"({"parameterName":"x","type":"INTEGER","minValue":0,)"
             R"("maxValue":1})"),
          absl::StatusCode::kFailedPrecondition,
          "may begin with the best trials of this one");
}

TEST_F(StudyRevisionTest, AUsedUpStudyGoesOnWithMoreValues) {
  Make(MakeGridSpec());
  EXPECT_EQ(Get("a", 4), "1 2 3");
  for (int i = 1; i <= 3; ++i) Complete(i, 0.5);
  EXPECT_EQ(Get("a"), "");
  EXPECT_EQ(ClientRunOf(**studies_.GetStudy(kName)).state,
            StudyState::kCompleted);
  Edit(To(
      R"({"parameterName":"n","type":"INTEGER","minValue":1,"maxValue":4})"));
  EXPECT_EQ(ClientRunOf(**studies_.GetStudy(kName)).state, StudyState::kActive);
  EXPECT_EQ(Get("a", 2), "4");
}

}  // namespace
}  // namespace vernier
