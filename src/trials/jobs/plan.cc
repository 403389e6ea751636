#include "trials/jobs/plan.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "store/study_kinds.h"
#include "study/words/duration_text.h"
#include "trials/jobs/attempt_room.h"
#include "trials/jobs/attempt_verdict.h"
#include "trials/jobs/failure_policy.h"
#include "trials/jobs/job_outcome.h"
#include "trials/jobs/trial_stops.h"
#include "trials/stopping/leading_trial.h"
#include "trials/stopping/study_curves.h"

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;

// Joins the message about an attempt's end with the reason for its start, which
// is inserted after the first line. A paused attempt has one text for both
// already.
std::string WithStart(const std::string& end, const std::string& start) {
  if (start.empty() || end == start) return end;
  if (end.empty()) return start;
  const std::size_t line = std::min(end.find('\n'), end.size());
  return absl::StrCat(end.substr(0, line), " ", start, end.substr(line));
}

/// Makes one job's plan step by step: it takes in the observations of all open
/// trials, then applies the limits, then stops trials, then starts those for
/// which there is room. Nothing is stored in between, so each step sees what
/// the earlier ones decided in the members (open_, state_, wanted_, tally_),
/// which are as they will be once the plan is stored. Lives for one MakePlan
/// call.
class Planner {
 public:
  Planner(const PlanInput& input, const PlanOptions& options, GpuPool* gpus)
      : input_(input),
        options_(options),
        gpus_(*gpus),
        job_(input.job),
        need_(GpuNeedOf(*job_.run().spec)),
        state_(job_.run().state),
        wanted_(job_.run().wanted),
        tally_(TallyOf(input.job)),
        created_(static_cast<int>(input.job->trials.size())),
        early_(input.early.value_or(EarlyVerdicts{})),
        may_pause_(job_->spec->can_resume &&
                   job_->spec->stopping_rule != StoppingRule::kNone),
        stops_(input.job, &open_, &plan_, &ended_now_) {}

  StudyPlan Make() {
    if (IsTerminal(state_)) return {};
    for (TrialId id : job_->open) TakeObservation(id);
    ApplyLimits();
    ApplyStudyLimits();
    if (wanted_ == JobWanted::kStop || wanted_ == JobWanted::kFail) {
      StopEverything();
    } else {
      LetTheLeaderFinish();
      stops_.ApplyVerdicts(early_);
      if (input_.is_draining) {
        stops_.PreemptAll();
      } else if (wanted_ == JobWanted::kRun && !input_.yields) {
        StartWhatFits();
        EndPaused();
      }
    }
    Finish();
    if (tally_.failed_in_a_row != job_.run().consecutive_failures ||
        tally_.instant_failures_in_a_row !=
            job_.run().consecutive_instant_failures) {
      plan_.changes.push_back(CountFailures{job_->id, tally_.failed_in_a_row,
                                            tally_.instant_failures_in_a_row});
    }
    return std::move(plan_);
  }

 private:
  void TakeObservation(TrialId id) {
    const TrialRecord& record = job_->trials.Get(id);
    OpenTrial trial;
    trial.id = id;
    trial.state = record.state;
    trial.attempts = static_cast<int>(record.attempts.size());
    trial.is_backing_off = input_.backing_off.count(id) > 0;
    trial.is_paused = may_pause_ && IsPaused(record);
    if (!record.attempts.empty() && !IsTerminal(record.attempts.back().state)) {
      trial.has_live_attempt = true;
      trial.kill_wanted = record.attempts.back().kill_wanted;
      const auto seen =
          input_.observations.find(NewestAttempt(job_->id, trial));
      if (seen != input_.observations.end()) {
        Observe(record, seen->second, &trial);
      }
    }
    if (!IsTerminal(trial.state)) open_.push_back(trial);
  }

