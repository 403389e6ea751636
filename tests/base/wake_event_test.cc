#include "base/wake_event.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace vernier {
namespace {

TEST(WakeEventTest, StaysSetUntilItIsCleared) {
  const WakeEvent event;
  ASSERT_TRUE(event.is_open());
  EXPECT_FALSE(event.is_set());
  event.Clear();  // Nothing to clear, and nothing to wait for.
  event.Set();
  event.Set();
  EXPECT_TRUE(event.is_set());
  EXPECT_TRUE(event.is_set());
  event.Clear();
  EXPECT_FALSE(event.is_set());
}

TEST(WakeEventTest, EndsTheWaitOfAnotherThread) {
  const WakeEvent event;
  std::thread setter([&] { event.Set(); });
  EXPECT_TRUE(event.WaitFor(std::chrono::hours(1)));
  setter.join();
}

}  // namespace
}  // namespace vernier
