#include "daemon/server_log.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(ServerLogTest, ALineIsLogfmt) {
  EXPECT_EQ(FormatLogLine(LogLevel::kInfo, "serving", {{"pid", "12"}}),
            "level=info msg=serving pid=12");
  EXPECT_EQ(FormatLogLine(LogLevel::kError, "it broke",
                          {{"why", "a \"b\"\nc\\d"}, {"none", ""}}),
            "level=error msg=\"it broke\" why=\"a \\\"b\\\"\\nc\\\\d\" "
            "none=\"\"");
  EXPECT_EQ(FormatLogLine(LogLevel::kDebug, "a=b", {{"k", "\x1b[31m"}}),
            "level=debug msg=\"a=b\" k=\" [31m\"");
}

TEST(ServerLogTest, LevelsHaveNames) {
  EXPECT_EQ(*ParseLogLevel("warning"), LogLevel::kWarning);
  EXPECT_EQ(ParseLogLevel("loud").status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace vernier
