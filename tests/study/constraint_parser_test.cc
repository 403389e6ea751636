#include "study/constraint_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace vernier {
namespace {

using ::testing::HasSubstr;

ParameterSpec Range(std::string name, ParameterType type, double low,
                    double high) {
  ParameterSpec spec;
  spec.name = std::move(name);
  spec.type = type;
  spec.min_value = low;
  spec.max_value = high;
  return spec;
}

ParameterSpec Choice(std::string name, std::vector<std::string> values) {
  ParameterSpec spec;
  spec.name = std::move(name);
  spec.type = ParameterType::kCategorical;
  spec.categorical_values = std::move(values);
  return spec;
}

// momentum is active with sgd, beta with adam.
std::vector<ParameterSpec> NetworkSpace() {
  ParameterSpec batch;
  batch.name = "batch";
  batch.type = ParameterType::kDiscrete;
  batch.discrete_values = {16, 32, 64};
  std::vector<ParameterSpec> space = {
      Range("layers", ParameterType::kInteger, 1, 8),
      Range("width", ParameterType::kInteger, 16, 1024),
      Range("a", ParameterType::kDouble, 0, 1),
      Range("b", ParameterType::kDouble, 0, 1),
      Range("learning-rate", ParameterType::kDouble, 1e-4, 1),
      batch,
      Choice("optimizer", {"sgd", "adam", "sgd momentum"}),
      Range("momentum", ParameterType::kDouble, 0, 1),
      Range("beta", ParameterType::kDouble, 0, 1)};
  space[7].condition = ParameterCondition{6, {std::string("sgd")}};
  space[8].condition = ParameterCondition{6, {std::string("adam")}};
  return space;
}

Parameters Point(std::int64_t layers, std::int64_t width, double a, double b,
                 double rate, double batch) {
  return {{"layers", layers},
          {"width", width},
          {"a", a},
          {"b", b},
          {"learning-rate", rate},
          {"batch", batch},
          {"optimizer", std::string("sgd")},
          {"momentum", 0.9}};
}

struct MeaningCase {
  const char* text;
  Parameters met;
  Parameters violated;
};

// Each row: what the text allows, and what it does not.
TEST(ConstraintParserTest, ReadsInequalitiesAndCombinations) {
  const Parameters usual = Point(4, 256, 0.25, 0.5, 0.01, 32);
  const MeaningCase kCases[] = {
      {"layers * 1 + width/64 <= 8", usual, Point(8, 256, 0, 0, 1, 32)},
      {"a <= b", usual, Point(4, 256, 0.75, 0.5, 0.01, 32)},
      {"b>=a", usual, Point(4, 256, 0.75, 0.5, 0.01, 32)},
      {"a < b", usual, Point(4, 256, 0.5, 0.5, 0.01, 32)},
      {"a <= b", Point(4, 256, 0.5, 0.5, 0.01, 32),
       Point(4, 256, 0.5, 0.4999999999, 0.01, 32)},
      {"2*(a + b) - -a <= 2", usual, Point(4, 256, 0.5, 0.5, 0.01, 32)},
      {"-(a - b)/0.5 >= .5", usual, Point(4, 256, 0.5, 0.5, 0.01, 32)},
      {"0.5 <= a + b <= 1", usual, Point(4, 256, 0.1, 0.2, 0.01, 32)},
      {"0.5 <= a + b <= 1", usual, Point(4, 256, 0.9, 0.2, 0.01, 32)},
      {"a + b <= 0.3", Point(4, 256, 0.1, 0.2, 0.01, 32), usual},
      {"learning-rate <= a", usual, Point(4, 256, 0.25, 0.5, 0.5, 32)},
      {"2*\"learning-rate\" + batch/32 <= 1.1", usual,
       Point(4, 256, 0, 0, 0.1, 32)},
      {"layers != 5", usual, Point(5, 256, 0.25, 0.5, 0.01, 32)},
      {"not (optimizer = sgd and learning-rate > 0.1)", usual,
       Point(4, 256, 0.25, 0.5, 0.2, 32)},
      {"NOT(optimizer == 'sgd' AND learning-rate>0.1)",
       Point(4, 256, 0.25, 0.5, 0.1, 32), Point(4, 256, 0.25, 0.5, 0.2, 32)},
      {"optimizer != sgd or learning-rate <= 0.1", usual,
       Point(4, 256, 0.25, 0.5, 0.2, 32)},
      {"not (layers = 8 and batch != 16 and 2*width >= 512)", usual,
       Point(8, 256, 0.25, 0.5, 0.2, 32)},
      {"not (0.3 <= a <= 0.4)", usual, Point(4, 256, 0.35, 0.5, 0.2, 32)},
      {"not layers = 8", usual, Point(8, 256, 0.25, 0.5, 0.2, 32)},
      {"momentum + a <= 1.5", usual, Point(4, 256, 0.7, 0.5, 0.01, 32)},
  };
  for (const MeaningCase& each : kCases) {
    const auto constraint = ParseParameterConstraint(each.text, NetworkSpace());
    ASSERT_TRUE(constraint.ok()) << each.text << ": " << constraint.status();
    EXPECT_EQ(constraint->text, each.text);
    EXPECT_TRUE(Satisfies(*constraint, each.met)) << each.text;
    EXPECT_FALSE(Satisfies(*constraint, each.violated)) << each.text;
  }
}

TEST(ConstraintParserTest, DoesNotApplyToInactiveParameters) {
  for (const char* text : {"beta + a <= 0.1", "not (beta >= 0 and a >= 0)",
                           "optimizer = adam or beta <= 0.5"}) {
    const auto constraint = ParseParameterConstraint(text, NetworkSpace());
    ASSERT_TRUE(constraint.ok()) << constraint.status();
    EXPECT_TRUE(Satisfies(*constraint, Point(4, 256, 0.25, 0.5, 0.01, 32)))
        << text;
  }
}

TEST(ConstraintParserTest, ComparesByWhatIsMeant) {
  const auto read = [](const char* text) {
    return *ParseParameterConstraint(text, NetworkSpace());
  };
  EXPECT_EQ(read("a<=b"), read("a - b <= 0"));
  EXPECT_EQ(read("not (a > b)"), read("  a<= b "));
  EXPECT_NE(read("a < b"), read("a <= b"));
}

struct ErrorCase {
  std::string text;
  std::string message;
};

TEST(ConstraintParserTest, SaysWhereAndWhatWouldBeRight) {
  const ErrorCase kCases[] = {
      {"", "character 1: expected a constraint"},
      {"a + wdth <= 3",
       "constraint \"a + wdth <= 3\", character 5: no parameter is called "
       "\"wdth\"; did you mean width?"},
      {"a", "character 2: expected one of <= >= < > = !="},
      {"a +", "character 4: expected a number or the name of a parameter"},
      {"a <=", "character 5: expected a number or the name of a parameter"},
      {"a <= b c", "character 8: expected an operator"},
      {"a <= b and b <= 1", "are constraints of their own"},
      {"2a <= b", "character 1: \"2a\" is no number; a product has a \"*\""},
      {"a * b <= 1", "character 3: two parameters are multiplied"},
      {"a ** 2 <= 1", "character 3: only sums of numbers times parameters"},
      {"1 / a <= 1", "character 3: a parameter is no divisor"},
      {"a / 0 <= 1", "character 3: divides by 0"},
      {"(a <= 1", "character 4: expected \")\""},
      {"\"a <= 1", "character 1: this quote has no end"},
      {"1 <= 2", "character 1: compares numbers alone"},
      {"a - a <= 2", "character 1: compares numbers alone"},
      {"1e308*width <= 2", "its numbers are too large"},
      {"1e999*a <= 2", "is no number"},
      {"a = b", "character 1: is an equation"},
      {"optimizer = sgd", "asks for one category alone"},
      {"optimizer + a <= 1", "\"optimizer\" is CATEGORICAL and compares by ="},
      {"a + optimizer <= 1",
       "character 5: \"optimizer\" is CATEGORICAL, and its values are no"},
      {"not (optimizer > sgd)", "compares by = and != alone"},
      {"not (optimizer = sgdd and a > 0.1)",
       "character 18: \"optimizer\" has no value \"sgdd\"; did you mean sgd?; "
       "it is one of sgd, adam, sgd momentum"},
      {"not (optimizer = sgd and a > 2)",
       "character 26: is never true: \"a\" is a number from 0 to 1"},
      {"layers + 2*a >= 11",
       "character 1: is never true: \"a\" is a number from 0 to 1 and "
       "\"layers\" is an integer from 1 to 8"},
      {"not (layers = 9)", "is never true"},
      {"not (batch = 20 and a > 0.1)", "is never true"},
      {"not (a > 0.5 or b > 0.5)", "is joined by \"and\""},
      {"not a > 0.5 and b > 0.5", "stands between parentheses"},
      {"not (a > 0.5) and b > 0.5", "nothing follows"},
      {"not (a > 0.5", "character 13: expected \"and\" or \")\""},
      {"a <= 1 or b <= 0.5", "character 1: always holds"},
      {"beta + momentum <= 1", "\"beta\" and \"momentum\" are never active"},
      {std::string(2000, ' ') + "a <= b", "at most 1024 bytes"},
      {std::string(40, '(') + "a <= b", "nested deeper than 16"},
  };
  for (const ErrorCase& each : kCases) {
    const auto constraint = ParseParameterConstraint(each.text, NetworkSpace());
    ASSERT_FALSE(constraint.ok()) << each.text;
    EXPECT_EQ(constraint.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(constraint.status().message()),
                HasSubstr(each.message))
        << each.text;
  }
}

TEST(ConstraintParserTest, BoundsTermsAndConstraints) {
  std::string sum = "a";
  for (int i = 0; i < 70; ++i) sum += " + a";
  EXPECT_THAT(
      std::string(ParseParameterConstraint(sum + " <= 1", NetworkSpace())
                      .status()
                      .message()),
      HasSubstr("more than 64 terms"));
  const std::vector<std::string> many(65, "a <= b");
  EXPECT_THAT(
      std::string(
          ParseParameterConstraints(many, NetworkSpace()).status().message()),
      HasSubstr("at most 64"));
}

TEST(ConstraintParserTest, NamesTheFirstThatIsViolated) {
  const auto constraints =
      ParseParameterConstraints({"a <= b", "a + b <= 0.5"}, NetworkSpace());
  ASSERT_TRUE(constraints.ok());
  EXPECT_EQ(FirstViolated(*constraints, Point(1, 16, 0.25, 0.25, 1, 16)),
            nullptr);
  EXPECT_EQ(FirstViolated(*constraints, Point(1, 16, 0.25, 0.5, 1, 16))->text,
            "a + b <= 0.5");
}

}  // namespace
}  // namespace vernier
