#include "faces/katib/katib_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/faces/katib_experiment.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

absl::StatusOr<KatibSpace> SpaceOf(
    const std::vector<katib::ParameterSpec>& specs) {
  const katib::Experiment experiment = KatibExperiment("random", specs);
  return KatibSpace::Read(experiment.spec().parameter_specs().parameters());
}

KatibSpace SpaceWith(const katib::ParameterSpec& spec) {
  auto space = SpaceOf({spec});
  EXPECT_TRUE(space.ok()) << space.status();
  return *std::move(space);
}

// The engine's value for a text; nullopt: it is none of the space.
std::optional<ParameterValue> ValueRead(const KatibSpace& space,
                                        const std::string& text) {
  KatibSpace::Assignments assignments;
  katib::ParameterAssignment* const each = assignments.Add();
  each->set_name(space.parameters()[0].name);
  each->set_value(text);
  const auto values = space.ValuesOf(assignments);
  if (!values.has_value()) return std::nullopt;
  return values->at(0).value;
}

std::string Written(const KatibSpace& space, const ParameterValue& value) {
  KatibSpace::Assignments assignments;
  space.Write({{space.parameters()[0].name, value}}, &assignments);
  return assignments.at(0).value();
}

// The texts of all values of a parameter with few of them.
std::vector<std::string> AllTexts(const katib::ParameterSpec& spec) {
  const KatibSpace space = SpaceWith(spec);
  const ParameterSpec& parameter = space.parameters()[0];
  std::vector<std::string> texts;
  for (double v = parameter.min_value;
       parameter.type == ParameterType::kInteger && v <= parameter.max_value;
       ++v) {
    texts.push_back(Written(space, static_cast<std::int64_t>(v)));
  }
  for (const double value : parameter.discrete_values) {
    texts.push_back(Written(space, value));
  }
  for (const std::string& text : parameter.categorical_values) {
    texts.push_back(Written(space, text));
  }
  // Each text is read back as the value that it was written for.
  for (const std::string& text : texts) {
    const auto value = ValueRead(space, text);
    EXPECT_EQ(value.has_value() ? Written(space, *value) : "none", text);
  }
  return texts;
}

