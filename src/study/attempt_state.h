#ifndef VERNIER_STUDY_ATTEMPT_STATE_H_
#define VERNIER_STUDY_ATTEMPT_STATE_H_

#include <optional>
#include <string_view>

namespace vernier {

/// Life of an attempt: one launch of a trial's gang. Values are stored; do not
/// renumber.
///
///   intended -> launching -> running -> exited | killed | lost
/// Any of the first three may end directly: a short program can be over before
/// it was ever seen running.
enum class AttemptState {
  kIntended = 1,   ///< Committed; nothing has been started yet.
  kLaunching = 2,  ///< The launcher has it; the gang is not up yet.
  kRunning = 3,    ///< Every replica was started.
  kExited = 4,     ///< Terminal. The primary ended by itself.
  kKilled = 5,     ///< Terminal. Ended because we asked it to.
  kLost = 6,       ///< Terminal. No exit record will ever come, or it never
                   ///< started.
};

enum class AttemptEvent {
  kLaunch,  ///< The launcher accepted it.
  kRun,     ///< Every replica is up.
  kExit,    ///< An exit record was found; no kill had been asked for.
  kKill,    ///< An exit record was found after a kill had been asked for.
  kLose,    ///< Proven dead without an exit record, or proven never started.
};

struct AttemptTransition {
  AttemptState from;
  AttemptEvent event;
  AttemptState to;
};

/// All transitions of the state machine. A pair that is not listed is illegal.
inline constexpr AttemptTransition kAttemptTransitions[] = {
    {AttemptState::kIntended, AttemptEvent::kLaunch, AttemptState::kLaunching},
    {AttemptState::kIntended, AttemptEvent::kRun, AttemptState::kRunning},
    {AttemptState::kIntended, AttemptEvent::kExit, AttemptState::kExited},
    {AttemptState::kIntended, AttemptEvent::kKill, AttemptState::kKilled},
    {AttemptState::kIntended, AttemptEvent::kLose, AttemptState::kLost},
    {AttemptState::kLaunching, AttemptEvent::kRun, AttemptState::kRunning},
    {AttemptState::kLaunching, AttemptEvent::kExit, AttemptState::kExited},
    {AttemptState::kLaunching, AttemptEvent::kKill, AttemptState::kKilled},
    {AttemptState::kLaunching, AttemptEvent::kLose, AttemptState::kLost},
    {AttemptState::kRunning, AttemptEvent::kExit, AttemptState::kExited},
    {AttemptState::kRunning, AttemptEvent::kKill, AttemptState::kKilled},
    {AttemptState::kRunning, AttemptEvent::kLose, AttemptState::kLost},
};

constexpr bool IsTerminal(AttemptState state) {
  return state >= AttemptState::kExited;
}

/// Returns the state after `event`, or nullopt if the event is illegal.
constexpr std::optional<AttemptState> Next(AttemptState from,
                                           AttemptEvent event) {
  for (const AttemptTransition& transition : kAttemptTransitions) {
    if (transition.from == from && transition.event == event) {
      return transition.to;
    }
  }
  return std::nullopt;
}

/// Stable lower-case name, used in logs, events and CLI output.
std::string_view ToString(AttemptState state);

}  // namespace vernier

#endif  // VERNIER_STUDY_ATTEMPT_STATE_H_
