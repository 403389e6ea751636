#ifndef VERNIER_TRIALS_STOPPING_LEADING_TRIAL_H_
#define VERNIER_TRIALS_STOPPING_LEADING_TRIAL_H_

#include <optional>

#include "store/store.h"

namespace vernier {

/// The open trial of a study that is the best so far: it has reported a value
/// that no trial which came to its own end exceeds with its final one, and no
/// other open trial with its best. Of equal open ones the one with the smallest
/// number; nullopt if none leads. Looks at every trial. Pure.
std::optional<TrialId> LeadingTrial(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_STOPPING_LEADING_TRIAL_H_
