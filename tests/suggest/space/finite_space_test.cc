#include "suggest/space/finite_space.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "base/rng.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

TEST(FiniteSpaceTest, CountsAsNestedLoopsDo) {
  const std::vector<ParameterSpec> space = {
      CategoricalParameter("c", 2), DoubleParameter("fixed", 3, 3),
      IntegerParameter("n", -1, 1), DiscreteParameter("d", {0.5, 8})};
  const auto finite = FiniteSpace::Create(space);
  ASSERT_TRUE(finite.has_value());
  EXPECT_EQ(finite->size(), 12);
  const Parameters expected = {{"c", std::string("c1")},
                               {"fixed", 3.0},
                               {"n", std::int64_t{-1}},
                               {"d", 8.0}};
  EXPECT_EQ(finite->At(7), expected);
  for (std::int64_t i = 0; i < finite->size(); ++i) {
    EXPECT_EQ(finite->IndexOf(finite->At(i)), i);
  }
}

TEST(FiniteSpaceTest, VisitsChildrenOfAValueBeforeTheNextValue) {
  const std::vector<ParameterSpec> space = {
      IntegerParameter("n", 1, 5),
      Below(CategoricalParameter("a", 2), 0,
            {std::int64_t{2}, std::int64_t{4}}),
      Below(CategoricalParameter("b", 3), 1, {Text("c1")}),
      CategoricalParameter("z", 2)};
  const auto finite = FiniteSpace::Create(space);
  ASSERT_TRUE(finite.has_value());
  // n = 1; 2 with a = c0, or c1 with three b; 3; 4 as 2; 5; each with two z.
  ASSERT_EQ(finite->size(), (1 + 4 + 1 + 4 + 1) * 2);
  const Parameters second_of_two = {{"n", std::int64_t{2}},
                                    {"a", Text("c1")},
                                    {"b", Text("c1")},
                                    {"z", Text("c1")}};
  EXPECT_EQ(finite->At(2 * 3 + 1), second_of_two);
  std::set<std::string> seen;
  for (std::int64_t i = 0; i < finite->size(); ++i) {
    seen.insert(ParametersToJson(finite->At(i)));
    EXPECT_EQ(finite->IndexOf(finite->At(i)), i);
  }
  EXPECT_EQ(std::ssize(seen), finite->size());
}

TEST(FiniteSpaceTest, IsNotMadeOfAnOpenDouble) {
  const std::vector<ParameterSpec> space = {IntegerParameter("n", 0, 1),
                                            DoubleParameter("x", 0, 1)};
  EXPECT_FALSE(FiniteSpace::Create(space).has_value());
}

TEST(FiniteSpaceTest, SaturatesInsteadOfOverflowing) {
  const double huge = 9007199254740992.0;
  const std::vector<ParameterSpec> space = {IntegerParameter("a", -huge, huge),
                                            IntegerParameter("b", -huge, huge)};
  const auto finite = FiniteSpace::Create(space);
  ASSERT_TRUE(finite.has_value());
  EXPECT_EQ(finite->size(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(finite->IndexOf(finite->At(12345)), 12345);
  const Parameters last = {{"a", static_cast<std::int64_t>(huge)},
                           {"b", static_cast<std::int64_t>(huge)}};
  EXPECT_EQ(finite->IndexOf(last), std::nullopt);
}

TEST(UntriedConfigurationsTest, DrawsEachOnce) {
  const std::vector<ParameterSpec> space = {IntegerParameter("n", 1, 30)};
  auto untried = UntriedConfigurations::Create(space);
  ASSERT_TRUE(untried.has_value());
  std::mt19937_64 rng = MakeRng(1, 1);
  std::set<double> seen;
  while (!untried->empty()) {
    const Parameters point = untried->Draw(rng);
    EXPECT_FALSE(untried->IsTried(point));
    untried->MarkTried(point);
    untried->MarkTried(point);
    EXPECT_TRUE(seen.insert(NumberOf(point, 0)).second);
  }
  EXPECT_EQ(seen.size(), 30u);
}

TEST(UntriedConfigurationsTest, ExistsForSmallSpacesOnly) {
  const std::vector<ParameterSpec> small = {IntegerParameter("n", 1, 20000)};
  const std::vector<ParameterSpec> large = {IntegerParameter("n", 0, 20000)};
  EXPECT_TRUE(UntriedConfigurations::Create(small).has_value());
  EXPECT_FALSE(UntriedConfigurations::Create(large).has_value());
}

}  // namespace
}  // namespace vernier
