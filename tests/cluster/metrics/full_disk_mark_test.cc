#include "cluster/metrics/full_disk_mark.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

using Files = FullDiskMark::Files;

class FullDiskMarkTest : public testing::Test {
 protected:
  FullDiskMark Open() { return FullDiskMark(folder_.path()); }

  const TemporaryFolder folder_;
};

TEST_F(FullDiskMarkTest, IsOverWithTheNextValue) {
  FullDiskMark mark = Open();
  mark.TakeValue();
  mark.CatchUp();
  EXPECT_EQ(mark.text(), "");
  mark.Set(Files::kMetric);
  EXPECT_EQ(mark.text(), "its metric files");
  mark.TakeValue();
  EXPECT_EQ(mark.text(), "");
  EXPECT_EQ(Open().text(), "");
}

TEST_F(FullDiskMarkTest, OutlivesARestartAfterWhichOldValuesComeAgain) {
  {
    FullDiskMark mark = Open();
    mark.TakeValue();
    mark.TakeValue();
    mark.Set(Files::kEvent);
  }
  FullDiskMark mark = Open();
  EXPECT_EQ(mark.text(), "its event files");
  mark.TakeValue();
  mark.TakeValue();
  mark.CatchUp();
  EXPECT_EQ(mark.text(), "its event files");
  mark.TakeValue();
  EXPECT_EQ(mark.text(), "");
}

TEST_F(FullDiskMarkTest, IsOverIfAValueCameWhileTheServiceWasAway) {
  {
    FullDiskMark mark = Open();
    mark.TakeValue();
    mark.Set(Files::kMetric);
  }
  FullDiskMark mark = Open();
  mark.TakeValue();
  mark.TakeValue();
  mark.CatchUp();
  EXPECT_EQ(mark.text(), "");
}

// A file that keeps the newest values only.
TEST_F(FullDiskMarkTest, StaysIfThereAreFewerValuesAfterARestart) {
  {
    FullDiskMark mark = Open();
    mark.TakeValue();
    mark.TakeValue();
    mark.Set(Files::kMetric);
  }
  FullDiskMark mark = Open();
  mark.TakeValue();
  mark.CatchUp();
  EXPECT_EQ(mark.text(), "its metric files");
  mark.TakeValue();
  EXPECT_EQ(mark.text(), "");
}

TEST_F(FullDiskMarkTest, ADiskMayBeFullBeforeTheFirstValue) {
  Open().Set(Files::kMetric);
  FullDiskMark mark = Open();
  mark.CatchUp();
  EXPECT_EQ(mark.text(), "its metric files");
}

// So that a full disk has room for it.
TEST_F(FullDiskMarkTest, ItsFileHasItsSizeFromTheStart) {
  FullDiskMark mark = Open();
  const std::string path = folder_.path() + "/full_disk";
  const auto size = std::filesystem::file_size(path);
  EXPECT_GT(size, 0u);
  mark.TakeValue();
  mark.Set(Files::kEvent);
  EXPECT_EQ(std::filesystem::file_size(path), size);
}

TEST_F(FullDiskMarkTest, WhatIsNoMarkSaysNothing) {
  std::ofstream(folder_.path() + "/full_disk") << "9 1 x";
  EXPECT_EQ(Open().text(), "");
  EXPECT_EQ(FullDiskMark(folder_.path() + "/none").text(), "");
}

}  // namespace
}  // namespace vernier
