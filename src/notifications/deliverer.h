#ifndef VERNIER_NOTIFICATIONS_DELIVERER_H_
#define VERNIER_NOTIFICATIONS_DELIVERER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "notifications/delivery_queue.h"
#include "notifications/receiver.h"

namespace vernier {

/// Receives the events of notices: whether it is trouble, what it is, and
/// fields.
using NoticeLog = std::function<void(
    bool is_trouble, const std::string& message,
    const std::vector<std::pair<std::string, std::string>>& fields)>;

/// Returns how long after its `failures`-th failure a delivery is tried again:
/// 1 s, and twice as long each time up to an hour. Pure.
std::chrono::milliseconds RetryWait(int failures);

/// Delivers the notices of one queue to one receiver, at least once each. Not
/// thread-safe, except for Stop and counts: one thread owns it.
class Deliverer {
 public:
  struct Counts {
    std::uint64_t delivered = 0;
    std::uint64_t failed = 0;    ///< Attempts.
    std::uint64_t given_up = 0;  ///< Notices.
  };

  Deliverer(std::unique_ptr<Receiver> receiver,
            std::unique_ptr<DeliveryQueue> queue, NoticeLog log)
      : receiver_(std::move(receiver)),
        queue_(std::move(queue)),
        log_(std::move(log)) {}

  /// Delivers the notice that is due first. Returns how long to wait for the
  /// next call.
  std::chrono::milliseconds Step();
  /// Ends the running Step. Thread-safe.
  void Stop() { receiver_->Stop(); }

  DeliveryQueue& queue() { return *queue_; }
  const DeliveryQueue& queue() const { return *queue_; }
  const Receiver& receiver() const { return *receiver_; }
  Counts counts() const;
  /// Notes a notice that could not be queued. Thread-safe.
  void CountGivenUp();

 private:
  void Fail(Delivery delivery, const Receiver::Answer& answer);

  const std::unique_ptr<Receiver> receiver_;
  const std::unique_ptr<DeliveryQueue> queue_;
  const NoticeLog log_;
  mutable Mutex mu_;
  Counts counts_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_NOTIFICATIONS_DELIVERER_H_
