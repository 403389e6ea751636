#include "base/nearest_name.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

constexpr std::string_view kNames[] = {"maxTrials", "maxParallelTrials", "goal",
                                       "parameterName", "UNIT_LOG_SCALE"};

TEST(NearestNameTest, FindsMisspellingsAndParts) {
  const struct {
    const char* text;
    const char* nearest;
  } kCases[] = {{"maxTrails", "maxTrials"},
                {"max_trials", "maxTrials"},
                {"maxtrial", "maxTrials"},
                {"maxParralelTrials", "maxParallelTrials"},
                {"goa", "goal"},
                {"gaol", "goal"},
                {"name", "parameterName"},
                {"log-scale", "UNIT_LOG_SCALE"},
                {"somethingElse", ""},
                {"xy", ""},
                {"", ""}};
  for (const auto& c : kCases) {
    EXPECT_EQ(NearestName(c.text, kNames), c.nearest) << c.text;
  }
}

TEST(NearestNameTest, DoesNotCompareLongText) {
  EXPECT_EQ(NearestName(std::string(10'000'000, 'a'), kNames), "");
}

TEST(NearestNameTest, PhrasesTheQuestion) {
  EXPECT_EQ(DidYouMean("gaol", kNames), "; did you mean goal?");
  EXPECT_EQ(DidYouMean("somethingElse", kNames), "");
}

}  // namespace
}  // namespace vernier
