#include "trials/jobs/plan.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "trials/budgets/visible_devices.h"
#include "trials/jobs/attempt_verdict.h"
#include "trials/jobs/failure_policy.h"
#include "trials/jobs/job_outcome.h"

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;

/// An open trial as it will be once the changes planned so far are stored.
struct OpenTrial {
  TrialId id{};
  TrialState state = TrialState::kRequested;
  bool has_live_attempt = false;
  bool kill_wanted = false;
  bool is_backing_off = false;
  int attempts = 0;
};

/// Makes one job's plan step by step; each step sees what the earlier ones
/// decided. Lives for one MakePlan call.
class Planner {
 public:
  Planner(const PlanInput& input, const PlanOptions& options,
          DevicePool* devices)
      : input_(input),
        options_(options),
        devices_(*devices),
        job_(input.study),
        state_(job_.run->state),
        wanted_(job_.run->wanted),
        tally_(TallyOf(input.study)),
        created_(static_cast<int>(input.study.trials.size())) {}

  StudyPlan Make() {
    if (IsTerminal(state_)) return {};
    for (TrialId id : input_.study.open) TakeObservation(id);
    ApplyLimits();
    if (wanted_ == JobWanted::kStop || wanted_ == JobWanted::kFail) {
      StopEverything();
    } else {
      StopEarly();
      if (input_.is_draining) {
        PreemptEverything();
      } else if (wanted_ == JobWanted::kRun && !input_.yields) {
        StartWhatFits();
      }
    }
    Finish();
    if (tally_.failed_in_a_row != job_.run->consecutive_failures ||
        tally_.instant_failures_in_a_row !=
            job_.run->consecutive_instant_failures) {
      plan_.changes.push_back(CountFailures{job_.id, tally_.failed_in_a_row,
                                            tally_.instant_failures_in_a_row});
    }
    return std::move(plan_);
  }

 private:
  AttemptKey KeyOf(const OpenTrial& trial) const {
    return {job_.id, trial.id, trial.attempts};
  }

