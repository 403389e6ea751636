#include "study/parameter_object.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

absl::StatusOr<Parameters> ReadInteger(const std::string& json) {
  ParameterSpec spec;
  spec.name = "n";
  spec.type = ParameterType::kInteger;
  return ParametersFromObject({spec}, absl::StrCat(R"({"n": )", json, "}"));
}

TEST(ParameterObjectTest, ReadsIntegers) {
  const std::pair<const char*, std::int64_t> examples[] = {
      {"3", 3},
      {"3.0", 3},
      {"3e1", 30},
      {"\"-3\"", -3},
      {"\"3.0\"", 3},
      {"9007199254740992", std::int64_t{1} << 53},
      {"\"-9007199254740992\"", -(std::int64_t{1} << 53)},
  };
  for (const auto& [json, value] : examples) {
    const auto read = ReadInteger(json);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, (Parameters{{"n", value}})) << json;
  }
}

// As doubles, some of these would be rounded to what is allowed.
TEST(ParameterObjectTest, RefusesWhatIsNoIntegerWithin2To53) {
  for (const char* json :
       {"9007199254740993", "-9007199254740993", "\"9007199254740993\"",
        "\"-9007199254740993\"", "9223372036854775807", "-9223372036854775808",
        "18446744073709551615", "1e300", "\"1e300\"", "3.5", "\"3.5\"",
        "\"three\"", "true", "null"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ReadInteger(json).status())) << json;
  }
}

TEST(ParameterObjectTest, RefusesAWholeNumberThatADoubleWouldChange) {
  ParameterSpec spec;
  spec.name = "x";
  spec.max_value = 1e300;
  const auto read = [&](const std::string& json) {
    return ParametersFromObject({spec}, absl::StrCat(R"({"x": )", json, "}"));
  };
  EXPECT_TRUE(absl::IsInvalidArgument(read("9007199254740993").status()));
  EXPECT_TRUE(absl::IsInvalidArgument(read("\"9007199254740993\"").status()));
  EXPECT_EQ(*read("9007199254740994"), (Parameters{{"x", 9007199254740994.0}}));
}

TEST(ParameterObjectTest, BooleansComeBackAsTheyWereGiven) {
  ParameterSpec spec;
  spec.name = "bn";
  spec.type = ParameterType::kCategorical;
  spec.categorical_values = {"True", "False", "auto"};
  const Parameters off = {{"bn", std::string("False")}};
  EXPECT_EQ(ParametersToObject({spec}, off), R"({"bn":"False"})");
  spec.has_booleans = true;
  EXPECT_EQ(ParametersToObject({spec}, off), R"({"bn":false})");
  EXPECT_EQ(*ParametersFromObject({spec}, R"({"bn":false})"), off);
  EXPECT_EQ(*ParametersFromObject({spec}, R"({"bn":"False"})"), off);
  EXPECT_EQ(ParametersToObject({spec}, {{"bn", std::string("auto")}}),
            R"({"bn":"auto"})");
}

TEST(ParameterObjectTest, AMisspeltNameIsNamedBeforeWhatIsMissing) {
  ParameterSpec spec;
  spec.name = "momentum";
  spec.type = ParameterType::kDouble;
  EXPECT_EQ(
      ParametersFromObject({spec}, R"({"momentun": 0.5})").status().message(),
      "the search space has no parameter \"momentun\"; did you mean "
      "momentum?");
  EXPECT_EQ(ParametersFromObject({spec}, "{}").status().message(),
            "parameter \"momentum\" is missing");
}

}  // namespace
}  // namespace vernier
