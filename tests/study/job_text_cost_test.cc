#include "study/job_file/job_text_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

using ::testing::HasSubstr;

std::string Repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(JobTextTest, ItsValuesAreCountedHoweverTheyAreWritten) {
  for (const char* each : {"a,", "[", "{", "- ", "a: ", "\n", "? "}) {
    EXPECT_TRUE(CheckJobText(Repeated(each, 50'000)).ok()) << each;
    const absl::Status many = CheckJobText(Repeated(each, 50'001));
    EXPECT_TRUE(absl::IsInvalidArgument(many)) << each;
    EXPECT_THAT(std::string(many.message()),
                HasSubstr("too many values: at most 50000 commas"));
  }
}

TEST(JobTextTest, HasSoManyBytes) {
  EXPECT_TRUE(CheckJobText(std::string(4 << 20, 'a')).ok());
  EXPECT_THAT(
      std::string(CheckJobText(std::string((4 << 20) + 1, 'a')).message()),
      HasSubstr("at most 4194304 bytes are read: 4194305"));
}

}  // namespace
}  // namespace vernier
