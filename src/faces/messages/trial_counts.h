#ifndef VERNIER_FACES_MESSAGES_TRIAL_COUNTS_H_
#define VERNIER_FACES_MESSAGES_TRIAL_COUNTS_H_

#include <map>
#include <optional>

#include "store/store.h"
#include "study/trial_state.h"

namespace vernier {

/// How a study's trials stand, without deleted ones. Every face counts here, so
/// that one trial is never two things: it is what its state says.
struct TrialCounts {
  std::map<TrialState, int> by_state;  ///< States without trials are left out.
  int total = 0;
  /// Active and stopping ones whose program runs.
  int running = 0;
  /// The other active ones: they wait for room, or to start again, or their
  /// client is gone.
  int waiting = 0;
  int paused = 0;  ///< Of the waiting ones, those that are set aside.

  int Of(TrialState state) const {
    const auto found = by_state.find(state);
    return found == by_state.end() ? 0 : found->second;
  }
};

/// `at_work`: of a study that clients run, how many trials have a program that
/// runs; unset: all that are active. O(n). Pure.
TrialCounts CountTrials(const StudySnapshot& study,
                        std::optional<int> at_work = std::nullopt);

}  // namespace vernier

#endif  // VERNIER_FACES_MESSAGES_TRIAL_COUNTS_H_
