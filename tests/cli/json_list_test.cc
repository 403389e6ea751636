#include "cli/display/json_list.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "cli/display/output_format.h"

namespace vernier {
namespace {

// What is printed of a list that is there as a whole.
std::string Whole(const std::string& json) {
  return Render({OutputFormat::Kind::kJson, {}}, json, {}).value();
}

std::string OneByOne(const Json& items) {
  JsonList list;
  std::string text;
  for (const Json& item : items) text += list.Add(DumpJson(item)).value();
  return text + list.End();
}

TEST(JsonListTest, HasTheBytesOfTheWholeList) {
  for (const char* json : {
           "[]",
           "[1]",
           "[{}]",
           "[[], {}, \"\"]",
           R"([{"a": 1, "b": [1, 2, {"c": []}]}, {"a": "x\n y\u0000\t"}])",
           R"([{"value": 0.1, "n": 12345678901234567890, "t": "é"}, null])",
       }) {
    EXPECT_EQ(OneByOne(ParseJson(json).value()), Whole(json));
  }
}

TEST(JsonListTest, RefusesWhatIsNotJson) {
  EXPECT_FALSE(JsonList().Add("{").ok());
}

}  // namespace
}  // namespace vernier
