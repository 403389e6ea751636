#include "edge/http/field_selection.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

constexpr char kAnswer[] =
    R"({"a":1,"b":{"c":2,"d":{"e":3,"f":4}},"l":[{"x":1,"y":2},{"y":3}],"n":null})";

std::string Select(const std::string& fields) {
  const auto selection = FieldSelection::Parse(fields);
  EXPECT_TRUE(selection.ok()) << selection.status();
  return selection.ok() ? selection->Apply(kAnswer).value() : "";
}

TEST(FieldSelectionTest, KeepsWhatIsNamed) {
  EXPECT_EQ(Select("a"), R"({"a":1})");
  EXPECT_EQ(Select("n,a"), R"({"a":1,"n":null})");
  EXPECT_EQ(Select("b"), R"({"b":{"c":2,"d":{"e":3,"f":4}}})");
  EXPECT_EQ(Select("b/d/e"), R"({"b":{"d":{"e":3}}})");
  EXPECT_EQ(Select("b.d.e,b.c"), R"({"b":{"c":2,"d":{"e":3}}})");
  EXPECT_EQ(Select("b(c,d/f)"), R"({"b":{"c":2,"d":{"f":4}}})");
  EXPECT_EQ(Select("l/y"), R"({"l":[{"y":2},{"y":3}]})");
  EXPECT_EQ(Select("b/*/e,a"), R"({"a":1,"b":{"c":2,"d":{"e":3}}})");
  EXPECT_EQ(Select("*"), kAnswer);
  EXPECT_EQ(Select("unknown"), "{}");
  EXPECT_EQ(Select("a/b"), R"({"a":1})");
}

TEST(FieldSelectionTest, SaysWhereItIsWrong) {
  for (const char* text : {"", ",", "a,", "a//b", "(a)", "a(b", "a)", "a(b))",
                           "a()", "/a", "a/"}) {
    const auto status = FieldSelection::Parse(text).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << text;
    EXPECT_NE(std::string(status.message()).find("position"), std::string::npos)
        << text;
  }
}

TEST(FieldSelectionTest, DeepNestingIsRefusedNotRecursedInto) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "a(";
  EXPECT_TRUE(absl::IsInvalidArgument(FieldSelection::Parse(deep).status()));
  std::string path = "a";
  for (int i = 0; i < 100000; ++i) path += "/a";
  EXPECT_TRUE(absl::IsInvalidArgument(FieldSelection::Parse(path).status()));
}

}  // namespace
}  // namespace vernier
