#include "cli/imports/optuna_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::UnorderedElementsAre;

std::string Float(double low, double high, const std::string& step = "null") {
  return absl::StrCat(R"({"name": "FloatDistribution", "attributes": {"low": )",
                      low, R"(, "high": )", high, R"(, "step": )", step,
                      R"(, "log": false}})");
}

OptunaTrial Complete(std::int64_t number, double x, double value) {
  OptunaTrial trial;
  trial.number = number;
  trial.state = OptunaTrial::State::kComplete;
  trial.params["x"] = {x, Float(0, 1)};
  trial.values = {value};
  return trial;
}

OptunaStudy StudyOf(std::vector<OptunaTrial> trials) {
  OptunaStudy study;
  study.name = "s";
  study.directions = {Goal::kMinimize};
  study.trials = std::move(trials);
  return study;
}

ForeignStudy ReadOptuna(const OptunaStudy& study) {
  auto read = FromOptuna(study, "f.db");
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? *std::move(read) : ForeignStudy();
}

TEST(OptunaStudyTest, JoinsTheRangesOfAllTrials) {
  OptunaTrial wider = Complete(1, 4, 2);
  wider.params["x"] = {4, Float(-1, 5)};
  const ForeignStudy study = ReadOptuna(StudyOf({Complete(0, 0.5, 1), wider}));
  ASSERT_THAT(study.spec.parameters, SizeIs(1));
  EXPECT_EQ(study.spec.parameters[0].min_value, -1);
  EXPECT_EQ(study.spec.parameters[0].max_value, 5);
  EXPECT_EQ(study.spec.metrics.front().name, "value");
  ASSERT_THAT(study.trials, SizeIs(2));
  EXPECT_EQ(study.trials[1].id, "1");
}

TEST(OptunaStudyTest, MakesStepsAListOfValues) {
  OptunaTrial trial = Complete(0, 0, 1);
  trial.params["x"] = {0.1 + 0.1 + 0.1, Float(0, 1, "0.1")};
  const ForeignStudy study = ReadOptuna(StudyOf({trial}));
  ASSERT_THAT(study.spec.parameters, SizeIs(1));
  EXPECT_THAT(study.spec.parameters[0].discrete_values,
              ElementsAre(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1));
  EXPECT_EQ(study.trials[0].parameters[0].value, ParameterValue(0.3));
}

std::string Choices(const std::string& list) {
  return absl::StrCat(
      R"({"name": "CategoricalDistribution", "attributes": {"choices": )", list,
      "}}");
}

TEST(OptunaStudyTest, KeepsTheTypesOfChoices) {
  OptunaTrial trial = Complete(0, 0.5, 1);
  trial.params = {{"flag", {1, Choices("[true, false]")}},
                  {"kind", {0, Choices(R"(["a", "b"])")}},
                  {"layers", {0, Choices("[[8], [8, 8]]")}},
                  {"p", {1, Choices(R"(["auto", null, 0.1, NaN])")}},
                  {"same", {0, Choices(R"(["True", true])")}}};
  const ForeignStudy study = ReadOptuna(StudyOf({trial}));
  EXPECT_THAT(study.typed_choices,
              UnorderedElementsAre(Pair("flag", "[true,false]"),
                                   Pair("p", "[\"auto\",null,0.1,NaN]")));
  ASSERT_THAT(study.spec.parameters, SizeIs(5));
  EXPECT_THAT(study.spec.parameters[0].categorical_values,
              ElementsAre("True", "False"));
  EXPECT_THAT(study.spec.parameters[3].categorical_values,
              ElementsAre("auto", "None", "0.1", "nan"));
  EXPECT_EQ(study.trials[0].parameters[0].value, ParameterValue("False"));
}

TEST(OptunaStudyTest, LeavesOutWhatHasNoResultAndSaysSo) {
  OptunaTrial running = Complete(1, 0.5, 1);
  running.state = OptunaTrial::State::kRunning;
  OptunaTrial waiting = Complete(2, 0.5, 1);
  waiting.state = OptunaTrial::State::kWaiting;
  const ForeignStudy study =
      ReadOptuna(StudyOf({Complete(0, 0.5, 1), running, waiting}));
  EXPECT_THAT(study.trials, SizeIs(1));
  EXPECT_THAT(study.notes, ElementsAre(HasSubstr("1 trial (1): running"),
                                       HasSubstr("1 trial (2): waiting")));
}

TEST(OptunaStudyTest, KeepsHowTrialsEnded) {
  OptunaTrial failed = Complete(0, 0.5, 1);
  failed.state = OptunaTrial::State::kFail;
  failed.values.clear();
  OptunaTrial pruned = Complete(1, 0.5, 1);
  pruned.state = OptunaTrial::State::kPruned;
  pruned.values.clear();
  pruned.reports = {{2, 9.0}, {5, 8.0}};
  OptunaTrial pruned_at_once = Complete(2, 0.5, 1);
  pruned_at_once.state = OptunaTrial::State::kPruned;
  pruned_at_once.values.clear();
  const ForeignStudy study =
      ReadOptuna(StudyOf({failed, pruned, pruned_at_once}));
  ASSERT_THAT(study.trials, SizeIs(3));
  EXPECT_EQ(study.trials[0].state, ForeignTrial::State::kInfeasible);
  EXPECT_EQ(study.trials[1].state, ForeignTrial::State::kStopped);
  EXPECT_EQ(study.trials[1].final_report->step, 5);
  EXPECT_EQ(study.trials[1].final_report->metrics[0].value, 8.0);
  EXPECT_EQ(study.trials[2].state, ForeignTrial::State::kInfeasible);
}

