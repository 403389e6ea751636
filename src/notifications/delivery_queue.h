#ifndef VERNIER_NOTIFICATIONS_DELIVERY_QUEUE_H_
#define VERNIER_NOTIFICATIONS_DELIVERY_QUEUE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "notifications/job_end_notice.h"

namespace vernier {

/// A notice on its way to one receiver.
struct Delivery {
  JobEndNotice notice;
  int attempts = 0;  ///< That failed.
};

/// The pending deliveries to one receiver, a file each, so that they survive
/// the process and the machine. Thread-safe.
class DeliveryQueue {
 public:
  static constexpr std::size_t kMostPending = 1000;

  /// Reads the pending deliveries in `folder`, which must exist, under `key`:
  /// letters, digits and '-'. Files that cannot be understood are removed, and
  /// named in `trouble`. Borrows `clock`.
  static absl::StatusOr<std::unique_ptr<DeliveryQueue>> Open(
      std::string folder, std::string key, const Clock& clock,
      std::string* trouble);

  /// Adds a notice, durably. OK if it is there already. RESOURCE_EXHAUSTED if
  /// kMostPending are pending; any other error means that it may work later.
  absl::Status Add(const JobEndNotice& notice);

  /// Returns the delivery whose time has come first; null if there is none, and
  /// then `wait` is the time until there is one.
  std::optional<Delivery> Due(std::chrono::milliseconds* wait);

  /// Forgets a delivery that was made or is given up.
  void Remove(const Delivery& delivery);
  /// Makes a delivery due again after `wait`, with its number of attempts; at
  /// once after a restart.
  void PutOff(const Delivery& delivery, std::chrono::milliseconds wait);

  std::size_t size() const;

 private:
  struct Pending {
    Delivery delivery;
    SteadyTime due_at{};
  };

  DeliveryQueue(std::string folder, std::string key, const Clock& clock)
      : folder_(std::move(folder)), key_(std::move(key)), clock_(clock) {}

  std::string PathOf(EventSequence event) const;

  const std::string folder_;
  const std::string key_;
  const Clock& clock_;
  mutable Mutex mu_;
  std::map<EventSequence, Pending> pending_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_NOTIFICATIONS_DELIVERY_QUEUE_H_
