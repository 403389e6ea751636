#include "base/python_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

namespace vernier {
namespace {

constexpr char kJson[] =
    R"({"a":[NaN,-Infinity,"NaN"],"Infinity \" NaN":1e3,"b":Infinity})";

TEST(PythonJsonTest, QuotesBareWordsOutsideOfTexts) {
  EXPECT_EQ(QuoteBareWords(kJson, BareWords::kAsTexts),
            R"({"a":["nan","-inf","NaN"],"Infinity \" NaN":1e3,"b":"inf"})");
  EXPECT_EQ(QuoteBareWords("[1e999,-1e999,1e99]", BareWords::kAsTexts),
            R"(["1e999","-1e999",1e99])");
  EXPECT_EQ(QuoteBareWords("[1e999", BareWords::kMarked), "[1e999");
  EXPECT_EQ(QuoteBareWords("\"a\\", BareWords::kMarked), "\"a\\");
}

TEST(PythonJsonTest, ComesOutAsItWasRead) {
  const auto json = ParsePythonJson(kJson);
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(DumpPythonJson(*json),
            R"({"a":[NaN,-Infinity,"NaN"],"Infinity \" NaN":1000.0,)"
            R"("b":Infinity})");
}

TEST(PythonJsonTest, TellsBareWordsFromTexts) {
  const auto json = ParsePythonJson(R"([NaN, -Infinity, 7, "NaN", "7", null])");
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_TRUE(std::isnan(PythonNumber(json->at(0)).value()));
  EXPECT_EQ(PythonNumber(json->at(1)), -HUGE_VAL);
  EXPECT_EQ(PythonNumber(json->at(2)), 7);
  for (std::size_t i = 3; i < 6; ++i)
    EXPECT_FALSE(PythonNumber(json->at(i))) << i;
  EXPECT_TRUE(std::isnan(PythonNumberOrWord(json->at(0)).value()));
  EXPECT_TRUE(std::isnan(PythonNumberOrWord(json->at(3)).value()));
  EXPECT_FALSE(PythonNumberOrWord(json->at(4)));
}

}  // namespace
}  // namespace vernier