  void TakeObservation(TrialId id) {
    const TrialRecord& record = input_.study.trials.Get(id);
    OpenTrial trial;
    trial.id = id;
    trial.state = record.state;
    trial.attempts = static_cast<int>(record.attempts.size());
    trial.is_backing_off = input_.backing_off.count(id) > 0;
    if (!record.attempts.empty() && !IsTerminal(record.attempts.back().state)) {
      trial.has_live_attempt = true;
      trial.kill_wanted = record.attempts.back().kill_wanted;
      const auto seen = input_.observations.find(KeyOf(trial));
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
    const auto& limit = job_.run->spec->vernier.trial_time_limit;
    if (!limit.has_value() || seen.lasted <= *limit || trial->kill_wanted) {
      return;
    }
    plan_.changes.push_back(WantKill{seen.attempt, TrialEndCause::kTimeLimit});
    trial->kill_wanted = true;
  }

  void EndAttemptOf(const TrialRecord& record, const AttemptObservation& seen,
                    OpenTrial* trial) {
    const AttemptVerdict verdict = JudgeAttempt(job_, record, seen);
    if (seen.kind == Kind::kEnded) NoteRunning();
    plan_.changes.push_back(
        EndAttempt{seen.attempt, verdict.attempt_event, verdict.cause,
                   seen.exit_code, seen.signal, verdict.message, seen.lasted});
    trial->has_live_attempt = false;
    const std::vector<DeviceId>& devices = record.attempts.back().devices;
    if (input_.withholds_devices) {
      plan_.withheld_devices |= !devices.empty();
    } else {
      devices_.free.insert(devices_.free.end(), devices.begin(), devices.end());
    }
    if (!verdict.pause.empty() && !pause_.has_value()) pause_ = verdict.pause;
    if (!verdict.trial_event.has_value()) {  // It is tried again.
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
    const std::optional<TrialState> next =
        Next(trial->state, *verdict.trial_event);
    if (!next.has_value()) return;  // Unreachable by JudgeAttempt's contract.
    MoveTrial move{job_.id,
                   trial->id,
                   *verdict.trial_event,
                   TrialCause(verdict.cause),
                   verdict.message,
                   std::nullopt};
    // The reason for the stop matters more than how its processes ended.
    if (verdict.cause == TrialEndCause::kStoppedEarly) {
      move.message = record.message;
    }
    if (*next == TrialState::kCompleted || *next == TrialState::kStopped) {
      move.final_measurement = SelectFinal(job_, record);
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
        !job_.run->spec->training_input.hyperparameters.has_value() &&
        ended.end_cause == TrialEndCause::kInfrastructure;
    if (is_only || CountsAsFailed(ended.end_cause) ||
        CountsAsInfeasible(ended.end_cause)) {
      if (auto why = JobFailure(job_, tally_, ended)) {
        Want(JobWanted::kFail, *why);
      }
    }
    if (!pause_.has_value()) {
      pause_ = JobPause(input_.study, tally_, options_.instant_failure, ended);
    }
  }

  void Want(JobWanted wanted, const std::string& reason) {
    // The first reason to stop is kept.
    if (wanted_ == JobWanted::kStop || wanted_ == JobWanted::kFail) return;
    wanted_ = wanted;
    wanted_reason_ = reason;
    plan_.changes.push_back(SetJobWanted{job_.id, wanted, reason});
  }

  void ApplyLimits() {
    const TrainingInput& input = job_.run->spec->training_input;
    const bool has_run = state_ == JobState::kRunning;
    if (has_run && input_.times.ran_for > input.max_running_time) {
      Want(JobWanted::kStop,
           absl::StrCat("it has been running for longer than "
                        "scheduling.maxRunningTime (",
                        input.max_running_time.count(), "s)"));
    }
    if (!has_run && state_ != JobState::kCancelling &&
        input.max_wait_time.has_value() &&
        input_.times.waited_for > *input.max_wait_time) {
      Want(JobWanted::kStop, absl::StrCat("it has waited for longer than "
                                          "scheduling.maxWaitTime (",
                                          input.max_wait_time->count(), "s)"));
    }
    const int needed = DevicesPerAttempt(*job_.run->spec);
    if (needed > devices_.total) {
      Want(JobWanted::kFail,
           absl::StrCat("each trial needs ", needed, " GPUs, and there ",
                        devices_.total == 1 ? "is " : "are ", devices_.total,
                        "; to run without, set vernier.gpusPerReplica to 0"));
    }
    WantEnoughVisibleDevices(needed);
    // If nothing is left to start, the job ends instead.
    const bool is_done =
        open_.empty() && (created_ >= job_.run->max_trials || !HasNextPoint());
    if (pause_.has_value() && !is_done) Want(JobWanted::kPause, *pause_);
  }

  void PreemptEverything() {
    for (OpenTrial& trial : open_) {
      if (!trial.has_live_attempt || trial.kill_wanted ||
          trial.state != TrialState::kActive) {
        continue;
      }
      plan_.changes.push_back(
          WantKill{KeyOf(trial), TrialEndCause::kPreempted});
      trial.kill_wanted = true;
    }
  }

  // The intent and its reason are stored before anything is killed. An attempt
  // that ends in this same plan keeps its own end.
  void StopEarly() {
    for (OpenTrial& trial : open_) {
      const auto stop = input_.early_stops.find(trial.id);
      if (stop == input_.early_stops.end() || !trial.has_live_attempt ||
          trial.kill_wanted || trial.state != TrialState::kActive) {
        continue;
      }
      plan_.changes.push_back(
          MoveTrial{job_.id, trial.id, TrialEvent::kRequestStop,
                    TrialEndCause::kStoppedEarly, stop->second, std::nullopt});
      plan_.changes.push_back(
          WantKill{KeyOf(trial), TrialEndCause::kStoppedEarly});
      trial.state = TrialState::kStopping;
      trial.kill_wanted = true;
    }
  }

  void StopEverything() {
    if (wanted_ == JobWanted::kStop && state_ != JobState::kCancelling) {
      plan_.changes.push_back(MoveJob{job_.id, JobEvent::kRequestCancel, ""});
      state_ = JobState::kCancelling;
    }
    for (OpenTrial& trial : open_) StopTrial(&trial);
    std::erase_if(
        open_, [](const OpenTrial& trial) { return IsTerminal(trial.state); });
  }

  void StopTrial(OpenTrial* trial) {
    const auto move = [&](TrialEvent event) {
      const std::optional<TrialState> next = Next(trial->state, event);
      if (!next.has_value()) return;
      MoveTrial change{job_.id,
                       trial->id,
                       event,
                       TrialEndCause::kCancelled,
                       IsTerminal(*next) ? "cancelled with its job" : "",
                       std::nullopt};
      if (IsTerminal(*next)) {
        change.final_measurement =
            SelectFinal(job_, input_.study.trials.Get(trial->id));
      }
      plan_.changes.push_back(change);
      trial->state = *next;
    };
    if (trial->state == TrialState::kRequested ||
        trial->state == TrialState::kActive) {
      move(TrialEvent::kRequestStop);
    }
    if (trial->state != TrialState::kStopping) return;
    if (!trial->has_live_attempt) {
      move(TrialEvent::kConfirmStop);
    } else if (!trial->kill_wanted) {
      plan_.changes.push_back(
          WantKill{KeyOf(*trial), TrialEndCause::kCancelled});
      trial->kill_wanted = true;
    }
  }

  /// Trials that run, or will run again in a moment.
  int TakenSlots() const {
    return static_cast<int>(
        std::count_if(open_.begin(), open_.end(), [](const OpenTrial& trial) {
          return trial.has_live_attempt || trial.is_backing_off;
        }));
  }

  /// The devices on which attempts of the trial failed by the machine's fault.
  std::set<DeviceId> FailedDevices(TrialId id) const {
    std::set<DeviceId> failed;
    for (const AttemptRecord& attempt : input_.study.trials.Get(id).attempts) {
      if (attempt.end_cause != TrialEndCause::kInfrastructure) continue;
      failed.insert(attempt.devices.begin(), attempt.devices.end());
    }
    return failed;
  }

  /// For one attempt, others than `avoided` if there are enough; none if
  /// devices, its project's quota or the machine's room for replicas are used
  /// up.
  std::optional<std::vector<DeviceId>> TakeDevices(
      const std::set<DeviceId>& avoided) {
    const int gpus = DevicesPerAttempt(*job_.run->spec);
    const auto needed = static_cast<std::size_t>(gpus);
    // Most jobs need no devices, and this is called for each trial.
    std::vector<DeviceId> usable =
        needed == 0 ? std::vector<DeviceId>() : UsableDevices();
    // Comes first: for a job that its quota holds back, others must not end.
    if (input_.room != nullptr && !input_.room->Take(gpus)) {
      plan_.room_wait = input_.room->WaitFor(gpus);
      return std::nullopt;
    }
    if (usable.size() < needed) {
      plan_.lack.gpus = static_cast<int>(needed - usable.size());
      if (input_.room != nullptr) input_.room->GiveBack(gpus);
      return std::nullopt;
    }
    std::stable_partition(
        usable.begin(), usable.end(),
        [&](const DeviceId& device) { return avoided.count(device) == 0; });
    const int replicas = ReplicasPerAttempt(*job_.run->spec);
    if (input_.replica_budget != nullptr &&
        !input_.replica_budget->Take(replicas)) {
      plan_.room_wait = input_.replica_budget->WaitFor(replicas);
      plan_.lack.replicas = input_.replica_budget->Lack(replicas);
      if (input_.room != nullptr) input_.room->GiveBack(gpus);
      return std::nullopt;
    }
    const std::vector<DeviceId> taken(
        usable.begin(), usable.begin() + static_cast<std::ptrdiff_t>(needed));
    std::erase_if(devices_.free, [&](const DeviceId& device) {
      return std::find(taken.begin(), taken.end(), device) != taken.end();
    });
    return taken;
  }

  /// The free devices that the job may lease, in the machine's order.
  std::vector<DeviceId> UsableDevices() const {
    const auto text = VisibleDevicesText(*job_.run->spec);
    if (!text.has_value()) return devices_.free;
    std::vector<DeviceId> usable;
    for (const DeviceId& device : VisibleDevices(*text, devices_.all)) {
      const auto& free = devices_.free;
      if (std::find(free.begin(), free.end(), device) != free.end()) {
        usable.push_back(device);
      }
    }
    return usable;
  }

  void WantEnoughVisibleDevices(int needed) {
    const auto text = VisibleDevicesText(*job_.run->spec);
    if (needed == 0 || needed > devices_.total || !text.has_value()) return;
    const std::size_t visible = VisibleDevices(*text, devices_.all).size();
    if (static_cast<std::size_t>(needed) <= visible) return;
    Want(JobWanted::kFail,
         absl::StrCat("each trial needs ", needed,
                      needed == 1 ? " GPU" : " GPUs",
                      ", and CUDA_VISIBLE_DEVICES=", *text,
                      " of the job's environment lets it use ", visible));
  }

  void StartWhatFits() {
    const auto& tuning = job_.run->spec->training_input.hyperparameters;
    int slots =
        (tuning.has_value() ? tuning->max_parallel_trials : 1) - TakenSlots();
    int waiting = static_cast<int>(
        std::count_if(open_.begin(), open_.end(), [](const OpenTrial& trial) {
          return !trial.has_live_attempt && !trial.is_backing_off;
        }));
    const auto lacks_room = [&] {
      plan_.lack.attempts =
          std::min(slots, waiting + job_.run->max_trials - created_);
    };
    for (OpenTrial& trial : open_) {
      if (slots <= 0) return;
      if (trial.has_live_attempt || trial.is_backing_off ||
          trial.state == TrialState::kStopping) {
        continue;
      }
      auto devices = TakeDevices(FailedDevices(trial.id));
      if (!devices.has_value()) return lacks_room();
      --waiting;
      ++trial.attempts;
      trial.has_live_attempt = true;
      plan_.launches.push_back({KeyOf(trial), *std::move(devices)});
      --slots;
    }
    for (; slots > 0 && created_ < job_.run->max_trials; --slots) {
      // A point given by the user may repeat an earlier one.
      if (!HasNextPoint()) return;
      auto devices = TakeDevices({});
      if (!devices.has_value()) return lacks_room();
      plan_.new_trials.push_back(*std::move(devices));
      ++created_;
    }
  }

  bool HasNextPoint() const {
    return !input_.space_exhausted ||
           plan_.new_trials.size() < input_.study.queued.size();
  }

  void NoteRunning() {
    if (state_ != JobState::kQueued && state_ != JobState::kPreparing) return;
    plan_.changes.push_back(MoveJob{job_.id, JobEvent::kRun, ""});
    state_ = JobState::kRunning;
  }

  void Finish() {
    if (state_ == JobState::kQueued &&
        (!plan_.launches.empty() || !plan_.new_trials.empty())) {
      plan_.changes.push_back(MoveJob{job_.id, JobEvent::kPrepare, ""});
      state_ = JobState::kPreparing;
    }
    if (!open_.empty() || !plan_.new_trials.empty()) return;
    const std::string& reason =
        wanted_reason_.empty() ? job_.run->wanted_reason : wanted_reason_;
    if (wanted_ == JobWanted::kFail) {
      plan_.changes.push_back(MoveJob{job_.id, JobEvent::kFail, reason});
    } else if (wanted_ == JobWanted::kStop) {
      plan_.changes.push_back(
          MoveJob{job_.id, JobEvent::kConfirmCancel, reason});
    } else if (created_ >= job_.run->max_trials || !HasNextPoint()) {
      EndByItself();
    }
  }

  void EndByItself() {
    const auto failure = FailureAtTheEnd(input_.study, ended_now_);
    plan_.changes.push_back(MoveJob{
        job_.id, failure.has_value() ? JobEvent::kFail : JobEvent::kSucceed,
        failure.value_or("")});
  }

  const PlanInput& input_;
  const PlanOptions& options_;
  DevicePool& devices_;
  const StudyRecord& job_;
  StudyPlan plan_;
  std::vector<OpenTrial> open_;
  JobState state_;
  JobWanted wanted_;
  std::string wanted_reason_;
  TrialTally tally_;
  int created_ = 0;
  std::optional<std::string> pause_;  // Why the job should.
  EndedNow ended_now_;
};

}  // namespace

StudyPlan MakePlan(const PlanInput& input, const PlanOptions& options,
                   DevicePool* devices) {
  return Planner(input, options, devices).Make();
}

int DevicesPerAttempt(const JobSpec& spec) {
  if (!RunsOnThisMachine(spec)) return 0;
  const TrainingInput& input = spec.training_input;
  int total = 0;
  for (const RoleSpec* role : {&input.master, &input.worker,
                               &input.parameter_server, &input.evaluator}) {
    total += role->count * GpusPerReplica(spec, *role);
  }
  return total;
}

int ReplicasPerAttempt(const JobSpec& spec) {
  if (!RunsOnThisMachine(spec)) return 0;
  const TrainingInput& input = spec.training_input;
  return input.master.count + input.worker.count +
         input.parameter_server.count + input.evaluator.count;
}

}  // namespace vernier
