#ifndef VERNIER_FACES_DASHBOARD_CHANGED_TRIALS_H_
#define VERNIER_FACES_DASHBOARD_CHANGED_TRIALS_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "store/store.h"

namespace vernier {

/// Returns the trials of `study` that are new or may have changed after the
/// event `since`, ascending: those that events name, and all that are open,
/// since their measurements are no events. nullopt if all are to be sent again:
/// the study was edited, or there are so many events that it is cheaper. Reads
/// the database.
absl::StatusOr<std::optional<std::vector<TrialId>>> TrialsChangedSince(
    const Store& store, const StudySnapshot& study, EventSequence since);

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_CHANGED_TRIALS_H_