TEST(OptunaStudyTest, NamesValuesThatAreNotFinite) {
  const ForeignStudy study = ReadOptuna(StudyOf({Complete(0, 0.5, HUGE_VAL)}));
  ASSERT_THAT(study.trials, SizeIs(1));
  EXPECT_THAT(study.notes, ElementsAre(HasSubstr("infinite")));
}

TEST(OptunaStudyTest, ReadsConstraintsOfBothForms) {
  OptunaTrial list = Complete(0, 0.5, 1);
  list.system_attributes["constraints"] = "[-1.0, 2]";
  OptunaTrial named = Complete(1, 0.5, 1);
  named.system_attributes["constraints:memory"] = "Infinity";
  const ForeignStudy study = ReadOptuna(StudyOf({list, named}));
  std::vector<std::string> names;
  for (const OutcomeConstraint& one : study.spec.constraints) {
    names.push_back(one.metric);
    EXPECT_EQ(one.max, 0.0);
  }
  EXPECT_THAT(names, ElementsAre("constraints:0", "constraints:1",
                                 "constraints:memory"));
  EXPECT_EQ(study.trials[0].final_report->metrics[2].value, 2);
  EXPECT_EQ(study.trials[1].final_report->metrics[1].value, HUGE_VAL);
}

TEST(OptunaStudyTest, TakesTheNamesOfObjectives) {
  OptunaStudy study = StudyOf({Complete(0, 0.5, 1)});
  study.system_attributes["study:metric_names"] = R"(["loss"])";
  EXPECT_EQ(ReadOptuna(study).spec.metrics[0].name, "loss");
}

TEST(OptunaStudyTest, LeavesOutAttributesThatHaveNoPlace) {
  OptunaTrial trial = Complete(0, 0.5, 1);
  trial.user_attributes = {{"imported", "1"}, {"nan", "NaN"}, {"ok", "[1]"}};
  const ForeignStudy study = ReadOptuna(StudyOf({trial}));
  EXPECT_THAT(study.trials[0].attributes, SizeIs(1));
  EXPECT_THAT(absl::StrJoin(study.notes, "\n"), HasSubstr("no JSON"));
}

TEST(OptunaStudyTest, NamesTheTrialThatIsWrong) {
  OptunaTrial trial = Complete(7, 0.5, 1);
  trial.values = {1, 2};
  EXPECT_THAT(
      std::string(FromOptuna(StudyOf({trial}), "f.db").status().message()),
      HasSubstr("f.db: study \"s\": trial 7 is complete with 2 values"));
  trial.values = {1};
  trial.params["x"].distribution = "{}";
  EXPECT_THAT(
      std::string(FromOptuna(StudyOf({trial}), "f.db").status().message()),
      HasSubstr("trial 7: parameter x: a distribution must be JSON"));
  OptunaStudy unset = StudyOf({});
  unset.directions = {std::nullopt};
  EXPECT_THAT(std::string(FromOptuna(unset, "f.db").status().message()),
              HasSubstr("objective 0 has no direction"));
}

// Of distributions that exclude each other.
TEST(OptunaStudyTest, AnAttributeHasTheValueOfItsOwnTrial) {
  std::vector<OptunaTrial> trials = {Complete(0, 0.5, 1), Complete(1, 0.5, 1),
                                     Complete(2, 0.5, 1)};
  const auto choice = [](const std::string& choices) {
    return R"({"name": "CategoricalDistribution", "attributes": )"
           R"({"choices": )" +
           choices + "}}";
  };
  trials[0].params["y"] = {1, choice(R"(["a", "b"])")};
  trials[1].params["y"] = {0.75, Float(0, 1)};
  trials[2].params["y"] = {0, choice(R"(["b", "c"])")};
  const std::string large =
      R"({"name": "IntDistribution", "attributes": {"low": 1, )"
      R"("high": 2305843009213693952, "step": 1, "log": false}})";
  trials[0].params["n"] = {1152921504606846976.0, large};
  const ForeignStudy study = ReadOptuna(StudyOf(trials));
  EXPECT_THAT(study.spec.parameters, SizeIs(1));
  const auto value_of = [&](std::size_t trial, const std::string& name) {
    for (const NamedValue& one : study.trials[trial].parameters) {
      if (one.name == name) return one.value;
    }
    return ParameterValue(std::string("none"));
  };
  EXPECT_EQ(value_of(0, "y"), ParameterValue(std::string("b")));
  EXPECT_EQ(value_of(1, "y"), ParameterValue(0.75));
  EXPECT_EQ(value_of(2, "y"), ParameterValue(std::string("b")));
  EXPECT_EQ(value_of(0, "n"), ParameterValue(1152921504606846976.0));
}

}  // namespace
}  // namespace vernier
