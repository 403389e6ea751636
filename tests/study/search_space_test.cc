#include "study/search_space.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

ParameterSpec Category(std::string name, std::vector<std::string> values) {
  ParameterSpec spec;
  spec.name = std::move(name);
  spec.type = ParameterType::kCategorical;
  spec.categorical_values = std::move(values);
  return spec;
}

ParameterSpec Below(ParameterSpec spec, std::size_t parent,
                    std::vector<std::string> values) {
  spec.condition.emplace();
  spec.condition->parent = parent;
  for (std::string& value : values) {
    spec.condition->values.emplace_back(std::move(value));
  }
  return spec;
}

// net: mlp -> act: relu | tanh -> slope (relu only)
//      cnn -> act (again), kernel
// seed
std::vector<ParameterSpec> Tree() {
  ParameterSpec slope;
  slope.name = "slope";
  slope.max_value = 1;
  ParameterSpec seed = slope;
  seed.name = "seed";
  return {Category("net", {"mlp", "cnn"}),
          Below(Category("act", {"relu", "tanh"}), 0, {"mlp"}),
          Below(slope, 1, {"relu"}),
          Below(Category("act", {"relu", "gelu"}), 0, {"cnn"}),
          Below(Category("kernel", {"3", "5"}), 0, {"cnn"}),
          seed};
}

ParameterValue Text(const char* text) { return std::string(text); }

TEST(SearchSpaceTest, GivesEachActiveParameterItsValue) {
  const std::vector<ParameterSpec> space = Tree();
  const Parameters parameters = {{"net", Text("mlp")},
                                 {"act", Text("relu")},
                                 {"slope", 0.5},
                                 {"seed", 0.25}};
  const auto values = ValuesBySpec(space, parameters);
  ASSERT_EQ(values.size(), 6u);
  EXPECT_EQ(values[0], &parameters[0].value);
  EXPECT_EQ(values[1], &parameters[1].value);
  EXPECT_EQ(values[2], &parameters[2].value);
  EXPECT_EQ(values[3], nullptr);
  EXPECT_EQ(values[4], nullptr);
  EXPECT_EQ(values[5], &parameters[3].value);
}

TEST(SearchSpaceTest, OfTwoParametersOfOneNameFindsTheActiveOne) {
  const std::vector<ParameterSpec> space = Tree();
  const Parameters parameters = {{"seed", 0.25},  // In any order.
                                 {"kernel", Text("5")},
                                 {"act", Text("gelu")},
                                 {"net", Text("cnn")}};
  const auto specs = SpecsByValue(space, parameters);
  ASSERT_EQ(specs.size(), 4u);
  EXPECT_EQ(specs[0], &space[5]);
  EXPECT_EQ(specs[1], &space[4]);
  EXPECT_EQ(specs[2], &space[3]);
  EXPECT_EQ(specs[3], &space[0]);
}

TEST(SearchSpaceTest, AnInactiveParameterHasNoValueEvenIfOneIsGiven) {
  const std::vector<ParameterSpec> space = Tree();
  const Parameters parameters = {{"net", Text("mlp")},
                                 {"act", Text("tanh")},
                                 {"slope", 0.5},
                                 {"other", 1.0}};
  EXPECT_EQ(ValuesBySpec(space, parameters)[2], nullptr);
  const auto specs = SpecsByValue(space, parameters);
  EXPECT_EQ(specs[2], nullptr);
  EXPECT_EQ(specs[3], nullptr);
}

TEST(SearchSpaceTest, KnowsWhatCannotBeActiveTogether) {
  const std::vector<ParameterSpec> space = Tree();
  const auto both = [&](std::size_t i, std::size_t j) {
    EXPECT_EQ(AreExclusive(space, i, j), AreExclusive(space, j, i));
    return !AreExclusive(space, i, j);
  };
  EXPECT_FALSE(both(1, 3));  // Of one parent, other values,
  EXPECT_FALSE(both(2, 4));  // and so is what hangs on them.
  EXPECT_TRUE(both(3, 4));   // The same value.
  EXPECT_TRUE(both(1, 2));   // Parent and child.
  EXPECT_TRUE(both(0, 2));
  EXPECT_TRUE(both(2, 5));  // Nothing in common.
}

}  // namespace
}  // namespace vernier
