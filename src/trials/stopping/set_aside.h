#ifndef VERNIER_TRIALS_STOPPING_SET_ASIDE_H_
#define VERNIER_TRIALS_STOPPING_SET_ASIDE_H_

#include "store/study_kinds.h"

namespace vernier {

/// Returns whether an active trial of a job is paused: nothing of it runs until
/// the stopping rule, or a resume of the job, starts its next attempt. The API
/// calls it ACTIVE; tables, pages, explanations and filters call it paused, by
/// this rule. Pure.
bool IsSetAside(const StudySnapshot& study, const TrialRecord& trial);

}  // namespace vernier

#endif  // VERNIER_TRIALS_STOPPING_SET_ASIDE_H_
