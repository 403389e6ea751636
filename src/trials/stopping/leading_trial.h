#ifndef VERNIER_TRIALS_STOPPING_LEADING_TRIAL_H_
#define VERNIER_TRIALS_STOPPING_LEADING_TRIAL_H_

#include <optional>

#include "store/store.h"

namespace vernier {

/// Returns the open trial of a study that is the best so far: no trial that
/// came to its own end has a better final value than its best, and no other
/// open trial has a better one. Of equal open ones it is the one with the
/// smallest number; nullopt if none leads. Reads every trial. Pure.
std::optional<TrialId> LeadingTrial(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_STOPPING_LEADING_TRIAL_H_
