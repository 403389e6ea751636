#include "study/json.h"

#include <gtest/gtest.h>

#include <string>

#include "study/json_depth.h"

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
  EXPECT_FALSE(CheckJsonDepth("[\"\\\\\"" + brackets).ok());
}

TEST(JsonTest, WideIsNotDeep) {
  std::string wide = "[[]";
  for (int i = 0; i < 1000; ++i) wide += ",[]";
  EXPECT_TRUE(ParseJson(wide + "]").ok());
}

}  // namespace
}  // namespace vernier