  void Observe(const TrialRecord& record, const AttemptObservation& seen,
               OpenTrial* trial) {
    const AttemptState now = record.attempts.back().state;
    switch (seen.kind) {
      case Kind::kStarting:
        if (now == AttemptState::kIntended) {
          plan_.changes.push_back(
              ObserveAttempt{seen.attempt, AttemptEvent::kLaunch});
        }
        return;
      case Kind::kRunning:
        if (now != AttemptState::kRunning) {
          plan_.changes.push_back(
              ObserveAttempt{seen.attempt, AttemptEvent::kRun});
          NoteRunning();
        }
        CheckTrialTime(seen, trial);
        return;
      case Kind::kEnded:
      case Kind::kLost:
      case Kind::kNeverStarted:
        EndAttemptOf(record, seen, trial);
        return;
    }
  }

  void CheckTrialTime(const AttemptObservation& seen, OpenTrial* trial) {
    const auto& limit = job_.run().spec->vernier.trial_time_limit;
    if (!limit.has_value() || seen.lasted <= *limit || trial->kill_wanted) {
      return;
    }
    plan_.changes.push_back(WantKill{seen.attempt, TrialEndCause::kTimeLimit});
    trial->kill_wanted = true;
  }

  void EndAttemptOf(const TrialRecord& record, const AttemptObservation& seen,
                    OpenTrial* trial) {
    const AttemptVerdict verdict = JudgeAttempt(job_, record, seen);
    // A short attempt may end before anyone has seen it run.
    if (seen.kind == Kind::kEnded) NoteRunning();
    plan_.changes.push_back(EndAttempt{
        seen.attempt, verdict.attempt_event, verdict.cause, seen.exit_code,
        seen.signal, WithStart(verdict.message, record.attempts.back().message),
        seen.lasted});
    trial->has_live_attempt = false;
    has_ended_attempt_ = true;
    const std::vector<DeviceId>& devices = record.attempts.back().devices;
    if (input_.withholds_devices) {
      plan_.withheld_devices |= !devices.empty();
    } else {
      for (const DeviceId& device : devices) {
        plan_.withheld_devices |= !gpus_.GiveBack(device);
      }
    }
    if (!verdict.pause.empty() && !pause_.has_value()) pause_ = verdict.pause;
    if (!verdict.trial_event.has_value()) {  // It is tried again.
      trial->is_paused =
          may_pause_ && verdict.cause == TrialEndCause::kStoppedEarly;
      trial->is_backing_off =
          verdict.cause == TrialEndCause::kInfrastructure &&
          (seen.kind == Kind::kEnded || seen.lasted.count() > 0 ||
           record.attempts.back().running_at.has_value());
      plan_.begins_backoff |= trial->is_backing_off;
      return;
    }
    EndTrialOf(record, verdict, trial);
    if (!IsTerminal(trial->state)) return;
    TrialRecord ended = record;
    ended.message = verdict.message;
    ended.end_cause = TrialCause(verdict.cause);
    JudgeJob(ended, seen.lasted);
  }

  void EndTrialOf(const TrialRecord& record, const AttemptVerdict& verdict,
                  OpenTrial* trial) {
    const bool was_asked = trial->state == TrialState::kStopping;
    if (!was_asked && *verdict.trial_event == TrialEvent::kConfirmStop) {
      // Its program stopped by itself, which nobody had asked for.
      plan_.changes.push_back(MoveTrial{job_->id, trial->id,
                                        TrialEvent::kRequestStop, verdict.cause,
                                        verdict.message, std::nullopt});
      trial->state = TrialState::kStopping;
    }
    const std::optional<TrialState> next =
        Next(trial->state, *verdict.trial_event);
    if (!next.has_value()) return;  // Unreachable by JudgeAttempt's contract.
    MoveTrial move{job_->id,
                   trial->id,
                   *verdict.trial_event,
                   TrialCause(verdict.cause),
                   verdict.message,
                   std::nullopt};
    // The reason for the stop matters more than how its processes ended.
    if (was_asked && verdict.cause == TrialEndCause::kStoppedEarly) {
      move.message = record.message;
    }
    if (*next == TrialState::kCompleted || *next == TrialState::kStopped) {
      SelectFinal(job_, record, &move);
    }
    ended_now_.has_value |= move.final_measurement.has_value();
    plan_.changes.push_back(move);
    trial->state = *next;
  }

