#include "edge/http/indented_json.h"

#include <gtest/gtest.h>

#include <string>

#include "base/json.h"

namespace vernier {
namespace {

TEST(IndentJsonTest, LooksAsOthersIndent) {
  for (const char* text :
       {"{}", "[]", "1", "\"a\"", R"({"a":1,"b":[1,2,{"c":[]}],"d":{}})",
        R"([ [1] , {"x y": "a,b:{[\"\\"} , null ])"}) {
    const Json json = ParseJson(text).value();
    EXPECT_EQ(IndentJson(text), json.dump(2) + "\n") << text;
  }
}

// A line of a log may be 64 KiB of brackets and commas; each would get its own
// line with 200 blanks.
TEST(IndentJsonTest, DoesNotGrowWhatIsNestedDeeply) {
  std::string deep(90, '[');
  for (int i = 0; i < 30000; ++i) deep += "1,";
  deep += "1" + std::string(90, ']');
  EXPECT_EQ(IndentJson(deep), std::nullopt);
  std::string flat = "[1";
  for (int i = 0; i < 300000; ++i) flat += ",12345";
  EXPECT_TRUE(IndentJson(flat + "]").has_value());
}

}  // namespace
}  // namespace vernier
