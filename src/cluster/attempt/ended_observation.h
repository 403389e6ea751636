#ifndef VERNIER_CLUSTER_ATTEMPT_ENDED_OBSERVATION_H_
#define VERNIER_CLUSTER_ATTEMPT_ENDED_OBSERVATION_H_

#include <optional>

#include "cluster/attempt/exit_record.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Converts an exit record to an observation.
AttemptObservation ObservationOf(const AttemptKey& attempt,
                                 const ExitRecord& record);

/// Returns the observation of the attempt's exit record, or nullopt if it has
/// none of its own that can be read now.
std::optional<AttemptObservation> RecordedEnd(const LiveAttempt& attempt);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_ATTEMPT_ENDED_OBSERVATION_H_
