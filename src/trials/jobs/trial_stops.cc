#include "trials/jobs/trial_stops.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "trials/jobs/attempt_verdict.h"

namespace vernier {
namespace {

// Returns whether the trial has an attempt that may still be asked to end so
// that the trial itself continues later.
bool MayBeInterrupted(const OpenTrial& trial) {
  return trial.has_live_attempt && !trial.kill_wanted &&
         trial.state == TrialState::kActive;
}

}  // namespace

AttemptKey NewestAttempt(StudyId study, const OpenTrial& trial) {
  return {study, trial.id, trial.attempts};
}

void TrialStops::CancelAll() {
  for (OpenTrial& trial : open_) {
    Stop(TrialEndCause::kCancelled, "cancelled with its job", &trial);
  }
  ForgetEnded();
}

void TrialStops::PreemptAll() {
  for (OpenTrial& trial : open_) {
    if (!MayBeInterrupted(trial)) continue;
    WantEnd(TrialEndCause::kPreempted, "", &trial);
  }
}

void TrialStops::StopForLimit(const EnoughDone& enough) {
  const std::string reason =
      absl::StrCat("It was stopped since ", enough.reason, ".");
  for (OpenTrial& trial : open_) {
    if (trial.has_live_attempt && !enough.stops_running) continue;
    StopEarly(reason, &trial);
  }
  ForgetEnded();
}

void TrialStops::ApplyVerdicts(const EarlyVerdicts& verdicts) {
  for (OpenTrial& trial : open_) {
    const auto stop = verdicts.stops.find(trial.id);
    if (stop != verdicts.stops.end()) {
      if (trial.has_live_attempt || trial.is_paused) {
        StopEarly(stop->second, &trial);
      }
      continue;
    }
    const auto pause = verdicts.pauses.find(trial.id);
    if (pause == verdicts.pauses.end() || !MayBeInterrupted(trial)) continue;
    // The trial stays active, and so may start again.
    WantEnd(TrialEndCause::kStoppedEarly, pause->second, &trial);
  }
  ForgetEnded();
}

void TrialStops::StopPaused() {
  for (OpenTrial& trial : open_) {
    const std::string& paused =
        job_->trials.Get(trial.id).attempts.back().message;
    StopEarly(absl::StrCat(paused, paused.empty() ? "" : " ",
                           "It was not resumed before the job had nothing else "
                           "to do."),
              &trial);
  }
  ForgetEnded();
}

void TrialStops::StopEarly(const std::string& reason, OpenTrial* trial) {
  if (trial->kill_wanted || trial->state == TrialState::kStopping) return;
  Stop(TrialEndCause::kStoppedEarly, reason, trial);
}

// Asks the trial's attempt to end, or ends the trial at once if it has none.
void TrialStops::Stop(TrialEndCause cause, const std::string& reason,
                      OpenTrial* trial) {
  if (trial->state == TrialState::kRequested ||
      trial->state == TrialState::kActive) {
    Move(TrialEvent::kRequestStop, cause, reason, trial);
  }
  if (trial->state != TrialState::kStopping) return;
  if (!trial->has_live_attempt) {
    Move(TrialEvent::kConfirmStop, cause, reason, trial);
  } else if (!trial->kill_wanted) {
    WantEnd(cause, "", trial);
  }
}

void TrialStops::Move(TrialEvent event, TrialEndCause cause,
                      const std::string& reason, OpenTrial* trial) {
  const std::optional<TrialState> next = Next(trial->state, event);
  if (!next.has_value()) return;
  const bool is_early = cause == TrialEndCause::kStoppedEarly;
  MoveTrial change{job_->id, trial->id, event, cause, "", std::nullopt};
  // While a cancelled trial comes to its end, its job shows the reason.
  if (is_early || IsTerminal(*next)) change.message = reason;
  if (IsTerminal(*next)) {
    SelectFinal(job_, job_->trials.Get(trial->id), &change);
  }
  if (is_early && IsTerminal(*next)) {
    ended_.has_value |= change.final_measurement.has_value();
    ended_.has_success = true;
  }
  plan_.changes.push_back(change);
  trial->state = *next;
}

void TrialStops::WantEnd(TrialEndCause cause, const std::string& reason,
                         OpenTrial* trial) {
  plan_.changes.push_back(
      WantKill{NewestAttempt(job_->id, *trial), cause, reason});
  trial->kill_wanted = true;
}

void TrialStops::ForgetEnded() {
  std::erase_if(open_,
                [](const OpenTrial& trial) { return IsTerminal(trial.state); });
}

}  // namespace vernier
