#include "base/timestamp_text.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

std::string Round(const char* text) {
  const auto time = ParseTimestamp(text);
  return time.has_value() ? FormatTimestamp(*time) : "none";
}

TEST(TimestampTextTest, ReadsWhatClientsWrite) {
  EXPECT_EQ(Round("2026-02-03T04:05:06.000007Z"),
            "2026-02-03T04:05:06.000007Z");
  EXPECT_EQ(Round("1970-01-01T01:00:00.000000000Z"),
            "1970-01-01T01:00:00.000000Z");
  EXPECT_EQ(Round("2026-02-03T04:05:06.123456789+00:00"),
            "2026-02-03T04:05:06.123456Z");
  EXPECT_EQ(Round("2026-02-03T04:05:06-01:30"), "2026-02-03T05:35:06.000000Z");
  EXPECT_EQ(Round("2017-01-15T19:00"), "2017-01-15T19:00:00.000000Z");
  EXPECT_EQ(Round("2017-01-15"), "2017-01-15T00:00:00.000000Z");
}

TEST(TimestampTextTest, RefusesTheRest) {
  for (const char* text : {"", "x", "2017", "2017-13-01", "2017-01-15T25:00",
                           "2017-01-15T19:00:00Zx", "19:00"}) {
    EXPECT_EQ(Round(text), "none") << text;
  }
}

}  // namespace
}  // namespace vernier
