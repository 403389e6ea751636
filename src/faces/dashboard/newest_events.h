#ifndef VERNIER_FACES_DASHBOARD_NEWEST_EVENTS_H_
#define VERNIER_FACES_DASHBOARD_NEWEST_EVENTS_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "store/store.h"

namespace vernier {

/// The newest `most` events of a study, by sequence. Reads the database.
absl::StatusOr<std::vector<Event>> NewestEvents(const Store& store,
                                                const StudySnapshot& study,
                                                std::size_t most);

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_NEWEST_EVENTS_H_