TEST(KatibSpaceTest, StepsGiveTheValuesThatKatibGives) {
  EXPECT_THAT(AllTexts(KatibNumber("x", katib::INT, "1", "5")),
              ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_THAT(AllTexts(KatibNumber("x", katib::INT, "1", "6", "2")),
              ElementsAre("1", "3", "5"));
  EXPECT_THAT(AllTexts(KatibNumber("x", katib::INT, "-4", "4", "4")),
              ElementsAre("-4", "0", "4"));
  EXPECT_THAT(AllTexts(KatibNumber("x", katib::DOUBLE, "0.1", "0.5", "0.1")),
              ElementsAre("0.1", "0.2", "0.3", "0.4", "0.5"));
  EXPECT_THAT(AllTexts(KatibNumber("x", katib::DOUBLE, "1", "11", "2.5")),
              ElementsAre("1.0", "3.5", "6.0", "8.5", "11.0"));
  EXPECT_THAT(AllTexts(KatibNumber("x", katib::DOUBLE, "1", "1.4", "1")),
              ElementsAre("1.0"));
}

TEST(KatibSpaceTest, AStepBelowOneOfAWholeNumberIsOne) {
  EXPECT_THAT(AllTexts(KatibNumber("x", katib::INT, "1", "3", "0.01")),
              ElementsAre("1", "2", "3"));
}

TEST(KatibSpaceTest, StepsOfALogarithmicRangeKeepTheirScale) {
  const auto spec =
      KatibNumber("x", katib::INT, "1", "5", "2", katib::LOG_UNIFORM);
  EXPECT_THAT(AllTexts(spec), ElementsAre("1", "3", "5"));
  EXPECT_EQ(SpaceWith(spec).parameters()[0].scale, ScaleType::kLog);
  const KatibSpace many = SpaceWith(
      KatibNumber("x", katib::DOUBLE, "1", "2000", "1", katib::LOG_UNIFORM));
  EXPECT_EQ(many.parameters()[0].type, ParameterType::kDouble);
}

TEST(KatibSpaceTest, DistributionsBecomeScales) {
  const auto scale = [](katib::Distribution distribution) {
    return SpaceWith(
               KatibNumber("x", katib::DOUBLE, "1", "9", "", distribution))
        .parameters()[0]
        .scale;
  };
  EXPECT_EQ(scale(katib::UNIFORM), ScaleType::kNone);
  EXPECT_EQ(scale(katib::NORMAL), ScaleType::kNone);
  EXPECT_EQ(scale(katib::LOG_UNIFORM), ScaleType::kLog);
  EXPECT_EQ(scale(katib::LOG_NORMAL), ScaleType::kLog);
}

TEST(KatibSpaceTest, ALogarithmicRangeBeginsAboveZero) {
  const KatibSpace real = SpaceWith(
      KatibNumber("x", katib::DOUBLE, "0", "1", "", katib::LOG_UNIFORM));
  EXPECT_EQ(real.parameters()[0].min_value, 1e-10);
  const KatibSpace whole = SpaceWith(
      KatibNumber("x", katib::INT, "-3", "9", "", katib::LOG_UNIFORM));
  EXPECT_EQ(whole.parameters()[0].min_value, 1);
}

TEST(KatibSpaceTest, DiscreteValuesKeepTheirTexts) {
  const auto spec = KatibList("x", katib::DISCRETE, {"3.0", "2", "1e1", "2"});
  EXPECT_THAT(AllTexts(spec), ElementsAre("2", "3.0", "1e1"));
  EXPECT_EQ(ValueRead(SpaceWith(spec), "10"), ParameterValue(10.0));
  EXPECT_EQ(ValueRead(SpaceWith(spec), "4"), std::nullopt);
  EXPECT_EQ(ValueRead(SpaceWith(spec), "99"), std::nullopt);
}

TEST(KatibSpaceTest, WhatIsNoNumberIsACategory) {
  const auto spec = KatibList("x", katib::DISCRETE, {"3", "auto"});
  EXPECT_EQ(SpaceWith(spec).parameters()[0].type, ParameterType::kCategorical);
  EXPECT_THAT(AllTexts(spec), ElementsAre("3", "auto"));
  EXPECT_THAT(AllTexts(KatibList("x", katib::CATEGORICAL, {"b", "a", "b"})),
              ElementsAre("b", "a"));
}

TEST(KatibSpaceTest, ValuesOfOtherServicesAreReadWithTheirRounding) {
  const KatibSpace step =
      SpaceWith(KatibNumber("x", katib::DOUBLE, "0.1", "0.5", "0.1"));
  EXPECT_EQ(ValueRead(step, "0.30000000000000004"),
            ParameterValue(std::int64_t{2}));
  EXPECT_EQ(ValueRead(step, "0.35"), std::nullopt);
  EXPECT_EQ(ValueRead(step, "0.6"), std::nullopt);
  const KatibSpace whole = SpaceWith(KatibNumber("x", katib::INT, "1", "5"));
  EXPECT_EQ(ValueRead(whole, "3.0"), ParameterValue(std::int64_t{3}));
  EXPECT_EQ(ValueRead(whole, "3.5"), std::nullopt);
  EXPECT_EQ(ValueRead(whole, "6"), std::nullopt);
  EXPECT_EQ(ValueRead(whole, "many"), std::nullopt);
  const KatibSpace real = SpaceWith(KatibNumber("x", katib::DOUBLE, "1", "5"));
  EXPECT_EQ(ValueRead(real, "5.000000000001"), ParameterValue(5.0));
  EXPECT_EQ(ValueRead(real, "5.1"), std::nullopt);
}

TEST(KatibSpaceTest, AMistakeIsNamedWithItsParameter) {
  const auto message = [](const katib::ParameterSpec& spec) {
    const auto space = SpaceOf({spec});
    EXPECT_EQ(space.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(space.status().message());
  };
  EXPECT_EQ(message(KatibNumber("lr", katib::DOUBLE, "a", "1")),
            "parameter lr: min must be a finite number: \"a\"");
  EXPECT_EQ(message(KatibNumber("lr", katib::DOUBLE, "2", "1")),
            "parameter lr: min must be <= max: 2 > 1");
  EXPECT_EQ(message(KatibNumber("lr", katib::DOUBLE, "0", "1", "-1")),
            "parameter lr: step must be > 0: \"-1\"");
  EXPECT_THAT(message(KatibNumber("n", katib::INT, "1.5", "3")),
              HasSubstr("min must be a whole number"));
  EXPECT_THAT(message(KatibNumber("n", katib::INT, "1", "9", "2.5")),
              HasSubstr("step must be a whole number"));
  EXPECT_THAT(message(KatibList("o", katib::CATEGORICAL, {})),
              HasSubstr("list must have 1 to 1000 values: 0"));
  EXPECT_THAT(message(KatibList("o", katib::UNKNOWN_TYPE, {"a"})),
              HasSubstr("its type must be"));
  EXPECT_THAT(message(KatibNumber("", katib::INT, "1", "2")),
              HasSubstr("1 to 256 bytes"));
}

TEST(KatibSpaceTest, TwoParametersOfOneNameAreRefused) {
  const auto spec = KatibNumber("x", katib::INT, "1", "2");
  EXPECT_EQ(SpaceOf({spec, spec}).status().message(),
            "Detect duplicated parameter name: x");
}

TEST(KatibSpaceTest, ATrialWithoutAParameterHasNoValues) {
  const auto space = SpaceOf({KatibNumber("x", katib::INT, "1", "2"),
                              KatibNumber("y", katib::INT, "1", "2")});
  ASSERT_TRUE(space.ok());
  KatibSpace::Assignments assignments;
  assignments.Add()->set_name("x");
  assignments.Mutable(0)->set_value("1");
  EXPECT_EQ(space->ValuesOf(assignments), std::nullopt);
  assignments.Add()->set_name("z");
  assignments.Mutable(1)->set_value("1");
  EXPECT_EQ(space->ValuesOf(assignments), std::nullopt);
  assignments.Mutable(1)->set_name("y");
  EXPECT_NE(space->ValuesOf(assignments), std::nullopt);
}

}  // namespace
}  // namespace vernier
