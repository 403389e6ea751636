#include "daemon/disk_space.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/support/scratch_folder.h"

namespace vernier {
namespace {

TEST(DiskSpaceTest, SaysNothingWhileThereIsRoomOrNoFolder) {
  EXPECT_EQ(DiskTrouble("/no/such/folder"), "");
  EXPECT_EQ(DiskTrouble("/proc"), "");
}

TEST(DiskSpaceTest, NamesAFullDisk) {
  const ScratchFolder temporary;
  const std::string& folder = temporary.path();
  if (::mount("none", folder.c_str(), "tmpfs", 0, "size=2m") != 0) {
    GTEST_SKIP() << "only root can mount a small file system";
  }
  EXPECT_EQ(DiskTrouble(folder), "");
  std::ofstream(folder + "/large") << std::string(1536 << 10, 'x');
  EXPECT_EQ(DiskTrouble(folder).rfind("room on the disk of " + folder, 0), 0u)
      << DiskTrouble(folder);
  EXPECT_EQ(::umount(folder.c_str()), 0);
}

}  // namespace
}  // namespace vernier
