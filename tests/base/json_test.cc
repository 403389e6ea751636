#include "base/json.h"

#include <gtest/gtest.h>

#include <string>

#include "base/json_bounds.h"

namespace vernier {
namespace {

std::string Nested(int levels) {
  return std::string(static_cast<std::size_t>(levels), '[') +
         std::string(static_cast<std::size_t>(levels), ']');
}

TEST(JsonTest, RefusesWhatIsNestedTooDeeply) {
  EXPECT_TRUE(ParseJson(Nested(kMaxJsonDepth)).ok());
  // The second would overflow the stack of whoever walks it.
  for (const int levels : {kMaxJsonDepth + 1, 100000}) {
    const auto parsed = ParseJson(Nested(levels));
    ASSERT_TRUE(absl::IsInvalidArgument(parsed.status()));
    EXPECT_NE(parsed.status().message().find("at most 100 levels"),
              std::string::npos);
  }
  std::string object = "1";
  for (int i = 0; i <= kMaxJsonDepth; ++i) object = "{\"a\":" + object + "}";
  EXPECT_FALSE(ParseJson(object).ok());
}

TEST(JsonTest, BracketsInStringsAreNoLevels) {
  const std::string brackets(1000, '[');
  EXPECT_TRUE(ParseJson("[\"" + brackets + "\"]").ok());
  EXPECT_TRUE(ParseJson("[\"\\\"" + brackets + "\"]").ok());
  // Behind an escaped backslash the string has ended.
  EXPECT_FALSE(CheckJsonBounds("[\"\\\\\"" + brackets).ok());
}

std::string WithMembers(int count) {
  std::string object = "{\"\":0";
  for (int i = 0; i < count; ++i) {
    object += ",\"" + std::to_string(i) + "\":0";
  }
  return object + "}";
}

// Each member is looked for among all before it.
TEST(JsonTest, RefusesObjectsWithVeryManyMembers) {
  EXPECT_TRUE(CheckJsonBounds(WithMembers(15000)).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(ParseJson(WithMembers(25000)).status()));
  std::string many = "[" + WithMembers(15000);
  for (int i = 0; i < 3; ++i) many += "," + WithMembers(15000);
  EXPECT_TRUE(absl::IsInvalidArgument(CheckJsonBounds(many + "]")));
  std::string usual = "[1";
  for (int i = 0; i < 10000; ++i) usual += "," + WithMembers(20);
  EXPECT_TRUE(CheckJsonBounds(usual + "]").ok());
}

TEST(JsonTest, CountsValuesForWhoAsks) {
  EXPECT_TRUE(CheckJsonBounds(R"({"a":[1,2],"b,c":"[,]"})", 4).ok());
  EXPECT_FALSE(CheckJsonBounds(R"([1,[2,3],{"a":1}])", 5).ok());
  EXPECT_TRUE(CheckJsonBounds("]]}}", 0).ok());
}

TEST(JsonTest, WideIsNotDeep) {
  std::string wide = "[[]";
  for (int i = 0; i < 1000; ++i) wide += ",[]";
  EXPECT_TRUE(ParseJson(wide + "]").ok());
}

TEST(JsonTest, AMistakeHasItsPlaceAndNoWordOfTheLibrary) {
  for (const char* text : {"{x", "[1,", "", "{\"a\": 01}", "nul", "{} {}"}) {
    const std::string message(ParseJson(text).status().message());
    EXPECT_EQ(message.rfind("no JSON at column ", 0), 0u) << message;
    EXPECT_EQ(message.find("syntax"), std::string::npos) << message;
    EXPECT_EQ(message.find("exception"), std::string::npos) << message;
  }
  const std::string second(ParseJson("{\n  x").status().message());
  EXPECT_EQ(second.rfind("no JSON at line 2, column 3: ", 0), 0u) << second;
  const std::string large(ParseJson("1e999").status().message());
  EXPECT_EQ(large.rfind("number overflow", 0), 0u) << large;
}

TEST(JsonTest, ReadsWhatIsAtAKey) {
  const Json json = {{"text", "a"}, {"whole", 7}, {"number", 0.5}};
  EXPECT_EQ(TextAt(json, "text"), "a");
  EXPECT_EQ(TextAt(json, "whole"), "");
  EXPECT_EQ(TextAt(json, "none"), "");
  EXPECT_EQ(TextAt("a", "a"), "");
  EXPECT_EQ(WholeAt(json, "whole"), 7);
  EXPECT_EQ(WholeAt(json, "number"), std::nullopt);
  EXPECT_EQ(WholeAt(Json::array({7}), "whole"), std::nullopt);
}

}  // namespace
}  // namespace vernier
