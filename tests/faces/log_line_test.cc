#include "faces/logging/log_line.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

TEST(LogLineTest, FindsTheLevelOfTexts) {
  const struct {
    const char* line;
    const char* severity;
  } cases[] = {
      {"hello", "INFO"},
      {"", "INFO"},
      {"WARNING:root:careful", "WARNING"},
      {"ERROR: it broke", "ERROR"},
      {"[DEBUG] x", "DEBUG"},
      {"2026-01-01 12:00:00,000 - trainer - ERROR - it broke", "ERROR"},
      {"2026-01-01T12:00:00Z WARN something", "WARNING"},
      {"E0102 15:04:05.678901  1234 file.cc:56] broke", "ERROR"},
      {"W0102 15:04:05.678901  1234 file.cc:56] careful", "WARNING"},
      {"F0102 15:04:05.678901  1234 file.cc:56] dead", "CRITICAL"},
      {"I0102 ERROR: told of by an information", "INFO"},
      {"Traceback (most recent call last):", "ERROR"},
      {"INFORMATION is no level", "INFO"},
      {"SOME_ERROR: is a name", "INFO"},
      {"the validation error fell, it is 0.1", "INFO"},
      {"epoch 1 loss 0.25 accuracy 0.5 and so on, and then, late, ERROR: x",
       "INFO"},
      {"FATAL: no", "CRITICAL"},
      {"{not json} ERROR: x", "ERROR"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(ParseLogLine(each.line).severity, each.severity) << each.line;
    EXPECT_EQ(ParseLogLine(each.line).message, each.line);
  }
}

TEST(LogLineTest, TakesAJsonLineApart) {
  const LogLine line =
      ParseLogLine(R"({"severity":"warning","message":"careful","epoch":3})"
                   "\n");
  EXPECT_EQ(line.severity, "WARNING");
  EXPECT_EQ(line.message, "careful");
  EXPECT_EQ(line.json, R"({"epoch":3})");
  EXPECT_EQ(ParseLogLine(R"({"levelname":"ERROR","msg":"x"})").severity,
            "ERROR");
  EXPECT_EQ(ParseLogLine(R"({"level":"debug","message":"x"})").severity,
            "DEBUG");
  const LogLine bare = ParseLogLine(R"({"loss":0.5})");
  EXPECT_EQ(bare.severity, "INFO");
  EXPECT_EQ(bare.message, R"({"loss":0.5})");
}

TEST(LogLineTest, KeepsTheLastStateOfAProgressBar) {
  EXPECT_EQ(ParseLogLine("1%\r50%\r100%\r\n").message, "100%");
}

}  // namespace
}  // namespace vernier
