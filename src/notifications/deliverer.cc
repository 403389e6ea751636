#include "notifications/deliverer.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kShortestWait{1000};
constexpr milliseconds kLongestRetryWait{3600000};
constexpr milliseconds kStopped{60000};

}  // namespace

milliseconds RetryWait(int failures) {
  constexpr int kMostDoublings = 12;
  const int doublings = std::clamp(failures - 1, 0, kMostDoublings);
  return std::min(kLongestRetryWait, kShortestWait * (1 << doublings));
}

milliseconds Deliverer::Step() {
  milliseconds wait{0};
  const std::optional<Delivery> due = queue_->Due(&wait);
  if (!due.has_value()) return wait;
  const Receiver::Answer answer = receiver_->Deliver(due->notice);
  switch (answer.result) {
    case Receiver::Result::kTaken: {
      queue_->Remove(*due);
      {
        const MutexLock lock(mu_);
        ++counts_.delivered;
      }
      log_(false, "notice delivered",
           {{"job", due->notice.job},
            {"notice", due->notice.id},
            {"to", receiver_->name()}});
      return milliseconds(0);
    }
    case Receiver::Result::kStopped:
      return kStopped;
    case Receiver::Result::kFailed:
    case Receiver::Result::kRefused:
      Fail(*due, answer);
      return milliseconds(0);
  }
  return wait;
}

void Deliverer::Fail(Delivery delivery, const Receiver::Answer& answer) {
  ++delivery.attempts;
  const bool is_over = answer.result == Receiver::Result::kRefused ||
                       delivery.attempts >= receiver_->most_attempts();
  const milliseconds wait = std::min(
      kLongestRetryWait, std::max(RetryWait(delivery.attempts), answer.wait));
  if (is_over) {
    queue_->Remove(delivery);
  } else {
    queue_->PutOff(delivery, wait);
  }
  {
    const MutexLock lock(mu_);
    ++counts_.failed;
    if (is_over) ++counts_.given_up;
  }
  log_(true, is_over ? "notice given up" : "notice not delivered yet",
       {{"job", delivery.notice.job},
        {"notice", delivery.notice.id},
        {"to", receiver_->name()},
        {"attempt", absl::StrCat(delivery.attempts)},
        {"next", is_over ? "none" : absl::StrCat(wait.count(), "ms")},
        {"why", answer.why}});
}

Deliverer::Counts Deliverer::counts() const {
  const MutexLock lock(mu_);
  return counts_;
}

void Deliverer::CountGivenUp() {
  const MutexLock lock(mu_);
  ++counts_.given_up;
}

}  // namespace vernier
