#ifndef VERNIER_TRIALS_JOBS_END_MEANING_H_
#define VERNIER_TRIALS_JOBS_END_MEANING_H_

#include <string_view>

#include "study/trial_state.h"

namespace vernier {

/// What an end of this cause means for a trial or an attempt and its job, as
/// the rest of a sentence: "its program failed". Empty for kNone.
std::string_view MeaningOf(TrialEndCause cause);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_END_MEANING_H_
