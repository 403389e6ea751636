#ifndef VERNIER_TRIALS_CLIENTS_STUDY_ACTIVITY_H_
#define VERNIER_TRIALS_CLIENTS_STUDY_ACTIVITY_H_

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "store/store.h"
#include "trials/clients/client_process.h"

namespace vernier {

/// Whether a client's process runs. Any thread.
using PresenceOf = std::function<ClientPresence(const ClientProcess&)>;

/// After this long without a word, a client that may be anywhere does not count
/// as one that works.
inline constexpr std::chrono::hours kSilence{1};

/// So long a program may take between the end of a trial and the next one.
inline constexpr std::chrono::minutes kBetweenTrials{1};

/// A program that has open trials of a study.
struct StudyWorker {
  std::string name;  ///< "process 4711 on tower", or the client's own name.
  ClientPresence presence = ClientPresence::kNotKnown;
  int open_trials = 0;
  Timestamp last_seen{};  ///< When it last asked or reported.
};

/// Who works on a study that clients run.
struct StudyActivity {
  std::vector<StudyWorker> workers;  ///< Most open trials first, then by name.
  /// Open trials of workers that are believed to work; none of a closed study.
  int running = 0;
  Timestamp last_activity{};  ///< Of anybody, trials that have ended included.
};

/// The same in short.
struct StudyWork {
  int running = 0;
  /// Since when nobody has worked on it; unset while somebody does, and of a
  /// study that is closed.
  std::optional<Timestamp> idle_since;

  friend bool operator==(const StudyWork&, const StudyWork&) = default;
};

/// Looks at all trials once. Pure, but for `presence_of`, which is called once
/// for each process; null knows none.
StudyActivity ActivityOf(const StudySnapshot& study, Timestamp now,
                         const PresenceOf& presence_of);

/// Looks at all trials only if none runs.
StudyWork WorkOn(const StudySnapshot& study, Timestamp now,
                 const PresenceOf& presence_of);

/// Whether an open study is at rest: no trial runs, and no program is between
/// two trials. It stays open, so that a program may come back after any time,
/// but nobody is told that it runs.
bool IsIdle(const StudySnapshot& study, const StudyActivity& activity,
            Timestamp now);

/// Whether somebody works on a study that clients run, or has done so just now.
bool IsWorkedOn(const StudyActivity& activity, Timestamp now);

}  // namespace vernier

#endif  // VERNIER_TRIALS_CLIENTS_STUDY_ACTIVITY_H_
