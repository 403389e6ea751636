#ifndef VERNIER_FACES_DASHBOARD_NEWEST_EVENTS_H_
#define VERNIER_FACES_DASHBOARD_NEWEST_EVENTS_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "store/store.h"

namespace vernier {

/// Returns the newest `most` events of a study, by sequence; only those before
/// `before`, if that is not 0. Reads the database.
absl::StatusOr<std::vector<Event>> NewestEvents(const Store& store,
                                                const StudySnapshot& study,
                                                EventSequence before,
                                                std::size_t most);

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_NEWEST_EVENTS_H_
