#include "cluster/process/exec_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vernier {
namespace {

using ::testing::HasSubstr;

TEST(ExecLimitsTest, NamesWhatIsTooLong) {
  const std::string long_text(131072, 'x');
  EXPECT_TRUE(CheckExecLimits({"prog", std::string(131071, 'x')},
                              {{"A", std::string(131069, 'x')}})
                  .ok());
  EXPECT_THAT(std::string(CheckExecLimits({"prog", long_text}, {}).message()),
              HasSubstr("argument 1 of the program has 131072 bytes, and Linux "
                        "takes at most 131071 for one"));
  EXPECT_THAT(std::string(CheckExecLimits({"prog"},
                                          {{"LONG", std::string(131067, 'x')}})
                              .message()),
              HasSubstr("the environment variable LONG has 131067 bytes"));
}

TEST(ExecLimitsTest, CountsAllTogether) {
  const std::vector<std::string> words(200, std::string(131000, 'x'));
  EXPECT_THAT(std::string(CheckExecLimits(words, {}).message()),
              HasSubstr("bytes together, and this system takes at most"));
}

}  // namespace
}  // namespace vernier
