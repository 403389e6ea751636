#include "store/events/event_follower.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace vernier {
namespace {

constexpr std::size_t kBatch = 200;

}  // namespace

absl::StatusOr<bool> EventFollower::Step(const Visit& visit) {
  if (store_.LastEvent() <= read_) return false;
  const absl::StatusOr<std::vector<Event>> events =
      store_.ListEvents(read_, std::nullopt, kBatch);
  if (!events.ok()) return events.status();
  // The snapshot is taken after the events, so that it already contains what
  // they report.
  const auto snapshot = store_.Snapshot();
  for (const Event& event : *events) {
    const auto study = snapshot->find(event.study);
    const absl::Status visited =
        visit(event, study == snapshot->end() ? nullptr : study->second.get());
    if (!visited.ok()) return visited;
    read_ = event.sequence;
  }
  return events->size() == kBatch;
}

}  // namespace vernier
