#ifndef VERNIER_TRIALS_CLIENTS_STUDY_ACTIVITY_H_
#define VERNIER_TRIALS_CLIENTS_STUDY_ACTIVITY_H_

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "store/study_kinds.h"
#include "trials/clients/client_process.h"

namespace vernier {

/// Returns whether a client's process runs. Any thread may call it.
using PresenceOf = std::function<ClientPresence(const ClientProcess&)>;

/// A client of which nobody knows whether it runs counts as working until it
/// has not asked or reported for this long.
inline constexpr std::chrono::hours kSilence{1};

/// The time that a program may take between the end of a trial and the next
/// one.
inline constexpr std::chrono::minutes kBetweenTrials{1};

/// A program that has open trials of a study.
struct StudyWorker {
  std::string name;  ///< "process 4711 on tower", or the client's own name.
  ClientPresence presence = ClientPresence::kNotKnown;
  int open_trials = 0;
  Timestamp last_seen{};  ///< The time at which it last asked or reported.
};

/// The work on a study that clients run.
struct StudyActivity {
  std::vector<StudyWorker> workers;  ///< Most open trials first, then by name.
  /// Open trials of workers that are believed to work; none of a closed study.
  int running = 0;
  /// Anybody's, including on trials that have ended.
  Timestamp last_activity{};
};

/// A summary of StudyActivity.
struct StudyWork {
  int running = 0;
  /// The time since which nobody has worked on the study; unset while somebody
  /// does, and for a closed study.
  std::optional<Timestamp> idle_since;

  friend bool operator==(const StudyWork&, const StudyWork&) = default;
};

/// Returns the activity of a study that clients run. Reads all trials once.
/// Pure, but for `presence_of`, which is called once for each process; with
/// null nothing is known of any process.
StudyActivity ActivityOf(ClientStudyRef study, Timestamp now,
                         const PresenceOf& presence_of);

/// Returns the summary of ActivityOf. Reads all trials only if none runs.
StudyWork WorkOn(ClientStudyRef study, Timestamp now,
                 const PresenceOf& presence_of);

/// Returns whether an open study is at rest: no trial runs, and no program is
/// between two trials. It stays open, so that a program may come back at any
/// time, but it is not shown as running.
bool IsIdle(ClientStudyRef study, const StudyActivity& activity, Timestamp now);

/// Returns whether somebody works on a study that clients run, or has done so
/// less than kSilence ago.
bool IsWorkedOn(const StudyActivity& activity, Timestamp now);

}  // namespace vernier

#endif  // VERNIER_TRIALS_CLIENTS_STUDY_ACTIVITY_H_
