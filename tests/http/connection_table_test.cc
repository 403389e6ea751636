#include "http/connection_table.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <string>
#include <vector>

#include "http/client_address.h"

namespace vernier {
namespace {

class ConnectionTableTest : public testing::Test {
 protected:
  /// The number that a connection called `name` gets.
  std::uint64_t Add(const std::string& address, const std::string& name,
                    bool needs_room = false) {
    const auto admission = table_.Add(
        address, needs_room, [this, name] { closed_.push_back(name); });
    if (admission.give_way) admission.give_way();
    return admission.number;
  }

  ConnectionTable table_{{.all = 3, .per_address = 2}};
  std::vector<std::string> closed_;
};

TEST_F(ConnectionTableTest, TheLongestIdleGivesWay) {
  const std::uint64_t a = Add("x", "a");
  Add("y", "b");
  Add("z", "c");
  // It was idle first, but has served since.
  EXPECT_TRUE(table_.SetBusy(a));
  table_.SetIdle(a);
  EXPECT_NE(Add("w", "d"), 0u);
  EXPECT_EQ(closed_, std::vector<std::string>{"b"});
  EXPECT_EQ(table_.All().size(), 3u);
}

// The descriptor that became free is a low one, and the next connection has it.
TEST_F(ConnectionTableTest, WhereRoomWasUsedUpThereAreNoMoreThanThen) {
  ConnectionTable table{{.all = 100, .per_address = 100}};
  int closed = 0;
  const auto add = [&](bool needs_room) {
    const auto admission = table.Add("x", needs_room, [&closed] { ++closed; });
    if (admission.give_way) admission.give_way();
    return admission.number;
  };
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < 4; ++i) numbers.push_back(add(false));
  for (int i = 0; i < 10; ++i) add(/*needs_room=*/i % 2 == 0);
  EXPECT_EQ(table.All().size(), 4u);
  EXPECT_EQ(closed, 10);
}

TEST_F(ConnectionTableTest, RoomThatCameBackIsUsed) {
  ConnectionTable table{{.all = 100, .per_address = 100}};
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < 5; ++i) {
    numbers.push_back(table.Add("x", /*needs_room=*/i == 4, [] {}).number);
  }
  EXPECT_EQ(table.All().size(), 4u);
  for (const std::uint64_t number : {numbers[1], numbers[2]}) {
    table.Remove(number);
  }
  for (int i = 0; i < 10; ++i) table.Add("x", false, [] {});
  EXPECT_EQ(table.All().size(), 12u);
}

TEST_F(ConnectionTableTest, OneAddressMakesRoomAmongItsOwn) {
  Add("y", "a");
  Add("x", "b");
  Add("x", "c");
  EXPECT_NE(Add("x", "d"), 0u);
  EXPECT_EQ(closed_, std::vector<std::string>{"b"});
}

TEST_F(ConnectionTableTest, WhatServesDoesNotGiveWay) {
  const std::uint64_t a = Add("x", "a");
  const std::uint64_t b = Add("x", "b");
  EXPECT_TRUE(table_.SetBusy(a));
  EXPECT_TRUE(table_.SetBusy(b));
  EXPECT_EQ(Add("x", "c"), 0u);
  // Another address still has room.
  EXPECT_NE(Add("y", "d"), 0u);
  EXPECT_NE(Add("z", "e"), 0u);
  EXPECT_EQ(closed_, std::vector<std::string>{"d"});
}

// Else whoever has a token could promise bodies, and hold all connections.
TEST_F(ConnectionTableTest, ABodyThatDoesNotGetOnGivesWay) {
  const std::uint64_t a = Add("x", "a");
  const std::uint64_t b = Add("x", "b");
  EXPECT_TRUE(table_.SetReceiving(a));
  EXPECT_TRUE(table_.SetReceiving(b));
  EXPECT_TRUE(table_.SetReceiving(a));
  EXPECT_NE(Add("x", "c"), 0u);
  EXPECT_EQ(closed_, std::vector<std::string>{"b"});
  EXPECT_FALSE(table_.SetReceiving(b));
}

// Who may call is not driven out by those who only connect.
TEST_F(ConnectionTableTest, WhatIsIdleGivesWayBeforeABody) {
  const std::uint64_t a = Add("x", "a");
  EXPECT_TRUE(table_.SetReceiving(a));
  Add("x", "b");
  for (int i = 0; i < 3; ++i) EXPECT_NE(Add("x", "c"), 0u);
  EXPECT_EQ(closed_, (std::vector<std::string>{"b", "c", "c"}));
  EXPECT_TRUE(table_.SetBusy(a));
}

TEST_F(ConnectionTableTest, WhoHadToGoServesNoMore) {
  const std::uint64_t a = Add("x", "a");
  EXPECT_NE(Add("y", "b", /*needs_room=*/true), 0u);
  EXPECT_EQ(closed_, std::vector<std::string>{"a"});
  EXPECT_FALSE(table_.SetBusy(a));
  table_.SetIdle(a);
  table_.Remove(a);
  EXPECT_EQ(table_.All().size(), 1u);
}

TEST_F(ConnectionTableTest, ThereIsNoRoomWithoutAnIdleOne) {
  EXPECT_EQ(Add("x", "a", /*needs_room=*/true), 0u);
  EXPECT_TRUE(table_.All().empty());
}

std::string Counted(const std::string& text) {
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  if (inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    return ClientAddress(reinterpret_cast<const sockaddr&>(v4));
  }
  EXPECT_EQ(inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr), 1);
  v6.sin6_family = AF_INET6;
  return ClientAddress(reinterpret_cast<const sockaddr&>(v6));
}

// Who has many addresses is one client all the same.
TEST(ClientAddressTest, IsOneForWhatOneMachineHas) {
  EXPECT_EQ(Counted("10.1.2.3"), "10.1.2.3");
  EXPECT_EQ(Counted("::ffff:10.1.2.3"), "10.1.2.3");
  for (const char* own :
       {"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.2"}) {
    EXPECT_EQ(Counted(own), "loopback") << own;
  }
  EXPECT_EQ(Counted("2001:db8:1:2::1"), Counted("2001:db8:1:2:ffff::9"));
  EXPECT_NE(Counted("2001:db8:1:2::1"), Counted("2001:db8:1:3::1"));
}

}  // namespace
}  // namespace vernier
