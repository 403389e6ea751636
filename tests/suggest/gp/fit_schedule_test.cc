#include "suggest/gp/fit_schedule.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(FitScheduleTest, BeginsAtTheFirstModel) {
  EXPECT_EQ(LastFit(kFirstFit - 1), 0);
  EXPECT_EQ(LastColdFit(kFirstFit - 1), 0);
  EXPECT_EQ(LastFit(kFirstFit), kFirstFit);
  EXPECT_EQ(LastColdFit(kFirstFit), kFirstFit);
}

TEST(FitScheduleTest, ColdFitsAreTenPercentApart) {
  // 3, 4, ..., 11, 13, 15, 17, 19, 21, 24, ...
  EXPECT_EQ(LastColdFit(11), 11);
  EXPECT_EQ(LastColdFit(12), 11);
  EXPECT_EQ(LastColdFit(20), 19);
  std::int64_t last = LastColdFit(100);
  for (std::int64_t n = 100; n < 5000; ++n) {
    const std::int64_t cold = LastColdFit(n);
    EXPECT_LE(cold, n);
    if (cold != last) {
      EXPECT_EQ(cold, n);
      EXPECT_GE(10 * cold, 11 * last);
    }
    last = cold;
    // Nowhere far behind, and part of the schedule of all fits.
    EXPECT_LE(static_cast<double>(n), 1.11 * static_cast<double>(cold) + 1);
    EXPECT_EQ(LastFit(cold), cold);
  }
}

TEST(FitScheduleTest, WarmFitsFollowEveryResultAndThenGrowth) {
  for (std::int64_t n = kFirstFit; n <= kEveryFit; ++n) {
    EXPECT_EQ(LastFit(n), n);
  }
  EXPECT_EQ(LastFit(203), 200);
  EXPECT_EQ(LastFit(204), 204);
  for (std::int64_t n = 201; n < 5000; ++n) {
    EXPECT_LE(static_cast<double>(n),
              1.021 * static_cast<double>(LastFit(n)) + 1);
    EXPECT_GE(LastFit(n), LastColdFit(n));
  }
}

}  // namespace
}  // namespace vernier
