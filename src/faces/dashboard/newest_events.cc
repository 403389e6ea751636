#include "faces/dashboard/newest_events.h"

#include <algorithm>
#include <cstdint>

#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr std::size_t kMostRead = 20000;

// Returns the newest `most` events of the study with after < sequence <= last.
absl::StatusOr<std::vector<Event>> NewestIn(const Store& store, StudyId study,
                                            std::int64_t after,
                                            std::int64_t last,
                                            std::size_t most) {
  std::vector<Event> newest;
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(
        const std::vector<Event> read,
        store.ListEvents(EventSequence(after), study, kMostRead));
    for (const Event& event : read) {
      if (ToInt(event.sequence) <= last) newest.push_back(event);
    }
    if (newest.size() > most) {
      newest.erase(newest.begin(),
                   newest.end() - static_cast<std::ptrdiff_t>(most));
    }
    if (read.size() < kMostRead || ToInt(read.back().sequence) >= last) {
      return newest;
    }
    after = ToInt(read.back().sequence);
  }
}

}  // namespace

// The store lists events only forwards, with those of other studies in between.
// So this reads a stretch before the last event, and longer and longer ones
// until it contains enough events.
absl::StatusOr<std::vector<Event>> NewestEvents(const Store& store,
                                                const StudySnapshot& study,
                                                EventSequence before,
                                                std::size_t most) {
  constexpr std::int64_t kGrowth = 4;
  const std::int64_t newest = ToInt(study.last_event);
  const std::int64_t last =
      ToInt(before) > 0 ? std::min(newest, ToInt(before) - 1) : newest;
  for (auto length = static_cast<std::int64_t>(most);; length *= kGrowth) {
    const std::int64_t after = std::max<std::int64_t>(0, last - length);
    VERNIER_ASSIGN_OR_RETURN(std::vector<Event> events,
                             NewestIn(store, study.id, after, last, most));
    if (events.size() == most || after == 0) return events;
  }
}

}  // namespace vernier
