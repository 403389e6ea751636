#include "cluster/machine/gpu_watch.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class GpuWatchTest : public testing::Test {
 protected:
  static GpuCondition Used(int pid) {
    GpuCondition condition;
    condition.compute = {{pid, "other"}};
    return condition;
  }
  /// Looks at all that are due, which have this condition.
  std::vector<std::string> LookAtAll(const GpuCondition& condition = {}) {
    std::vector<std::string> seen;
    while (const auto next = watch_.Next(now_)) {
      seen.push_back(*next);
      watch_.Took(*next, condition, now_);
    }
    return seen;
  }
  std::vector<std::string> Unusable() const {
    std::vector<std::string> texts;
    for (const UnusableDevice& device : watch_.Unusable(now_)) {
      texts.push_back(device.id + " " + device.reason);
    }
    return texts;
  }

  SteadyTime now_{seconds(1000)};
  GpuWatch watch_{{"A", "B"}, GpuPolicy(), GpuWatch::Periods()};
};

using Texts = std::vector<std::string>;

TEST_F(GpuWatchTest, AGpuIsUsableOnlyOnceItWasLookedAtAfterItsLease) {
  LookAtAll();
  watch_.SetFree({"A"}, now_);
  EXPECT_EQ(Unusable(), Texts{"A is being looked at"});
  EXPECT_EQ(LookAtAll(), Texts{"A"});
  EXPECT_EQ(Unusable(), Texts{});
  watch_.SetFree({}, now_);
  watch_.SetFree({"A"}, now_);
  EXPECT_EQ(Unusable(), Texts{"A is being looked at"});
}

TEST_F(GpuWatchTest, ALookThatBeganBeforeTheLeaseEndedTellsNothing) {
  watch_.SetFree({}, now_);
  ASSERT_EQ(watch_.Next(now_), "A");
  watch_.SetFree({"A"}, now_);
  watch_.Took("A", {}, now_);
  EXPECT_EQ(Unusable(), Texts{"A is being looked at"});
  LookAtAll();
  EXPECT_EQ(Unusable(), Texts{});
}

TEST_F(GpuWatchTest, ABusyGpuIsLookedAtSoonAgainAndThenLessOften) {
  watch_.SetFree({"A", "B"}, now_);
  LookAtAll(Used(7));
  EXPECT_EQ(Unusable().size(), 2u);
  int looks = 0;
  for (const SteadyTime end = now_ + seconds(10); now_ < end;
       now_ = now_ + milliseconds(1)) {
    looks += static_cast<int>(LookAtAll(Used(7)).size());
  }
  EXPECT_GT(looks, 2 * 15);
  EXPECT_LT(looks, 2 * 20);
  now_ = now_ + seconds(1);
  LookAtAll();
  EXPECT_EQ(Unusable(), Texts{});
  EXPECT_EQ(watch_.NextTime(), now_ + seconds(5));
}

TEST_F(GpuWatchTest, TellsOnlyOfChanges) {
  GpuWatch watch({"A"}, GpuPolicy(), GpuWatch::Periods());
  const auto look = [&](int pid) {
    now_ = now_ + seconds(1);
    EXPECT_EQ(watch.Next(now_), "A");
    return watch.Took("A", Used(pid), now_);
  };
  EXPECT_TRUE(watch.SetFree({"A"}, now_));
  EXPECT_FALSE(watch.SetFree({"A"}, now_));
  EXPECT_TRUE(look(7));
  EXPECT_FALSE(look(7));
  EXPECT_TRUE(look(8));
}

TEST_F(GpuWatchTest, ASickGpuIsNamedEvenWhileItIsLeased) {
  watch_.SetFree({}, now_);
  GpuCondition lost;
  lost.failure = "GPU is lost";
  LookAtAll(lost);
  EXPECT_EQ(Unusable().size(), 2u);
  now_ = now_ + seconds(5);
  LookAtAll();
  EXPECT_EQ(Unusable(), Texts{}) << "it was reset";
}

TEST_F(GpuWatchTest, ADriverThatHangsIsNoticed) {
  watch_.SetFree({"A", "B"}, now_);
  ASSERT_EQ(watch_.Next(now_), "A");
  now_ = now_ + seconds(12);
  EXPECT_EQ(Unusable(),
            (Texts{"A has not answered for 12 s, so its driver hangs",
                   "B is being looked at"}));
  EXPECT_TRUE(watch_.Unusable(now_)[0].is_sick);
  EXPECT_TRUE(watch_.Took("A", {}, now_));
  EXPECT_EQ(Unusable(), Texts{"B is being looked at"});
}

}  // namespace
}  // namespace vernier
