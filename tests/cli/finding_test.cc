#include "cli/doctor/finding.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

using Grade = Finding::Grade;

constexpr std::int64_t kMegabyte = std::int64_t{1} << 20;
constexpr std::int64_t kGigabyte = std::int64_t{1} << 30;

TEST(FindingTest, ADiskNeedsRoomAndInodesAndToBeHere) {
  EXPECT_EQ(JudgeDisk("/d", 20 * kGigabyte, 1 << 20, false).grade,
            Grade::kGood);
  EXPECT_EQ(JudgeDisk("/d", 20 * kGigabyte, 1 << 20, false).found,
            "20.0 GB are free in /d");
  EXPECT_EQ(JudgeDisk("/d", 500 * kMegabyte, 1 << 20, false).grade,
            Grade::kWarning);
  EXPECT_EQ(JudgeDisk("/d", 3 * kMegabyte, 1 << 20, true).grade, Grade::kFault);
  EXPECT_EQ(JudgeDisk("/d", 20 * kGigabyte, 5, false).grade, Grade::kWarning);
  const Finding network = JudgeDisk("/d", 20 * kGigabyte, 1 << 20, true);
  EXPECT_EQ(network.grade, Grade::kWarning);
  EXPECT_NE(network.remedy.find("local disk"), std::string::npos);
}

TEST(FindingTest, OnlyTheHardLimitOfDescriptorsMatters) {
  EXPECT_EQ(JudgeDescriptors(256, 65536).grade, Grade::kGood);
  EXPECT_EQ(JudgeDescriptors(1024, 2048).grade, Grade::kWarning);
  EXPECT_EQ(JudgeDescriptors(256, 256).grade, Grade::kFault);
}

TEST(FindingTest, InotifyMayBeScarceOrAbsent) {
  EXPECT_EQ(JudgeInotify(65536, 128).grade, Grade::kGood);
  EXPECT_EQ(JudgeInotify(100, 128).grade, Grade::kWarning);
  EXPECT_EQ(JudgeInotify(65536, 8).grade, Grade::kWarning);
  EXPECT_EQ(JudgeInotify(std::nullopt, 8).grade, Grade::kNote);
}

TEST(FindingTest, AClockThatNobodyKeepsIsAWarning) {
  EXPECT_EQ(JudgeClock(true, 12000).found,
            "synchronised, 12 ms off at the most");
  EXPECT_EQ(JudgeClock(false, 0).grade, Grade::kWarning);
}

TEST(FindingTest, ASocketsPathHasRoomFor107Bytes) {
  EXPECT_EQ(JudgeSocketPath(std::string(107, 'a')).grade, Grade::kGood);
  EXPECT_EQ(JudgeSocketPath(std::string(108, 'a')).grade, Grade::kFault);
}

}  // namespace
}  // namespace vernier
