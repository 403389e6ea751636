#include "faces/dashboard/newest_events.h"

#include <algorithm>
#include <cstdint>

#include "base/status_macros.h"

namespace vernier {

// The store lists events in their order only, and those of other studies lie
// between. So ever longer stretches before the last one are looked at.
absl::StatusOr<std::vector<Event>> NewestEvents(const Store& store,
                                                const StudySnapshot& study,
                                                std::size_t most) {
  constexpr std::size_t kMostRead = 20000;
  constexpr std::int64_t kGrowth = 4;
  const std::int64_t last = ToInt(study.last_event);
  for (auto length = static_cast<std::int64_t>(most);; length *= kGrowth) {
    const std::int64_t after = std::max<std::int64_t>(0, last - length);
    VERNIER_ASSIGN_OR_RETURN(
        std::vector<Event> events,
        store.ListEvents(EventSequence(after), study.id, kMostRead));
    if (events.size() < most && after > 0) continue;
    const std::size_t extra = events.size() > most ? events.size() - most : 0;
    events.erase(events.begin(),
                 events.begin() + static_cast<std::ptrdiff_t>(extra));
    return events;
  }
}

}  // namespace vernier
