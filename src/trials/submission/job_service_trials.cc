// JobService's calls about single trials.

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "trials/jobs/attempt_verdict.h"
#include "trials/submission/job_service.h"
#include "trials/submission/job_state_error.h"

namespace vernier {
namespace {

/// The changes that end a trial. An attempt that is alive ends first; then the
/// orchestrator confirms the stop.
std::vector<Change> ChangesToStop(const StudySnapshot& study,
                                  const TrialRecord& trial) {
  std::vector<Change> changes;
  const auto move = [&](TrialEvent event) {
    MoveTrial change{study.id,
                     trial.id,
                     event,
                     TrialEndCause::kStoppedByUser,
                     kStoppedByUserReason,
                     std::nullopt};
    const TrialState from =
        event == TrialEvent::kConfirmStop ? TrialState::kStopping : trial.state;
    if (IsTerminal(Next(from, event).value_or(trial.state))) {
      change.final_measurement = SelectFinal(study, trial);
    }
    changes.push_back(std::move(change));
  };
  move(TrialEvent::kRequestStop);
  if (trial.state == TrialState::kRequested) return changes;
  const bool is_alive =
      !trial.attempts.empty() && !IsTerminal(trial.attempts.back().state);
  if (is_alive) {
    changes.push_back(
        WantKill{{study.id, trial.id, trial.attempts.back().number},
                 TrialEndCause::kStoppedByUser});
  } else {
    move(TrialEvent::kConfirmStop);
  }
  return changes;
}

}  // namespace

JobService::Answer JobService::StopTrial(const std::string& job_id,
                                         TrialId id) {
  // An attempt may end, or begin, between the look and the commit.
  constexpr int kTries = 5;
  Answer stopped;
  for (int i = 0; i < kTries; ++i) {
    VERNIER_ASSIGN_OR_RETURN(const auto study, GetJob(job_id));
    if (ToInt(id) < 1 || ToInt(id) > std::ssize(study->trials)) {
      return absl::NotFoundError(absl::StrCat("job ", job_id, " has no trial ",
                                              ToInt(id), "; it has ",
                                              study->trials.size()));
    }
    const TrialRecord& trial = study->trials.Get(id);
    if (trial.state == TrialState::kStopping) return study;
    if (IsTerminal(trial.state)) {
      return absl::FailedPreconditionError(
          absl::StrCat("trial ", ToInt(id), " of job ", job_id,
                       " has ended: ", std::string(ToString(trial.state))));
    }
    stopped = CommitAndGet(ChangesToStop(*study, trial), study->id);
    if (!absl::IsFailedPrecondition(stopped.status())) break;
  }
  return stopped;
}

}  // namespace vernier