  // Decides what the end of a trial means for the job.
  void JudgeJob(const TrialRecord& ended, std::chrono::microseconds lasted) {
    CountEnd(ended.end_cause, lasted, options_.instant_failure, &tally_);
    ended_now_.last =
        absl::StrCat("trial ", ToInt(ended.id), ": ", ended.message);
    ended_now_.has_success |= CountsAsSucceeded(ended.end_cause);
    // Without tuning the only trial's failure is the job's, whatever it was.
    const bool is_only =
        !job_.run().spec->training_input.hyperparameters.has_value() &&
        ended.end_cause == TrialEndCause::kInfrastructure;
    if (is_only || CountsAsFailed(ended.end_cause) ||
        CountsAsInfeasible(ended.end_cause)) {
      if (auto why = JobFailure(job_, tally_, ended)) {
        Want(JobWanted::kFail, WantedCause::kFailures, *why);
      }
    }
    if (!pause_.has_value()) {
      pause_ = JobPause(job_, tally_, options_.instant_failure, ended);
    }
  }

  void Want(JobWanted wanted, WantedCause cause, const std::string& reason) {
    // The first reason to stop is kept.
    if (wanted_ == JobWanted::kStop || wanted_ == JobWanted::kFail) return;
    wanted_ = wanted;
    wanted_reason_ = reason;
    plan_.changes.push_back(SetJobWanted{job_->id, wanted, cause, reason});
  }

  void ApplyLimits() {
    const TrainingInput& input = job_.run().spec->training_input;
    const bool has_run = state_ == JobState::kRunning;
    if (has_run && input_.times.ran_for > input.max_running_time) {
      Want(JobWanted::kStop, WantedCause::kSchedule,
           absl::StrCat("it has been running for longer than "
                        "scheduling.maxRunningTime (",
                        DurationText(input.max_running_time), ")"));
    }
    if (!has_run && state_ != JobState::kCancelling &&
        input.max_wait_time.has_value() &&
        input_.times.waited_for > *input.max_wait_time) {
      Want(JobWanted::kStop, WantedCause::kSchedule,
           absl::StrCat("it has waited for longer than "
                        "scheduling.maxWaitTime (",
                        DurationText(*input.max_wait_time), ")"));
    }
    if (const auto why = WhyGpusNeverSuffice(need_, gpus_)) {
      Want(JobWanted::kFail, WantedCause::kFailures, *why);
    }
    // If nothing is left to start, the job ends instead.
    const bool is_done = open_.empty() && !HasMore();
    if (pause_.has_value() && !is_done) {
      Want(JobWanted::kPause, WantedCause::kFailures, *pause_);
    }
  }

  // Applies the study's limits. Once one is reached the job has done enough:
  // nothing starts any more, and it ends by itself when all its trials have
  // ended.
  void ApplyStudyLimits() {
    if (!input_.use.has_value() || wanted_ != JobWanted::kRun) return;
    enough_ = ReachedLimit(*job_->spec, *input_.use, input_.promise);
    if (!enough_.has_value()) return;
    // The reason is said only once until Finish, because its numbers may still
    // change while trials come to their end.
    if (job_.run().wanted_cause != WantedCause::kEnough) {
      SayEnough(enough_->reason);
    }
    stops_.StopForLimit(*enough_);
  }

  void SayEnough(const std::string& reason) {
    if (job_.run().wanted_reason == reason) return;
    plan_.changes.push_back(
        SetJobWanted{job_->id, JobWanted::kRun, WantedCause::kEnough, reason});
  }

  bool HasMore() const {
    return created_ < job_.run().max_trials && HasNextPoint();
  }

