#ifndef VERNIER_TESTS_SUPPORT_AWAIT_CONDITION_H_
#define VERNIER_TESTS_SUPPORT_AWAIT_CONDITION_H_

#include <chrono>
#include <thread>

namespace vernier {

/// Polls until `condition` holds; false if it does not within a minute. A test
/// that drops the answer passes when nothing happens, hence [[nodiscard]].
template <typename Condition>
[[nodiscard]] bool AwaitCondition(Condition condition) {
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace vernier

#endif  // VERNIER_TESTS_SUPPORT_AWAIT_CONDITION_H_
