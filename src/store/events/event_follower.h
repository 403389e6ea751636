#ifndef VERNIER_STORE_EVENTS_EVENT_FOLLOWER_H_
#define VERNIER_STORE_EVENTS_EVENT_FOLLOWER_H_

#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/store.h"

namespace vernier {

/// Hands out the events of a store as they come, each once and in order. Not
/// thread-safe: one thread owns it.
class EventFollower {
 public:
  /// Called with an event and its study at that event or later; null if it has
  /// been deleted. After an error the event is visited again.
  using Visit = std::function<absl::Status(const Event& event,
                                           const StudySnapshot* study)>;

  /// Borrows `store`. The first event is the one after `after`.
  EventFollower(const Store& store, EventSequence after)
      : store_(store), read_(after) {}

  /// Visits the next events, some hundred at most. True if more may be there
  /// already. Errors are those of the store and of `visit`.
  absl::StatusOr<bool> Step(const Visit& visit);

  /// The last event that was visited.
  EventSequence read() const { return read_; }

 private:
  const Store& store_;
  EventSequence read_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_EVENTS_EVENT_FOLLOWER_H_
