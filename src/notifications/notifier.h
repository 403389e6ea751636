#ifndef VERNIER_NOTIFICATIONS_NOTIFIER_H_
#define VERNIER_NOTIFICATIONS_NOTIFIER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "notifications/deliverer.h"
#include "store/store.h"

namespace vernier {

/// Finds the ends of jobs among the events and queues a notice of each for
/// every receiver. The last event that was visited is stored beside the queues,
/// so that the next service reports an end that was committed just before this
/// one died. Not thread-safe: one thread owns it; the deliverers have their
/// own.
class Notifier {
 public:
  /// `folder` is made if it is missing. `newest` is the store's last event: the
  /// first service with receivers begins there. Borrows `clock`.
  static absl::StatusOr<std::unique_ptr<Notifier>> Open(
      const std::string& folder, EventSequence newest,
      std::vector<std::unique_ptr<Receiver>> receivers, const Clock& clock,
      NoticeLog log);

  /// Removes what an earlier service with receivers has left in `folder`, so
  /// that ends from a time without receivers are not reported later.
  static void Forget(const std::string& folder);

  /// Returns the event after which Visit continues.
  EventSequence begin() const { return begin_; }

  /// Examines the next event, and queues notices if it ends a job; `study` is
  /// null if it has been deleted. Returns whether it did. UNAVAILABLE if that
  /// could not be written: call again with the same event.
  absl::StatusOr<bool> Visit(const Event& event, const StudySnapshot* study);

  const std::vector<std::unique_ptr<Deliverer>>& deliverers() const {
    return deliverers_;
  }

 private:
  Notifier(std::string folder, NoticeLog log)
      : folder_(std::move(folder)), log_(std::move(log)) {}

  absl::Status WritePlace(EventSequence event, bool is_synced);

  const std::string folder_;
  const NoticeLog log_;
  EventSequence begin_{};
  EventSequence written_{};
  std::vector<std::unique_ptr<Deliverer>> deliverers_;
};

}  // namespace vernier

#endif  // VERNIER_NOTIFICATIONS_NOTIFIER_H_
