#ifndef VERNIER_STUDY_TRIAL_STATE_H_
#define VERNIER_STUDY_TRIAL_STATE_H_

#include <optional>
#include <string_view>

#include "study/trial_end.h"  // IWYU pragma: export

namespace vernier {

/// Life of a trial, as a user sees it. States only move forward: a retry is a
/// new attempt, never a step back. Values are stored; do not renumber.
///
///   requested -> active -> completed | infeasible | failed
///        |          |
///        |          +-> stopping -> stopped | completed | infeasible
///        +-> stopped
enum class TrialState {
  kRequested = 1,   ///< Parameters chosen, no launch intended yet.
  kActive = 2,      ///< A launch is intended, alive, or about to be retried.
  kStopping = 3,    ///< A stop was asked for; the attempt has not ended.
  kCompleted = 4,   ///< Terminal. Ended well; has a final measurement unless
                    ///< the program reported none.
  kStopped = 5,     ///< Terminal. Its training was cut short: by a rule, a
                    ///< limit, a user, its client or with its job. Keeps its
                    ///< last measurement.
  kInfeasible = 6,  ///< Terminal. The parameters cannot be evaluated.
  kFailed = 7,      ///< Terminal. Every attempt failed or was lost.
};

enum class TrialEvent {
  kLease,             ///< A launch is intended.
  kRequestStop,       ///< Cancelled, or a stopping rule asked.
  kConfirmStop,       ///< The attempt ended after a stop was asked for.
  kReportFinal,       ///< The primary ended with success.
  kReportInfeasible,  ///< The parameters proved impossible.
  kGiveUp,            ///< The last allowed attempt failed.
};

struct TrialTransition {
  TrialState from;
  TrialEvent event;
  TrialState to;
};

/// All transitions of the state machine. A pair that is not listed is illegal.
inline constexpr TrialTransition kTrialTransitions[] = {
    {TrialState::kRequested, TrialEvent::kLease, TrialState::kActive},
    {TrialState::kRequested, TrialEvent::kRequestStop, TrialState::kStopped},
    {TrialState::kActive, TrialEvent::kReportFinal, TrialState::kCompleted},
    {TrialState::kActive, TrialEvent::kReportInfeasible,
     TrialState::kInfeasible},
    {TrialState::kActive, TrialEvent::kRequestStop, TrialState::kStopping},
    {TrialState::kActive, TrialEvent::kGiveUp, TrialState::kFailed},
    // A result that races with the stop request is worth keeping.
    {TrialState::kStopping, TrialEvent::kReportFinal, TrialState::kCompleted},
    // A job's trial takes this path only if its training ended in a value that
    // is not finite; with any other end it becomes stopped.
    {TrialState::kStopping, TrialEvent::kReportInfeasible,
     TrialState::kInfeasible},
    {TrialState::kStopping, TrialEvent::kConfirmStop, TrialState::kStopped},
    {TrialState::kStopping, TrialEvent::kGiveUp, TrialState::kStopped},
};

constexpr bool IsTerminal(TrialState state) {
  return state >= TrialState::kCompleted;
}

/// Returns the state after `event`, or nullopt if the event is illegal.
constexpr std::optional<TrialState> Next(TrialState from, TrialEvent event) {
  for (const TrialTransition& transition : kTrialTransitions) {
    if (transition.from == from && transition.event == event) {
      return transition.to;
    }
  }
  return std::nullopt;
}

/// Stable lower-case name, used in logs, events and CLI output.
std::string_view ToString(TrialState state);

}  // namespace vernier

#endif  // VERNIER_STUDY_TRIAL_STATE_H_
