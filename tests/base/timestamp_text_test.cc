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

TEST(TimestampTextTest, ReadsWhatPeopleWriteWithTheZoneSaid) {
  EXPECT_EQ(Round("2026-11-26 18:58:00"), "2026-11-26T18:58:00.000000Z");
  EXPECT_EQ(Round("2026-11-26 18:58"), "2026-11-26T18:58:00.000000Z");
  EXPECT_EQ(Round("2026-11-26 18:58:00.25 UTC"), "2026-11-26T18:58:00.250000Z");
  EXPECT_EQ(Round("2026-11-26 18:58:00 +01:00"), "2026-11-26T17:58:00.000000Z");
  EXPECT_EQ(Round("2026-11-26 18:58 -0130"), "2026-11-26T20:28:00.000000Z");
  EXPECT_EQ(Round("2026-11-26T18:58+1"), "2026-11-26T17:58:00.000000Z");
  EXPECT_EQ(Round("2026-11-26 Etc/UTC"), "2026-11-26T00:00:00.000000Z");
}

TEST(TimestampTextTest, WithoutAZoneItIsTheOneThatIsGiven) {
  const absl::TimeZone zone = absl::FixedTimeZone(3600);
  const auto in_zone = [&](const char* text) {
    const auto time = ParseTimestamp(text, zone);
    return time.has_value() ? FormatTimestamp(*time) : "none";
  };
  EXPECT_EQ(in_zone("2026-11-26 18:58:00"), "2026-11-26T17:58:00.000000Z");
  EXPECT_EQ(in_zone("2026-11-26"), "2026-11-25T23:00:00.000000Z");
  EXPECT_EQ(in_zone("2026-11-26T18:58:00Z"), "2026-11-26T18:58:00.000000Z");
  const Timestamp time = *ParseTimestamp("2026-11-26T17:58:00Z");
  const std::string shown = TimeInZone(time, zone);
  EXPECT_EQ(shown.substr(0, 20), "2026-11-26 18:58:00 ");
  EXPECT_EQ(ParseTimestamp(shown, zone), time)
      << "what is shown can be written: " << shown;
}

TEST(TimestampTextTest, RefusesTheRest) {
  for (const char* text :
       {"", "x", "2017", "2017-13-01", "2017-01-15T25:00",
        "2017-01-15T19:00:00Zx", "19:00", "now", "infinite-future",
        "2026-11-26 18:58:00 CEST", "2026-11-26 25:00",
        "2026-11-26 18:58 +25:00", "2026-11-26 18:58 /etc/x",
        "2026-11-26 18:58 Europe/../../etc/passwd",
        "2026-11-26 18:58 Nowhere/Town", "2026-11-26 18",
        "2026-11-26  18:58:00", "26.11.2026 18:58"}) {
    EXPECT_EQ(Round(text), "none") << text;
  }
}

}  // namespace
}  // namespace vernier
