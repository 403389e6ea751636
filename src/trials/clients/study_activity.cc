#include "trials/clients/study_activity.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "trials/results/best_trials.h"

namespace vernier {
namespace {

// Returns the time at which the client of a trial last asked or reported.
Timestamp LastSignOf(const TrialRecord& trial) {
  return std::max({trial.created_at, trial.started_at.value_or(Timestamp{}),
                   trial.ended_at.value_or(Timestamp{}),
                   trial.objective.last_reported_at});
}

// Returns the name of the client's worker for people. The clients of one
// process are one worker.
std::string WorkerName(const std::string& client_id,
                       const std::optional<ClientProcess>& process) {
  if (process.has_value()) {
    return absl::StrCat("process ", process->pid, " on ", process->host);
  }
  return client_id.empty() ? "a client without a name" : client_id;
}

bool Works(const StudyWorker& worker, Timestamp now) {
  if (worker.presence == ClientPresence::kNotKnown) {
    return now - worker.last_seen < kSilence;
  }
  return worker.presence == ClientPresence::kRuns;
}

// The name alone is no key, because processes of two starts of the machine may
// have one name.
using WorkerKey = std::pair<std::string, std::string>;

WorkerKey KeyOf(const std::string& client_id,
                const std::optional<ClientProcess>& process) {
  if (!process.has_value()) return {client_id, ""};
  return {
      absl::StrCat("process ", process->pid, "-", process->start_ticks),
      absl::StrCat(process->host, "/", process->boot, "/", process->pid_space)};
}

// Returns the workers that have open trials. Nobody has taken a trial yet that
// is in the first state.
std::map<WorkerKey, StudyWorker> WorkersOf(const StudySnapshot& study,
                                           const PresenceOf& presence_of) {
  std::map<WorkerKey, StudyWorker> workers;
  for (const TrialId id : study.open) {
    const std::shared_ptr<const TrialRecord> trial = study.trials.Share(id);
    if (trial->state == TrialState::kRequested) continue;
    const auto process = ProcessOfClient(trial->client_id);
    const auto [found, is_new] =
        workers.try_emplace(KeyOf(trial->client_id, process));
    StudyWorker& worker = found->second;
    if (is_new) {
      worker.name = WorkerName(trial->client_id, process);
      if (process.has_value() && presence_of != nullptr) {
        worker.presence = presence_of(*process);
      }
    }
    ++worker.open_trials;
    worker.last_seen = std::max(worker.last_seen, LastSignOf(*trial));
  }
  return workers;
}

// Returns the number of trials that run. Those that the programs of a closed
// study left open do not.
int RunningOf(ClientStudyRef study,
              const std::map<WorkerKey, StudyWorker>& workers, Timestamp now) {
  if (study.run().state != StudyState::kActive) return 0;
  int running = 0;
  for (const auto& [key, worker] : workers) {
    if (Works(worker, now)) running += worker.open_trials;
  }
  return running;
}

}  // namespace

StudyActivity ActivityOf(ClientStudyRef study, Timestamp now,
                         const PresenceOf& presence_of) {
  StudyActivity activity;
  activity.last_activity = study->created_at;
  ForEachTrial(study, [&activity](const TrialBrief& trial) {
    activity.last_activity = std::max({activity.last_activity, trial.created_at,
                                       trial.started_at.value_or(Timestamp{}),
                                       trial.ended_at.value_or(Timestamp{})});
  });
  auto workers = WorkersOf(study, presence_of);
  activity.running = RunningOf(study, workers, now);
  for (auto& [key, worker] : workers) {
    activity.last_activity = std::max(activity.last_activity, worker.last_seen);
    activity.workers.push_back(std::move(worker));
  }
  std::stable_sort(activity.workers.begin(), activity.workers.end(),
                   [](const StudyWorker& a, const StudyWorker& b) {
                     return a.open_trials > b.open_trials;
                   });
  return activity;
}

StudyWork WorkOn(ClientStudyRef study, Timestamp now,
                 const PresenceOf& presence_of) {
  const int running = RunningOf(study, WorkersOf(study, presence_of), now);
  if (running > 0 || study.run().state != StudyState::kActive) {
    return {running, {}};
  }
  const StudyActivity activity = ActivityOf(study, now, presence_of);
  if (!IsIdle(study, activity, now)) return {activity.running, {}};
  return {0, activity.last_activity};
}

bool IsIdle(ClientStudyRef study, const StudyActivity& activity,
            Timestamp now) {
  if (study.run().state != StudyState::kActive || activity.running > 0) {
    return false;
  }
  // A worker that has open trials and does not work is not between two trials.
  return !activity.workers.empty() ||
         now - activity.last_activity >= kBetweenTrials;
}

bool IsWorkedOn(const StudyActivity& activity, Timestamp now) {
  return activity.running > 0 || now - activity.last_activity < kSilence;
}

}  // namespace vernier
