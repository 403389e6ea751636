#ifndef VERNIER_TRIALS_STOPPING_LEADING_TRIAL_H_
#define VERNIER_TRIALS_STOPPING_LEADING_TRIAL_H_

#include "store/store.h"

namespace vernier {

/// Whether trial `id` of a study, which is open, is the best so far: it has
/// reported a value that no trial which came to its own end exceeds with its
/// final one, and no other open trial with its best. Of equal ones the open one
/// with the smallest number. Looks at every trial. Pure.
bool IsLeading(const StudySnapshot& study, TrialId id);

}  // namespace vernier

#endif  // VERNIER_TRIALS_STOPPING_LEADING_TRIAL_H_
