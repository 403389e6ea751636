#include "cli/imports/space_conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "suggest/space/space_membership.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ParameterSpec Choice(const std::string& name) {
  ParameterSpec spec;
  spec.name = name;
  spec.type = ParameterType::kCategorical;
  spec.categorical_values = {"a", "b", "c"};
  return spec;
}

ParameterSpec Number(const std::string& name) {
  ParameterSpec spec;
  spec.name = name;
  spec.max_value = 1;
  return spec;
}

NamedValue Of(const std::string& name, const std::string& value) {
  return {name, value};
}
NamedValue Of(const std::string& name, double value) { return {name, value}; }

std::vector<std::string> NamesOf(const std::vector<ParameterSpec>& space) {
  std::vector<std::string> names;
  for (const ParameterSpec& spec : space) names.push_back(spec.name);
  return names;
}

TEST(SpaceConditionsTest, LeavesASpaceThatAllTrialsShare) {
  std::vector<ParameterSpec> space = {Number("x"), Choice("c")};
  std::vector<std::string> notes;
  InferConditions({{Of("x", 0.5), Of("c", "a")}, {Of("x", 0.1), Of("c", "b")}},
                  &space, &notes);
  EXPECT_THAT(NamesOf(space), ElementsAre("x", "c"));
  EXPECT_FALSE(space[0].condition.has_value());
  EXPECT_THAT(notes, IsEmpty());
}

TEST(SpaceConditionsTest, PutsABranchBehindTheChoiceThatItHangsOn) {
  std::vector<ParameterSpec> space = {Number("x"), Number("y"), Choice("c")};
  std::vector<std::string> notes;
  const std::vector<Parameters> trials = {{Of("x", 0.5), Of("c", "a")},
                                          {Of("y", 0.1), Of("c", "b")},
                                          {Of("y", 0.2), Of("c", "c")}};
  InferConditions(trials, &space, &notes);
  ASSERT_THAT(NamesOf(space), ElementsAre("c", "x", "y"));
  EXPECT_EQ(space[1].condition->parent, 0u);
  EXPECT_THAT(space[1].condition->values, ElementsAre(ParameterValue("a")));
  EXPECT_THAT(space[2].condition->values,
              ElementsAre(ParameterValue("b"), ParameterValue("c")));
  EXPECT_TRUE(CheckFitsSpace(space, {Of("c", "a"), Of("x", 0.5)}).ok());
  EXPECT_THAT(notes, IsEmpty());
}

TEST(SpaceConditionsTest, FindsABranchInABranch) {
  std::vector<ParameterSpec> space = {Choice("inner"), Number("x"),
                                      Choice("outer")};
  std::vector<std::string> notes;
  InferConditions({{Of("outer", "a"), Of("inner", "b"), Of("x", 0.5)},
                   {Of("outer", "a"), Of("inner", "c")},
                   {Of("outer", "b")}},
                  &space, &notes);
  ASSERT_THAT(NamesOf(space), ElementsAre("outer", "inner", "x"));
  EXPECT_EQ(space[1].condition->parent, 0u);
  EXPECT_EQ(space[2].condition->parent, 1u);
}

TEST(SpaceConditionsTest, TakesOutWhatNoOtherParameterExplains) {
  std::vector<ParameterSpec> space = {Number("x"), Choice("c")};
  std::vector<std::string> notes;
  InferConditions({{Of("x", 0.5), Of("c", "a")}, {Of("c", "a")}}, &space,
                  &notes);
  EXPECT_THAT(NamesOf(space), ElementsAre("c"));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("x is in 1 of 2")));
}

}  // namespace
}  // namespace vernier
