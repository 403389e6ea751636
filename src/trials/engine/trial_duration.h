#ifndef VERNIER_TRIALS_ENGINE_TRIAL_DURATION_H_
#define VERNIER_TRIALS_ENGINE_TRIAL_DURATION_H_

#include <chrono>
#include <optional>

#include "store/records.h"

namespace vernier {

/// Returns for how long the programs of an ended trial ran, in all its
/// attempts, or a client's trial took; > 0, nullopt if that is not known.
std::optional<std::chrono::microseconds> DurationOf(const TrialRecord& trial);

}  // namespace vernier

#endif  // VERNIER_TRIALS_ENGINE_TRIAL_DURATION_H_
