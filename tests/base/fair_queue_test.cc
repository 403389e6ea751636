#include "base/fair_queue.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

/// A queue whose work does nothing, by the names of its callers.
class FairQueueTest : public testing::Test {
 protected:
  void Add(const std::string& callers) {
    for (const char caller : callers) queue_.Add(std::string(1, caller), [] {});
  }
  /// Starts all that may run; returns whose it was, in order.
  std::string Start() {
    std::string started;
    while (const auto turn = queue_.Next()) started += turn->caller;
    return started;
  }

  FairQueue queue_{{.threads = 8, .most_of_one = 3, .trusted = "t"}};
};

TEST_F(FairQueueTest, CallersTakeTurns) {
  Add("aaaaab");
  EXPECT_EQ(queue_.Next()->caller, "a");
  EXPECT_EQ(queue_.Next()->caller, "b");
  EXPECT_EQ(queue_.Next()->caller, "a");
}

TEST_F(FairQueueTest, ACallerHasSoManyThreads) {
  Add("aaaaaa");
  EXPECT_EQ(Start(), "aaa");
  EXPECT_FALSE(queue_.is_empty());
  queue_.Ended("a");
  EXPECT_EQ(Start(), "a");
}

TEST_F(FairQueueTest, FewCallersLeaveThreadsForOthers) {
  Add("aaaaaabbbbbbcccccc");
  // Nobody takes more than is left for one more.
  EXPECT_EQ(Start(), "abcabc");
  Add("d");
  EXPECT_EQ(Start(), "d");
  Add("e");
  EXPECT_EQ(Start(), "e");
  Add("f");
  EXPECT_EQ(Start(), "") << "there are 8 threads";
  queue_.Ended("a");
  EXPECT_EQ(Start(), "f");
}

TEST_F(FairQueueTest, TheTrustedOneHasAHalf) {
  Add("tttttttt");
  EXPECT_EQ(Start(), "tttt");
}

TEST_F(FairQueueTest, TheProgramItselfHasAll) {
  for (int i = 0; i < 9; ++i) queue_.Add("", [] {});
  int started = 0;
  while (queue_.Next()) ++started;
  EXPECT_EQ(started, 8);
}

TEST_F(FairQueueTest, NobodyIsRememberedAfterTheEnd) {
  Add("ab");
  Start();
  queue_.Ended("a");
  queue_.Ended("b");
  EXPECT_TRUE(queue_.is_empty());
  Add("a");
  EXPECT_EQ(Start(), "a");
}

TEST(LeavesAsMuchTest, IsWhatIsLeftForOthers) {
  EXPECT_TRUE(LeavesAsMuch(0, 4, 8));
  EXPECT_FALSE(LeavesAsMuch(0, 5, 8));
  EXPECT_TRUE(LeavesAsMuch(3, 1, 5));
  EXPECT_FALSE(LeavesAsMuch(4, 1, 4));
  EXPECT_FALSE(LeavesAsMuch(0, 9, 8)) << "more than there is";
}

}  // namespace
}  // namespace vernier
