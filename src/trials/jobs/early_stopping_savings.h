#ifndef VERNIER_TRIALS_JOBS_EARLY_STOPPING_SAVINGS_H_
#define VERNIER_TRIALS_JOBS_EARLY_STOPPING_SAVINGS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "store/store.h"

namespace vernier {

/// The training that early stopping has saved in a study, in steps of the
/// objective's reports.
struct EarlyStoppingSavings {
  int stopped_trials = 0;  ///< > 0.
  int ended_trials = 0;    ///< Of the study, stopped ones included.
  /// Steps that the stopped trials did not train, if they would have gone as
  /// far as the median of the trials that ran to their end; 0 if none did.
  std::int64_t saved_steps = 0;
  std::int64_t trained_steps = 0;  ///< Of all trials.
};

/// Returns the savings; nullopt if no trial was stopped early. Reads every
/// trial. Pure.
std::optional<EarlyStoppingSavings> SavingsOf(const StudySnapshot& study);

/// "1 of 16 trials was stopped early, which saved 18 of 320 steps (6 %)".
std::string DescribeSavings(const EarlyStoppingSavings& savings);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_EARLY_STOPPING_SAVINGS_H_
