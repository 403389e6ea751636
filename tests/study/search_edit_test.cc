// Edits of a search space, and trials of one space read in another.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "study/job_file/job_parser.h"
#include "study/search_edit_plan.h"
#include "study/search_edits.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kRate[] =
    "{parameterName: lr, type: DOUBLE, minValue: 0.00001, maxValue: 1, "
    "scaleType: UNIT_LOG_SCALE}";
constexpr char kUnits[] =
    "{parameterName: units, type: DISCRETE, discreteValues: [16, 64]}";
constexpr char kOptimizer[] =
    "{parameterName: opt, type: CATEGORICAL, categoricalValues: [sgd, adam], "
    "childParameterSpecs: [{parameterName: momentum, type: DOUBLE, minValue: "
    "0, maxValue: 1, parentCategoricalValues: {values: [sgd]}}]}";
constexpr char kDropout[] =
    "{parameterName: dropout, type: DOUBLE, minValue: 0, maxValue: 0.5, "
    "defaultValue: 0.1}";

StudySpec Search(const std::vector<std::string>& params,
                 const std::string& section = "") {
  std::string list;
  for (const std::string& each : params) {
    absl::StrAppend(&list, list.empty() ? "" : ", ", each);
  }
  const auto job = ParseJob(
      absl::StrCat("{jobId: a, trainingInput: {hyperparameters: {params: [",
                   list, "]}}, vernier: {command: [/bin/true]", section, "}}"),
      {});
  EXPECT_TRUE(job.ok()) << job.status();
  return job.ok() ? StudySpecOf(job->spec) : StudySpec{};
}

std::vector<ParameterSpec> SpaceOf(const std::vector<std::string>& params) {
  return Search(params).parameters;
}

std::vector<std::string> Edits(const StudySpec& before, const StudySpec& after,
                               const std::optional<SearchEdits>& earlier = {}) {
  const auto edits = PlanSearchEdit(before, earlier, after);
  EXPECT_TRUE(edits.ok()) << edits.status();
  return edits.ok() ? *edits : std::vector<std::string>{};
}

std::string WhyNot(const StudySpec& before, const StudySpec& after,
                   const std::optional<SearchEdits>& earlier = {}) {
  const auto edits = PlanSearchEdit(before, earlier, after);
  EXPECT_EQ(edits.status().code(), absl::StatusCode::kFailedPrecondition);
  return std::string(edits.status().message());
}

TEST(SearchEditPlanTest, TheSameSearchHasNoEdits) {
  const StudySpec search = Search({kRate, kUnits, kOptimizer});
  EXPECT_THAT(Edits(search, search), IsEmpty());
}

TEST(SearchEditPlanTest, SaysInWordsWhatChanges) {
  const struct {
    const char* before;
    const char* after;
    const char* words;
  } kCases[] = {
      {kRate,
       "{parameterName: lr, type: DOUBLE, minValue: 0.0001, maxValue: 0.1, "
       "scaleType: UNIT_LOG_SCALE}",
       "lr: range 1e-05..1 -> 0.0001..0.1"},
      {kRate,
       "{parameterName: lr, type: DOUBLE, minValue: 0.1, maxValue: 0.1, "
       "scaleType: UNIT_LOG_SCALE}",
       "lr: fixed at 0.1"},
      {kRate,
       "{parameterName: lr, type: DOUBLE, minValue: 0.00001, maxValue: 1, "
       "scaleType: UNIT_LINEAR_SCALE}",
       "lr: scale log -> linear"},
      {kUnits,
       "{parameterName: units, type: DISCRETE, discreteValues: [16, 32, 64]}",
       "units: values added: 32"},
      {kUnits, "{parameterName: units, type: DISCRETE, discreteValues: [64]}",
       "units: values dropped: 16"},
      {"{parameterName: act, type: CATEGORICAL, categoricalValues: [a, b]}",
       "{parameterName: act, type: CATEGORICAL, categoricalValues: [b, a]}",
       "act: values in another order"},
      {kDropout,
       "{parameterName: dropout, type: DOUBLE, minValue: 0, maxValue: 0.5, "
       "defaultValue: 0.2}",
       "dropout: default 0.1 -> 0.2"},
  };
  for (const auto& each : kCases) {
    EXPECT_THAT(Edits(Search({each.before}), Search({each.after})),
                ElementsAre(each.words));
  }
}

TEST(SearchEditPlanTest, NamesAddedAndDroppedParametersAndConstraints) {
  EXPECT_THAT(Edits(Search({kRate}), Search({kRate, kDropout})),
              ElementsAre("dropout: added; earlier trials had 0.1"));
  EXPECT_THAT(Edits(Search({kRate, kDropout}), Search({kRate})),
              ElementsAre("dropout: dropped; later trials have 0.1"));
  EXPECT_THAT(
      Edits(Search({kRate, kUnits}, ", parameterConstraints: ['lr <= 0.5']"),
            Search({kRate, kUnits}, ", parameterConstraints: ['lr <= 0.2']")),
      ElementsAre("constraint added: \"lr <= 0.2\"",
                  "constraint dropped: \"lr <= 0.5\""));
  EXPECT_THAT(Edits(Search({kRate, kUnits}), Search({kUnits, kRate})),
              ElementsAre("parameters in another order"));
}

