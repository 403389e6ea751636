#ifndef VERNIER_FACES_MESSAGES_TRIAL_COUNTS_H_
#define VERNIER_FACES_MESSAGES_TRIAL_COUNTS_H_

#include <map>
#include <optional>

#include "store/study_kinds.h"
#include "study/trial_state.h"

namespace vernier {

/// Counts of a study's trials by state, without deleted ones. Every API and
/// page counts with this, so that a trial is never counted under two states.
struct TrialCounts {
  std::map<TrialState, int> by_state;  ///< States without trials are left out.
  int total = 0;
  /// Active and stopping trials whose program runs.
  int running = 0;
  /// The other active trials: they wait for room, or to start again, or their
  /// client is gone.
  int waiting = 0;
  int paused = 0;  ///< Those of the waiting trials that are set aside.

  int Of(TrialState state) const {
    const auto found = by_state.find(state);
    return found == by_state.end() ? 0 : found->second;
  }
};

/// `at_work` is the number of trials with a running program, in a study that
/// clients run; unset: all active ones. O(n). Pure.
TrialCounts CountTrials(const StudySnapshot& study,
                        std::optional<int> at_work = std::nullopt);

}  // namespace vernier

#endif  // VERNIER_FACES_MESSAGES_TRIAL_COUNTS_H_
