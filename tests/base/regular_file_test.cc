#include "base/regular_file.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

class RegularFileTest : public testing::Test {
 protected:
  // For reading and for writing, both of which wait for the other end of a
  // pipe if they are opened plainly.
  void ExpectOtherKind(const std::string& path) {
    for (const int flags : {O_RDONLY, O_WRONLY, O_WRONLY | O_CREAT | O_TRUNC}) {
      const RegularFile file = OpenRegularFile(path, flags, 0600);
      EXPECT_FALSE(file.fd.is_open()) << path;
      EXPECT_TRUE(file.is_other_kind) << path << ": " << file.error;
      EXPECT_NE(file.error, 0) << path;
    }
  }
  const ScratchFolder folder_;
};

TEST_F(RegularFileTest, OpensWhatIsOne) {
  WriteText(folder_ / "a", "text");
  const RegularFile file = OpenRegularFile(folder_ / "a", O_RDONLY);
  EXPECT_TRUE(file.fd.is_open());
  EXPECT_EQ(file.info.st_size, 4);
  EXPECT_TRUE(
      OpenRegularFile(folder_ / "b", O_WRONLY | O_CREAT, 0600).fd.is_open());
}

TEST_F(RegularFileTest, NeverWaitsForAPipe) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  ExpectOtherKind(folder_ / "pipe");
  std::filesystem::create_symlink("pipe", folder_ / "link");
  ExpectOtherKind(folder_ / "link");
}

TEST_F(RegularFileTest, OpensNoFolderSocketOrDevice) {
  std::filesystem::create_directory(folder_ / "folder");
  ExpectOtherKind(folder_ / "folder");
  ExpectOtherKind("/dev/null");
  const UniqueFd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder_ / "socket";
  std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address),
                   sizeof(address)),
            0);
  ExpectOtherKind(path);
}

TEST_F(RegularFileTest, SaysThatThereIsNone) {
  const RegularFile file = OpenRegularFile(folder_ / "none", O_RDONLY);
  EXPECT_EQ(file.error, ENOENT);
  EXPECT_FALSE(file.is_other_kind);
}

}  // namespace
}  // namespace vernier