TEST(SearchEditPlanTest, RefusesWhatNoTrialCouldBeReadIn) {
  EXPECT_THAT(
      WhyNot(Search({kRate}), Search({kRate, kUnits})),
      HasSubstr("parameter \"units\" is new and has no default: give it the "
                "value that earlier trials had"));
  EXPECT_THAT(WhyNot(Search({kRate, kUnits}), Search({kRate})),
              HasSubstr("\"units\" has no default, so that it is not known"));
  EXPECT_THAT(
      WhyNot(Search({kUnits}),
             Search({"{parameterName: units, type: INTEGER, minValue: 1, "
                     "maxValue: 64}"})),
      HasSubstr("was DISCRETE and is INTEGER: a type never changes"));
}

TEST(SearchEditPlanTest, ADroppedParameterComesBackWithTheValueItHad) {
  const StudySpec without = Search({kRate});
  const auto edits =
      EditsAfter(std::nullopt, SpaceOf({kRate, kDropout}), without.parameters);
  EXPECT_THAT(Edits(without, Search({kRate, kDropout}), edits),
              ElementsAre("dropout: added; earlier trials had 0.1"));
  EXPECT_THAT(WhyNot(without,
                     Search({kRate,
                             "{parameterName: dropout, type: DOUBLE, minValue: "
                             "0, maxValue: 1, defaultValue: 0.3}"}),
                     edits),
              HasSubstr("was dropped, and the trials since had 0.1"));
}

TEST(SearchEditsTest, AnUneditedSearchHasNoTraces) {
  const auto space = SpaceOf({kRate});
  EXPECT_FALSE(EditsAfter(std::nullopt, space, space).has_value());
  EXPECT_TRUE(EditsAfter(std::nullopt, space, SpaceOf({kRate, kDropout})));
}

TEST(SearchEditsTest, AnUndoneEditLeavesNothingDropped) {
  const auto small = SpaceOf({kRate});
  const auto large = SpaceOf({kRate, kDropout});
  auto edits = EditsAfter(std::nullopt, large, small);
  ASSERT_EQ(edits->dropped.size(), 1u);
  EXPECT_EQ(edits->dropped[0].value, ParameterValue(0.1));
  edits = EditsAfter(edits, small, large);
  EXPECT_THAT(edits->dropped, IsEmpty());
}

TEST(SearchEditsTest, ATrialOutsideOfANarrowedSpaceIsRecognized) {
  const auto narrow = SpaceOf(
      {"{parameterName: lr, type: DOUBLE, minValue: 0.01, maxValue: 0.1}",
       "{parameterName: units, type: DISCRETE, discreteValues: [64]}"});
  const auto fits = [&](double rate, double units) {
    return ParametersInSpace(narrow, {}, {{"lr", rate}, {"units", units}})
        .has_value();
  };
  EXPECT_TRUE(fits(0.01, 64));
  EXPECT_TRUE(fits(0.1, 64));
  EXPECT_FALSE(fits(0.2, 64));
  EXPECT_FALSE(fits(0.05, 16));
}

TEST(SearchEditsTest, AnAddedParameterHasItsDefaultAndTheSpacesOrder) {
  const auto present =
      ParametersInSpace(SpaceOf({kDropout, kRate}), {}, {{"lr", 0.5}});
  ASSERT_TRUE(present.has_value());
  EXPECT_EQ(*present, (Parameters{{"dropout", 0.1}, {"lr", 0.5}}));
}

TEST(SearchEditsTest, ADroppedParameterMustHaveTheValueOfLaterTrials) {
  const SearchEdits edits{{{"dropout", 0.1}}};
  const auto space = SpaceOf({kRate});
  EXPECT_EQ(ParametersInSpace(space, edits, {{"lr", 0.5}, {"dropout", 0.1}}),
            (Parameters{{"lr", 0.5}}));
  EXPECT_EQ(ParametersInSpace(space, edits, {{"lr", 0.5}, {"dropout", 0.2}}),
            std::nullopt);
  EXPECT_EQ(ParametersInSpace(space, {}, {{"lr", 0.5}, {"dropout", 0.1}}),
            std::nullopt);
}

TEST(SearchEditsTest, ConditionsDecideWhichParametersATrialNeeds) {
  const auto tree = SpaceOf({kOptimizer});
  const std::string sgd = "sgd";
  const std::string adam = "adam";
  const Parameters whole = {{"opt", sgd}, {"momentum", 0.9}};
  EXPECT_EQ(ParametersInSpace(tree, {}, whole), whole);
  EXPECT_TRUE(ParametersInSpace(tree, {}, {{"opt", adam}}).has_value());
  EXPECT_FALSE(ParametersInSpace(tree, {}, {{"opt", sgd}}).has_value());
  EXPECT_FALSE(ParametersInSpace(tree, {}, {{"opt", adam}, {"momentum", 0.9}}));
}

}  // namespace
}  // namespace vernier
