#include "daemon/disk_space.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace vernier {
namespace {

TEST(DiskSpaceTest, SaysNothingWhileThereIsRoomOrNoFolder) {
  EXPECT_EQ(DiskTrouble("/no/such/folder"), "");
  EXPECT_EQ(DiskTrouble("/proc"), "");
}

TEST(DiskSpaceTest, NamesAFullDisk) {
  std::string folder =
      (std::filesystem::temp_directory_path() / "vernier-disk-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  if (::mount("none", folder.c_str(), "tmpfs", 0, "size=2m") != 0) {
    std::filesystem::remove(folder);
    GTEST_SKIP() << "only root can mount a small file system";
  }
  EXPECT_EQ(DiskTrouble(folder), "");
  std::ofstream(folder + "/large") << std::string(1536 << 10, 'x');
  EXPECT_EQ(DiskTrouble(folder).rfind("room on the disk of " + folder, 0), 0u)
      << DiskTrouble(folder);
  EXPECT_EQ(::umount(folder.c_str()), 0);
  std::filesystem::remove(folder);
}

}  // namespace
}  // namespace vernier
