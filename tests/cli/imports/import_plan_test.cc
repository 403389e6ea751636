#include "cli/imports/import_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/imports/foreign_facts.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

ForeignTrial Trial(const std::string& id, double x, double value) {
  ForeignTrial trial;
  trial.id = id;
  trial.parameters = {{"x", x}};
  trial.final_report = MetricReport{0, {}, {{"loss", value}}};
  return trial;
}

ForeignStudy Study(std::vector<ForeignTrial> trials) {
  ForeignStudy study;
  study.tool = "optuna";
  study.file = "f.db";
  study.name = "s";
  study.spec.metrics = {{"loss", Goal::kMinimize}};
  ParameterSpec x;
  x.name = "x";
  x.max_value = 1;
  study.spec.parameters = {x};
  study.trials = std::move(trials);
  return study;
}

// The study as it is on the service after a plan was carried out.
ImportedStudy After(const ImportPlan& plan) {
  ImportedStudy present{plan.spec, plan.attributes, {}};
  for (const PlannedTrial& one : plan.to_add) {
    present.trials.push_back(
        *ProvenanceFromJson(one.trial.attributes.at(kImportedAttribute)));
  }
  return present;
}

TEST(ImportPlanTest, AddsAllOfANewStudy) {
  const auto plan = PlanImport(Study({Trial("0", 0.5, 1), Trial("1", 0.2, 2)}),
                               "here", std::nullopt);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_TRUE(plan->is_new);
  EXPECT_THAT(plan->to_add, SizeIs(2));
  const auto origin =
      ProvenanceFromJson(plan->attributes.at(kImportedAttribute));
  ASSERT_TRUE(origin.has_value());
  EXPECT_EQ(origin->study, "s");
}

TEST(ImportPlanTest, AddsOnlyWhatIsNew) {
  const auto first =
      PlanImport(Study({Trial("0", 0.5, 1)}), "here", std::nullopt);
  ASSERT_TRUE(first.ok()) << first.status();
  const auto again = PlanImport(Study({Trial("0", 0.5, 1), Trial("1", 0.2, 2)}),
                                "here", After(*first));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_FALSE(again->is_new);
  EXPECT_EQ(again->there_already, 1u);
  ASSERT_THAT(again->to_add, SizeIs(1));
  EXPECT_EQ(again->to_add[0].trial.id, "1");
}

TEST(ImportPlanTest, KnowsATrialAgainWhoseLastDigitsDiffer) {
  const auto first =
      PlanImport(Study({Trial("0", 0.3, 1)}), "here", std::nullopt);
  ASSERT_TRUE(first.ok()) << first.status();
  const auto again = PlanImport(Study({Trial("0", 0.1 + 0.1 + 0.1, 1)}), "here",
                                After(*first));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_THAT(again->to_add, IsEmpty());
}

TEST(ImportPlanTest, WritesChoicesAsAnOlderStudyHasThem) {
  ForeignStudy study = Study({Trial("0", 0.5, 1)});
  ParameterSpec flag;
  flag.name = "flag";
  flag.type = ParameterType::kCategorical;
  flag.categorical_values = {"true", "false"};
  study.spec.parameters = {flag};
  study.trials[0].parameters = {{"flag", "true"}};
  const auto first = PlanImport(study, "here", std::nullopt);
  ASSERT_TRUE(first.ok()) << first.status();
  // The same file, as it is read now, with one more trial.
  study.typed_choices = {{"flag", "[true,false]"}};
  study.spec.parameters[0].categorical_values = {"True", "False"};
  study.trials[0].parameters = {{"flag", "True"}};
  study.trials.push_back(Trial("1", 0, 2));
  study.trials[1].parameters = {{"flag", "False"}};
  const auto plan = PlanImport(study, "here", After(*first));
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->there_already, 1U);
  ASSERT_THAT(plan->to_add, SizeIs(1));
  EXPECT_EQ(plan->to_add[0].trial.parameters[0].value, ParameterValue("false"));
}

TEST(ImportPlanTest, RefusesAnotherStudyOfTheSameName) {
  const auto first =
      PlanImport(Study({Trial("0", 0.5, 1)}), "here", std::nullopt);
  ASSERT_TRUE(first.ok()) << first.status();
  const auto other =
      PlanImport(Study({Trial("0", 0.6, 1)}), "here", After(*first));
  EXPECT_EQ(other.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(other.status().message()), HasSubstr("--as NAME"));
  const auto own = PlanImport(Study({}), "here", ImportedStudy());
  EXPECT_EQ(own.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(own.status().message()),
              HasSubstr("was not imported"));
}

TEST(ImportPlanTest, LeavesATrialThatHasEndedOtherwiseSince) {
  const auto first =
      PlanImport(Study({Trial("0", 0.5, 1)}), "here", std::nullopt);
  ASSERT_TRUE(first.ok()) << first.status();
  const auto again =
      PlanImport(Study({Trial("0", 0.5, 3)}), "here", After(*first));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_THAT(again->to_add, IsEmpty());
  EXPECT_EQ(again->there_already, 1u);
  EXPECT_THAT(again->notes, ElementsAre(HasSubstr("ended otherwise")));
}

TEST(ImportPlanTest, LeavesOutWhatHasNoPlaceInTheSpace) {
  ForeignTrial empty = Trial("2", 0.5, 1);
  empty.parameters.clear();
  const auto plan =
      PlanImport(Study({Trial("0", 0.5, 1), Trial("1", 7, 2), empty}), "here",
                 std::nullopt);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(plan->to_add, SizeIs(1));
  EXPECT_EQ(plan->left_out, 2u);
  EXPECT_THAT(plan->notes, ElementsAre(HasSubstr("1 trial (1): left out"),
                                       HasSubstr("1 trial (2): left out")));
}

TEST(ImportPlanTest, KeepsValuesOutsideOfTheSearchAsAttributes) {
  ForeignTrial trial = Trial("0", 0.5, 1);
  trial.parameters.push_back({"gone", std::string("a")});
  const auto plan = PlanImport(Study({trial}), "here", std::nullopt);
  ASSERT_TRUE(plan.ok()) << plan.status();
  ASSERT_THAT(plan->to_add, SizeIs(1));
  EXPECT_EQ(plan->to_add[0].trial.attributes.at("gone"), "\"a\"");
}

TEST(ImportPlanTest, MakesNamesThatAStudyMayHave) {
  EXPECT_EQ(StudyNameHere("a/b\n"), "a_b_");
  EXPECT_EQ(StudyNameHere(""), "study");
  EXPECT_EQ(StudyNameHere(".."), "study");
  EXPECT_EQ(StudyNameHere(std::string(500, 'x')).size(), 200u);
}

// The values of one would be taken for those of the other.
TEST(ImportPlanTest, RefusesOtherMetricsAndDirections) {
  ForeignStudy study = Study({Trial("0", 0.5, 1)});
  const auto first = PlanImport(study, "s", std::nullopt);
  ASSERT_TRUE(first.ok()) << first.status();
  study.trials.push_back(Trial("1", 0.25, 2));
  study.spec.metrics = {{"loss", Goal::kMaximize}};
  EXPECT_THAT(
      std::string(PlanImport(study, "s", After(*first)).status().message()),
      HasSubstr("has the metrics loss:min here, and this import has loss:max"));
  study.spec.metrics = {{"accuracy", Goal::kMinimize}};
  EXPECT_FALSE(PlanImport(study, "s", After(*first)).ok());
  study.spec.metrics = {{"loss", Goal::kMinimize}};
  EXPECT_TRUE(PlanImport(study, "s", After(*first)).ok());
}

}  // namespace
}  // namespace vernier
