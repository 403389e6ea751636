#include "cluster/code/folder_tally.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

constexpr std::int64_t kMega = 1 << 20;

std::string Paths(const std::vector<FolderTally::Large>& list) {
  std::string text;
  for (const FolderTally::Large& each : list) {
    absl::StrAppend(&text, IgnoreLineFor(each.path, each.kind), " ");
  }
  return text;
}

TEST(FolderTallyTest, NamesUntilTheRestIsWithinTheLimit) {
  FolderTally tally;
  tally.Add("", "train.py", 100);
  tally.Add("data/images", "a", 300 * kMega);
  tally.Add("data/labels", "a", 200 * kMega);
  tally.Add("checkpoints", "a", 100 * kMega);
  tally.Add("src", "model.py", kMega);
  const auto largest = [&](std::int64_t limit) {
    return Paths(tally.Largest(FolderTally::Measure::kBytes, limit * kMega));
  };
  EXPECT_EQ(largest(200), "/data/ ");
  EXPECT_EQ(largest(50), "/data/ /checkpoints/ ");
  EXPECT_EQ(largest(1000), "");
}

TEST(FolderTallyTest, NamesTheInnerFolderThatHasNearlyAll) {
  FolderTally tally;
  tally.Add("project/src", "train.py", 100);
  for (int i = 0; i < 30; ++i) {
    tally.Add(absl::StrCat("project/data/part", i % 3), absl::StrCat(i), 10);
  }
  EXPECT_EQ(Paths(tally.Largest(FolderTally::Measure::kFiles, 20)),
            "/project/data/ ");
}

TEST(FolderTallyTest, NamesLargeFilesByThemselves) {
  FolderTally tally;
  tally.Add("", "weights.bin", 700 * kMega);
  tally.Add("src", "train.py", 100);
  FolderTally more;
  more.Add("src", "cache.bin", 600 * kMega);
  tally.Add(more);
  EXPECT_EQ(Paths(tally.Largest(FolderTally::Measure::kBytes, 512 * kMega)),
            "/weights.bin /src/cache.bin ");
}

TEST(FolderTallyTest, NamesNothingThatIsSmall) {
  FolderTally tally;
  for (int i = 0; i < 300; ++i) tally.Add(absl::StrCat("f", i), "x", 1);
  EXPECT_EQ(Paths(tally.Largest(FolderTally::Measure::kFiles, 20)), "");
}

TEST(FolderTallyTest, AmountsAreInWords) {
  EXPECT_EQ(AmountText({1, 12}), "1 file, 12 bytes");
  EXPECT_EQ(AmountText({3900, 12'025'908'428}), "3,900 files, 11.2 GiB");
  EXPECT_EQ(AmountText({1234567, 2048}), "1,234,567 files, 2.0 KiB");
}

}  // namespace
}  // namespace vernier
