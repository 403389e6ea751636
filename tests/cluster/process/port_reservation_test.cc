#include "cluster/process/port_reservation.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "cluster/private_folder.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

class PortReservationTest : public testing::Test {
 protected:
  PortRange Range(int first, int count) const {
    return {dir_ / "ports", first, first + count - 1};
  }
  const ScratchFolder dir_;
};

TEST_F(PortReservationTest, GivesEachReplicaItsOwnAndTheMasterOneMore) {
  const auto gang = PortReservation::Reserve(Range(15000, 100), 8, 95);
  ASSERT_TRUE(gang.ok()) << gang.status();
  std::set<int> ports(gang->ports().begin(), gang->ports().end());
  EXPECT_EQ(ports.size(), 8u);
  EXPECT_EQ(ports.count(gang->master_port()), 0u);
  EXPECT_EQ(gang->master_port(), gang->ports().front() + 1);
}

TEST_F(PortReservationTest, GangsNeverShareAPort) {
  std::vector<PortReservation> gangs;
  std::set<int> taken;
  for (int i = 0; i < 10; ++i) {
    auto gang = PortReservation::Reserve(Range(15000, 100), 4, 0);
    ASSERT_TRUE(gang.ok()) << gang.status();
    for (const int port : gang->ports()) {
      EXPECT_TRUE(taken.insert(port).second) << port;
    }
    EXPECT_TRUE(taken.insert(gang->master_port()).second);
    gangs.push_back(*std::move(gang));
  }
  // Given back, they can be had again.
  const auto refused = PortReservation::Reserve(Range(15000, 100), 60, 0);
  EXPECT_TRUE(absl::IsResourceExhausted(refused.status()));
  gangs.clear();
  EXPECT_TRUE(PortReservation::Reserve(Range(15000, 100), 60, 0).ok());
}

TEST_F(PortReservationTest, PassesOverAPortThatSomebodyListensOn) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(
      ::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof(address)),
      0);
  ASSERT_EQ(::listen(listener, 1), 0);
  socklen_t size = sizeof(address);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  const int busy = ntohs(address.sin_port);

  const auto alone = PortReservation::Reserve(Range(busy, 1), 1, 0);
  EXPECT_TRUE(absl::IsResourceExhausted(alone.status()));
  ::close(listener);
}

TEST_F(PortReservationTest, RefusesALockFileThatIsNone) {
  std::filesystem::create_directory(dir_ / "ports");
  EXPECT_FALSE(PortReservation::Reserve(Range(15000, 100), 1, 0).ok());
  std::filesystem::remove(dir_ / "ports");
  WriteText(dir_ / "secret", "");
  std::filesystem::create_symlink(dir_ / "secret", dir_ / "ports");
  EXPECT_FALSE(PortReservation::Reserve(Range(15000, 100), 1, 0).ok());
}

// Whoever may lock its bytes can keep every gang of the machine from starting.
TEST_F(PortReservationTest, LetsNobodyElseOpenItsLockFile) {
  const mode_t before = ::umask(0);
  EXPECT_TRUE(PortReservation::Reserve(Range(15000, 100), 1, 0).ok());
  ::umask(before);
  struct stat info;
  ASSERT_EQ(::stat((dir_ / "ports").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST(PrivateFolderTest, PassesOverWhatOthersHavePutThere) {
  const ScratchFolder dir;
  namespace fs = std::filesystem;
  fs::create_directory(dir / "open");
  fs::permissions(dir / "open", fs::perms::all);
  fs::create_directory(dir / "target");
  fs::permissions(dir / "target", fs::perms::owner_all);
  fs::create_symlink(dir / "target", dir / "link");
  WriteText(dir / "file", "");
  fs::create_directory(dir / "foreign");
  fs::permissions(dir / "foreign", fs::perms::owner_all);
  std::vector<std::string> candidates = {dir / "open", dir / "link",
                                         dir / "file", dir / "no/such"};
  // Only root can give a folder away.
  if (::chown((dir / "foreign").c_str(), 65534, 65534) == 0) {
    candidates.push_back(dir / "foreign");
  }
  candidates.push_back(dir / "mine");
  EXPECT_EQ(FindPrivateFolder(candidates), dir / "mine");
  EXPECT_EQ(FindPrivateFolder({dir / "target"}), dir / "target");
}

TEST(PortRangeTest, HasALockFileThatNoOtherUserCanReach) {
  const std::string file = DefaultPortRange().lock_file;
  if (std::getenv("VERNIER_PORT_FILE") != nullptr) return;
  struct stat info;
  ASSERT_EQ(::lstat(file.substr(0, file.rfind('/')).c_str(), &info), 0) << file;
  EXPECT_EQ(info.st_mode & 077, 0u) << file;
  EXPECT_EQ(info.st_uid, ::geteuid()) << file;
}

TEST(PortRangeTest, LiesBelowTheEphemeralPorts) {
  const PortRange range = DefaultPortRange();
  EXPECT_GE(range.first, 1024);
  EXPECT_LT(range.last, 32768);
  EXPECT_GE(range.last - range.first, 1000);
}

}  // namespace
}  // namespace vernier
