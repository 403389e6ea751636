#include "base/small_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/no_descriptors.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

TEST(SmallFileTest, OnlyAMissingFileIsNotFound) {
  const ScratchFolder dir;
  EXPECT_TRUE(absl::IsNotFound(ReadSmallFile(dir / "none").status()));
  WriteText(dir / "some", "text");
  EXPECT_EQ(*ReadSmallFile(dir / "some"), "text");
  EXPECT_TRUE(absl::IsOutOfRange(ReadSmallFile(dir / "some", 3).status()));
  const NoDescriptors none(0);
  EXPECT_TRUE(absl::IsResourceExhausted(ReadSmallFile(dir / "some").status()));
}

TEST(SmallFileTest, ReadsTheEndOfALongFile) {
  const ScratchFolder dir;
  EXPECT_TRUE(absl::IsNotFound(ReadFileEnd(dir / "none", 3).status()));
  WriteText(dir / "some", "0123456789");
  EXPECT_EQ(*ReadFileEnd(dir / "some", 3), "789");
  EXPECT_EQ(*ReadFileEnd(dir / "some", 10), "0123456789");
  EXPECT_EQ(*ReadFileEnd(dir / "some", 100), "0123456789");
  WriteText(dir / "empty", "");
  EXPECT_EQ(*ReadFileEnd(dir / "empty", 3), "");
}

TEST(SmallFileTest, RefusesWhatIsNoRegularFileAndDoesNotWaitForIt) {
  const ScratchFolder dir;
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(absl::IsDataLoss(ReadSmallFile(dir / "pipe").status()));
  EXPECT_TRUE(absl::IsDataLoss(ReadSmallFile(dir.path()).status()));
}

TEST(SmallFileTest, AFileOfAProcessThatEndedIsNotThere) {
  EXPECT_TRUE(absl::IsNotFound(ReadSmallFile("/proc/0/environ").status()));
}

}  // namespace
}  // namespace vernier