  // Drops the pause of the best trial so far if nothing else is left to run,
  // because it would free its place for nobody.
  void LetTheLeaderFinish() {
    if (early_.pauses.empty() || HasMore() || !early_.resumes.empty()) return;
    const auto is_busy = [](const OpenTrial& trial) {
      return !trial.is_paused;
    };
    if (std::count_if(open_.begin(), open_.end(), is_busy) != 1) return;
    const auto last = std::find_if(open_.begin(), open_.end(), is_busy);
    if (LeadingTrial(job_) == last->id) early_.pauses.erase(last->id);
  }

  // When only paused trials are left, resumes the best trial of the study if it
  // is one of them, so that it comes to its end. Otherwise stops them, because
  // they will never continue.
  void EndPaused() {
    const bool is_any_busy =
        std::any_of(open_.begin(), open_.end(),
                    [](const OpenTrial& trial) { return !trial.is_paused; });
    if (open_.empty() || is_any_busy || HasMore() ||
        !plan_.new_trials.empty() || !early_.resumes.empty() ||
        !input_.early.has_value()) {
      return;
    }
    // The stopping rule has not seen yet how the last attempts ended.
    if (has_ended_attempt_) {
      plan_.plans_again = true;
      return;
    }
    const std::optional<TrialId> best = LeadingTrial(job_);
    const auto leader =
        std::find_if(open_.begin(), open_.end(),
                     [&](const OpenTrial& trial) { return trial.id == best; });
    if (leader == open_.end()) return stops_.StopPaused();
    if (!Launch("It goes on since it is the best so far, and nothing else is "
                "left to do.",
                &*leader)) {
      NoteLack(1);
    }
  }

  void StopEverything() {
    if (wanted_ == JobWanted::kStop && state_ != JobState::kCancelling) {
      plan_.changes.push_back(MoveJob{job_->id, JobEvent::kRequestCancel, ""});
      state_ = JobState::kCancelling;
    }
    stops_.CancelAll();
  }

  /// Returns the number of trials that run, or that will run again after a
  /// backoff.
  int TakenSlots() const {
    return static_cast<int>(
        std::count_if(open_.begin(), open_.end(), [](const OpenTrial& trial) {
          return trial.has_live_attempt || trial.is_backing_off;
        }));
  }

  /// Returns the number of open trials that wait for their first or next
  /// attempt.
  int WaitingTrials() const {
    return static_cast<int>(
        std::count_if(open_.begin(), open_.end(), [](const OpenTrial& trial) {
          return !trial.has_live_attempt && !trial.is_backing_off &&
                 !trial.is_paused;
        }));
  }

  void StartWhatFits() {
    const auto& tuning = job_.run().spec->training_input.hyperparameters;
    int slots =
        (tuning.has_value() ? tuning->max_parallel_trials : 1) - TakenSlots();
    if (StartOpenTrials(&slots)) StartNewTrials(slots);
  }

  // Returns false if there is no room, or no slot, for more.
  bool StartOpenTrials(int* slots) {
    for (OpenTrial& trial : open_) {
      if (*slots <= 0) return false;
      if (trial.has_live_attempt || trial.is_backing_off ||
          trial.state == TrialState::kStopping) {
        continue;
      }
      const auto resume = early_.resumes.find(trial.id);
      if (trial.is_paused && resume == early_.resumes.end()) continue;
      if (!Launch(trial.is_paused ? resume->second : "", &trial)) {
        NoteLack(*slots);
        return false;
      }
      --*slots;
    }
    return true;
  }

  // Returns false if there is no room.
  bool Launch(const std::string& reason, OpenTrial* trial) {
    auto devices = TakeRoom(need_, FailedDevices(job_->trials.Get(trial->id)),
                            input_, &gpus_, &plan_);
    if (!devices.has_value()) return false;
    ++trial->attempts;
    trial->has_live_attempt = true;
    trial->is_paused = false;
    plan_.launches.push_back(
        {NewestAttempt(job_->id, *trial), *std::move(devices), reason});
    return true;
  }

