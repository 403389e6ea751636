#include "study/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

using testing::HasSubstr;

TEST(LabelsTest, TakesWhatAiPlatformTook) {
  EXPECT_TRUE(CheckLabels({}).ok());
  EXPECT_TRUE(CheckLabels({{"team", "vision-2_a"}, {"empty", ""}}).ok());
  EXPECT_TRUE(CheckLabels({{"\xC3\xA4", std::string(64, 'x')}}).ok());
}

TEST(LabelsTest, NamesTheLabelThatIsWrong) {
  const auto error = [](const std::string& key, const std::string& value) {
    const absl::Status status = CheckLabels({{key, value}});
    EXPECT_TRUE(absl::IsInvalidArgument(status));
    return std::string(status.message());
  };
  EXPECT_THAT(error("Team", "a"), HasSubstr("the name of a label must have"));
  EXPECT_THAT(error("Team", "a"), HasSubstr(": \"Team\""));
  EXPECT_THAT(error("", "a"), HasSubstr("name"));
  EXPECT_THAT(error("a", "B c"), HasSubstr("the value of a label must have"));
  EXPECT_THAT(error("a", std::string(65, 'x')), HasSubstr("at most 64"));
  EXPECT_THAT(error("a", "\xFF"), HasSubstr("value"));
  std::map<std::string, std::string> many;
  for (int i = 0; i < 65; ++i) many["k" + std::to_string(i)] = "";
  EXPECT_THAT(std::string(CheckLabels(many).message()), HasSubstr("64"));
}

}  // namespace
}  // namespace vernier
