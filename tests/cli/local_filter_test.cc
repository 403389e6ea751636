#include "cli/verbs/local_filter.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

std::string Round(const std::string& filter) {
  return WithTimesIn(absl::FixedTimeZone(3600), filter);
}

TEST(LocalFilterTest, TimesWithoutAZoneAreLocal) {
  EXPECT_EQ(Round(R"(createTime>"2026-11-26 18:58:00" AND state=RUNNING)"),
            "createTime>2026-11-26T17:58:00.000000Z AND state=RUNNING");
  EXPECT_EQ(Round("endTime<2026-11-26 OR startTime>=2026-11-26T18:58"),
            "endTime<2026-11-25T23:00:00.000000Z OR "
            "startTime>=2026-11-26T17:58:00.000000Z");
  EXPECT_EQ(Round("createTime>'2026-11-26 18:58:00' createTime<2026-11-27"),
            "createTime>2026-11-26T17:58:00.000000Z "
            "createTime<2026-11-26T23:00:00.000000Z");
}

TEST(LocalFilterTest, ASaidZoneHoldsAndOtherKeysStay) {
  EXPECT_EQ(Round("createTime>2026-11-26T18:58:00Z"),
            "createTime>2026-11-26T18:58:00.000000Z");
  for (const char* filter :
       {"", "labels.day=2026-11-26", "createTime:2026-11", "createTime>now",
        "createTime>\"2026", "jobId:census*"}) {
    EXPECT_EQ(Round(filter), filter);
  }
}

}  // namespace
}  // namespace vernier
