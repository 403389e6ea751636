#include "edge/http_port.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace vernier {
namespace {

constexpr auto kNone = std::nullopt;

TEST(HttpPortTest, ThePortOfLastTimeIsTriedFirst) {
  EXPECT_EQ(PortsToTry(kNone, 8480).front(), 8480);
  EXPECT_EQ(PortsToTry(kNone, 8480)[1], 8477);
  EXPECT_EQ(PortsToTry(0, 40001), (std::vector<int>{40001, 0}));
}

TEST(HttpPortTest, ANewServiceGetsTheFirstFreeOfTheUsualPorts) {
  const std::vector<int> ports = PortsToTry(kNone, kNone);
  EXPECT_EQ(ports, (std::vector<int>{8477, 8478, 8479, 8480, 8481, 8482, 8483,
                                     8484, 8485, 8486, 0}));
  EXPECT_EQ(PortsToTry(kNone, 8478).size(), ports.size()) << "each port once";
  EXPECT_EQ(PortsToTry(0, kNone), std::vector<int>{0});
}

TEST(HttpPortTest, APortThatTheUserNamedIsTheOnlyOne) {
  EXPECT_EQ(PortsToTry(9000, 8478), std::vector<int>{9000});
}

TEST(HttpPortTest, SaysThatItHasMoved) {
  EXPECT_EQ(MovedNote(kNone, 8477), "");
  EXPECT_EQ(MovedNote(8477, 8477), "");
  EXPECT_EQ(MovedNote(8477, 8478),
            "port 8477, which the dashboard had before, was taken by another "
            "program: the dashboard is now at port 8478, and bookmarks of the "
            "old address do not work");
}

TEST(HttpPortTest, ReadsWhatIsAPort) {
  EXPECT_EQ(ParseHttpPort("8478\n"), 8478);
  EXPECT_EQ(ParseHttpPort("65535"), 65535);
  for (const char* text :
       {"", "x", "0", "-1", "65536", "80 81", "99999999999"}) {
    EXPECT_EQ(ParseHttpPort(text), kNone) << text;
  }
}

}  // namespace
}  // namespace vernier