  void StartNewTrials(int slots) {
    if (enough_.has_value()) return;
    // A paused trial may be worth more than a new one, or the study may have
    // done enough. Both are known only in the next plan, once the latest ends
    // are stored.
    const bool has_paused =
        std::any_of(open_.begin(), open_.end(),
                    [](const OpenTrial& trial) { return trial.is_paused; });
    if (has_ended_attempt_ && (has_paused || input_.use.has_value())) {
      plan_.plans_again = true;
      return;
    }
    for (; slots > 0 && created_ < job_.run().max_trials; --slots) {
      // Points given by users are left even if no untried point is, because
      // they may repeat an earlier one.
      if (!HasNextPoint()) return;
      auto devices = TakeRoom(need_, {}, input_, &gpus_, &plan_);
      if (!devices.has_value()) return NoteLack(slots);
      plan_.new_trials.push_back(*std::move(devices));
      ++created_;
    }
  }

  // Completes what TakeRoom noted when it refused an attempt: the number of
  // attempts that the job would start.
  void NoteLack(int slots) {
    plan_.lack.attempts =
        std::min(slots, WaitingTrials() + job_.run().max_trials - created_);
  }

  bool HasNextPoint() const {
    return !input_.space_exhausted ||
           plan_.new_trials.size() < job_->queued.size();
  }

  void NoteRunning() {
    if (state_ != JobState::kQueued && state_ != JobState::kPreparing) return;
    plan_.changes.push_back(MoveJob{job_->id, JobEvent::kRun, ""});
    state_ = JobState::kRunning;
  }

  void Finish() {
    if (state_ == JobState::kQueued &&
        (!plan_.launches.empty() || !plan_.new_trials.empty())) {
      plan_.changes.push_back(MoveJob{job_->id, JobEvent::kPrepare, ""});
      state_ = JobState::kPreparing;
    }
    if (!open_.empty() || !plan_.new_trials.empty()) return;
    if (enough_.has_value()) {
      SayEnough(enough_->reason);
      return EndByItself();
    }
    const std::string& reason =
        wanted_reason_.empty() ? job_.run().wanted_reason : wanted_reason_;
    if (wanted_ == JobWanted::kFail) {
      plan_.changes.push_back(MoveJob{job_->id, JobEvent::kFail, reason});
    } else if (wanted_ == JobWanted::kStop) {
      plan_.changes.push_back(
          MoveJob{job_->id, JobEvent::kConfirmCancel, reason});
    } else if (!HasMore()) {
      if (created_ < job_.run().max_trials && wanted_ == JobWanted::kRun) {
        SayEnough("every point of the search space has been tried");
      }
      EndByItself();
    }
  }

  void EndByItself() {
    const auto failure = FailureAtTheEnd(job_, ended_now_);
    plan_.changes.push_back(MoveJob{
        job_->id, failure.has_value() ? JobEvent::kFail : JobEvent::kSucceed,
        failure.value_or("")});
  }

  const PlanInput& input_;
  const PlanOptions& options_;
  GpuPool& gpus_;
  const JobRef job_;
  const GpuNeed need_;
  StudyPlan plan_;
  std::vector<OpenTrial> open_;
  JobState state_;
  JobWanted wanted_;
  std::string wanted_reason_;
  TrialTally tally_;
  int created_ = 0;
  EarlyVerdicts early_;
  const bool may_pause_;              // By the stopping rule.
  std::optional<std::string> pause_;  // Why the job should pause.
  std::optional<EnoughDone> enough_;
  bool has_ended_attempt_ = false;
  EndedNow ended_now_;
  TrialStops stops_;
};

}  // namespace

StudyPlan MakePlan(const PlanInput& input, const PlanOptions& options,
                   GpuPool* gpus) {
  return Planner(input, options, gpus).Make();
}

}  // namespace vernier
