#include "client/slow_call.h"

#include <chrono>
#include <future>

namespace vernier {
namespace {

constexpr std::chrono::seconds kWaitPeriod{1};

}  // namespace

absl::StatusOr<std::string> AwaitSlowCall(
    const std::function<absl::StatusOr<std::string>()>& call,
    const std::function<void()>& on_wait) {
  std::future<absl::StatusOr<std::string>> answer =
      std::async(std::launch::async, call);
  while (answer.wait_for(kWaitPeriod) != std::future_status::ready) on_wait();
  return answer.get();
}

}  // namespace vernier
