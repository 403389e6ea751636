#include "trials/jobs/orchestrator.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "store/present_space.h"
#include "store/study_names.h"
#include "study/stopping/stopping_rule_name.h"
#include "trials/jobs/attempt_room.h"
#include "trials/jobs/job_versions.h"
#include "trials/jobs/live_attempts.h"
#include "trials/jobs/preemption.h"
#include "trials/jobs/retry_backoff.h"
#include "trials/user_attributes.h"

namespace vernier {
namespace {

// A Step has three parts, each with a new snapshot of the store, because it
// needs what the part before it has stored. First the live attempts are
// observed, and the reports of their programs are stored. Then the jobs are
// planned one after another in the order of Queue, each with what the jobs
// before it have left of the GPUs, quotas and replicas (Supply). At the end,
// attempts whose end is stored are forgotten, postponed launches are retried
// and unwanted attempts are killed. What is to be launched or killed is always
// stored before it is done, so a service that dies at any point continues from
// the store.

using Kind = AttemptObservation::Kind;

// Returns whether a commit failed because a user's call came between the
// snapshot and the commit, so that it should be tried again.
bool IsRace(const absl::Status& status) {
  return absl::IsFailedPrecondition(status) || absl::IsAborted(status) ||
         absl::IsNotFound(status);
}

LiveAttempt LiveOf(JobRef job, const TrialRecord& trial,
                   const AttemptRecord& attempt) {
  const AttemptKey key = KeyOf(job, trial, attempt);
  return {key,
          attempt.nonce,
          AttemptDir(job, key),
          attempt.running_at.has_value(),
          attempt.intended_at,
          ProjectOf(job)};
}

// Removes the observation that the attempt has ended, because it has more to
// report.
void DropEnd(const AttemptKey& key,
             std::map<AttemptKey, AttemptObservation>* seen) {
  const auto found = seen->find(key);
  if (found != seen->end() && IsOver(found->second.kind)) seen->erase(found);
}

// Returns which trial of its point this one is, from 1; 0 if the study repeats
// no points.
int RepeatNumberOf(JobRef job, const TrialRecord& trial) {
  if (!IsRepeating(job->spec->repeats)) return 0;
  const std::optional<SuggestionRecord>& record = trial.origin.record;
  return record.has_value() && record->repeat.has_value()
             ? record->repeat->number
             : 1;
}

// Returns the values that an attempt of this version gets. After an edit of the
// search a trial is started again with the parameters that were added; one that
// lies outside of the space keeps its own values.
Parameters ParametersOfLaunch(JobRef job, const Parameters& own, int version) {
  if (version != job.run().code_version) return own;
  return PresentSpace(job).Read(own).value_or(own);
}

// Returns the request for the version of the job that the attempt was intended
// to run; the job may have been revised since.
LaunchRequest RequestFor(const IntendLaunch& intent, JobRef job) {
  const TrialRecord& trial = job->trials.Get(intent.attempt.trial);
  LaunchRequest request;
  request.attempt = intent.attempt;
  request.nonce = intent.nonce;
  request.code_version =
      trial.attempts[static_cast<std::size_t>(intent.attempt.number) - 1]
          .code_version;
  const JobVersion version = VersionOf(job, request.code_version);
  request.spec = version.spec;
  request.spec_json = version.spec_json;
  request.code_dir = version.code_dir;
  request.parameters =
      ParametersOfLaunch(job, trial.parameters, request.code_version);
  request.project = ProjectOf(job);
  request.restart_count = static_cast<int>(std::count_if(
      trial.attempts.begin(),
      trial.attempts.begin() + intent.attempt.number - 1, HasRun));
  request.repeat = RepeatNumberOf(job, trial);
  request.run_dir = AttemptDir(job, intent.attempt);
  request.devices = intent.devices;
  return request;
}

}  // namespace

std::string AttemptDir(JobRef job, const AttemptKey& attempt) {
  return absl::StrCat(job.run().run_dir, "/", ToInt(attempt.trial), "/",
                      attempt.number);
}

Orchestrator::Orchestrator(const Dependencies& dependencies, Options options)
    : dependencies_(dependencies),
      options_(options),
      devices_(dependencies.launcher.Devices()),
      timekeeper_(options.checkpoint_period),
      suggestions_(
          dependencies.engines, dependencies.clock,
          {options.fitters, options.suggestion_deadline},
          [&launcher = dependencies.launcher] { launcher.Wake(); },
          dependencies.log),
      progress_(dependencies.engines.models(), options.fitters,
                dependencies.log) {}

Orchestrator::~Orchestrator() = default;

absl::StatusOr<std::chrono::milliseconds> Orchestrator::Step() {
  retry_soon_ = false;
  step_again_ = false;
  next_retry_.reset();
  auto snapshot = JobsIn(dependencies_.store.Snapshot());
  Observations seen = Observe(*snapshot);
  VERNIER_RETURN_IF_ERROR(StoreMetrics(*snapshot, &seen));

  snapshot = JobsIn(dependencies_.store.Snapshot());
  Supply supply{
      MakeGpuPool(*snapshot),
      Rooms(*snapshot, seen),
      {options_.max_concurrent_replicas, RunningReplicas(*snapshot, seen)},
      {},
      std::nullopt};
  for (const JobRef job : Queue(*snapshot)) {
    VERNIER_RETURN_IF_ERROR(PlanJob(*snapshot, job, seen, &supply));
  }

  snapshot = JobsIn(dependencies_.store.Snapshot());
  ForgetEnded(*snapshot, seen);
  RetryPostponed(*snapshot);
  KillUnwanted(*snapshot);
  timekeeper_.Forget(*snapshot);
  dependencies_.engines.ForgetEnded(*dependencies_.store.Snapshot());
  TellHindrances(std::move(supply.hindrances));
  if (is_draining_) {
    is_drained_ = std::all_of(
        snapshot->begin(), snapshot->end(),
        [](const auto& each) { return each.second->live_attempts == 0; });
  }
  return NextWait(*snapshot);
}

Orchestrator::Observations Orchestrator::Observe(
    const StoreSnapshot& snapshot) {
  std::vector<LiveAttempt> live;
  ForEachLive(snapshot,
              [&](JobRef job, const auto& trial, const auto& attempt) {
                // The launcher does not know a launch that was refused for now;
                // asking about it would revoke it.
                if (postponed_.count(KeyOf(job, trial, attempt)) > 0) return;
                live.push_back(LiveOf(job, trial, attempt));
              });
  Observations seen;
  if (live.empty()) return seen;
  for (AttemptObservation& one : dependencies_.launcher.Observe(live)) {
    const AttemptKey key = one.attempt;
    // Programs and engines print any bytes.
    one.message = ValidUtf8(one.message);
    one.log_tail = ValidUtf8(one.log_tail);
    seen.emplace(key, std::move(one));
  }
  return seen;
}

Orchestrator::Readings Orchestrator::ReadMetrics(const StoreSnapshot& snapshot,
                                                 Observations* seen) {
  Readings readings;
  ForEachLive(snapshot, [&](JobRef job, const auto& trial,
                            const auto& attempt) {
    const LiveAttempt live = LiveOf(job, trial, attempt);
    const auto found = seen->find(live.attempt);
    if (found == seen->end() || found->second.kind == Kind::kNeverStarted) {
      return;
    }
    // The last read follows the exit, so that no late report is missed.
    MetricReading reading = dependencies_.metrics.Read(
        live, *job.run().spec, /*final=*/IsOver(found->second.kind));
    if (reading.is_partial) readings.partial.push_back(live.attempt);
    found->second.full_disk = reading.full_disk;
    found->second.later_misses = reading.later_misses;
    if (reading.has_more) readings.unread.push_back(live.attempt);
    // Cancelling a job does not wait for its slow patterns.
    const bool is_cancelled =
        attempt.kill_wanted && attempt.kill_cause == TrialEndCause::kCancelled;
    if (reading.is_pending && !is_cancelled) {
      readings.pending.push_back(live.attempt);
    }
    UpdateMetadata said{job->id, AttributeUpdatesOfProgram(
                                     trial.metadata, trial.id,
                                     reading.attributes, &reading.problems)};
    const std::size_t before = readings.changes.size();
    if (!said.updates.empty()) readings.changes.push_back(std::move(said));
    if (!reading.measurements.empty() || !reading.problems.empty() ||
        !reading.restarts.empty()) {
      AddMeasurements change{live.attempt, std::move(reading.measurements)};
      change.restarts = std::move(reading.restarts);
      change.problems = std::move(reading.problems);
      readings.changes.push_back(std::move(change));
    }
    const std::size_t count = readings.changes.size() - before;
    if (count > 0) readings.reports.emplace_back(live.attempt, count);
  });
  return readings;
}

absl::Status Orchestrator::StoreMetrics(const StoreSnapshot& snapshot,
                                        Observations* seen) {
  const auto read_again = [&](const AttemptKey& key, const std::string& why) {
    Log(absl::StrCat("measurements of trial ", ToInt(key.trial),
                     " were not stored, will read again: ", why));
    retry_soon_ = true;
    DropEnd(key, seen);
  };
  const Readings readings = ReadMetrics(snapshot, seen);
  const std::vector<Change>& all = readings.changes;
  // The changes are committed together, because each commit waits for the disk.
  // Those of each attempt are committed alone only to find out which are
  // refused.
  const absl::Status together = all.empty() ? absl::OkStatus() : Commit(all);
  const bool is_one_refused =
      IsRace(together) || absl::IsInvalidArgument(together);
  auto next = all.begin();
  for (const auto& [key, count] : readings.reports) {
    if (together.ok()) break;
    const auto first = next;
    next += static_cast<std::ptrdiff_t>(count);
    const absl::Status status =
        is_one_refused ? Commit(std::vector<Change>(first, next)) : together;
    if (status.ok()) continue;
    if (absl::IsUnavailable(status)) return status;
    // The source has returned them already, so it must start over for this
    // attempt.
    dependencies_.metrics.Forget(key);
    read_again(key, status.ToString());
  }
  for (const AttemptKey& key : readings.partial) {
    read_again(key, "there are too few descriptors, or too little memory");
  }
  for (const AttemptKey& key : readings.unread) {
    // Its end is stored only after all its reports.
    DropEnd(key, seen);
    step_again_ = true;
  }
  // The same holds here, but the source ends the wait when it has more.
  for (const AttemptKey& key : readings.pending) DropEnd(key, seen);
  return absl::OkStatus();
}

absl::Status Orchestrator::PlanJob(const StoreSnapshot& snapshot, JobRef job,
                                   const Observations& seen, Supply* supply) {
  const StudyId id = job->id;
  const SteadyTime now = dependencies_.clock.Steady();
  const JobTimes times = timekeeper_.Measure(job, now);
  const auto room = supply->rooms.find(ProjectOf(job));
  PlanInput input{job, seen, times, suggestions_.IsExhausted(job)};
  input.backing_off = BackingOff(job);
  input.is_draining = is_draining_;
  const JobSpec& spec = *job.run().spec;
  if (supply->lacking.has_value()) {
    const RoomLack& lack = supply->lacking->lack;
    input.withholds_devices = lack.gpus > 0;
    input.yields =
        supply->lacking->priority > spec.training_input.priority &&
        spec.vernier.is_preemptible &&
        (lack.replicas > 0 || (lack.gpus > 0 && GpuNeedOf(spec).gpus > 0));
    if (input.yields) {
      supply->hindrances[id].room =
          absl::StrCat("room: ", NameFor(job, *supply->lacking),
                       ", which waits for room, too, has a higher priority");
    }
  }
  VERNIER_ASSIGN_OR_RETURN(input.early, DecideEarly(job));
  AddUse(snapshot.at(id), seen, &input);
  if (room != supply->rooms.end()) input.room = &room->second;
  input.replica_budget = &supply->replicas;
  StudyPlan plan = MakePlan(input, options_.plan, &supply->gpus);
  NoteWait(job, plan, supply);
  // The next step gives the withheld devices to the first job in the queue.
  if (plan.withheld_devices) step_again_ = true;
  if (plan.lack.any() && !supply->lacking.has_value()) {
    const bool keeps_gpus = plan.lack.gpus > 0 && IsPatienceOver(id);
    supply->lacking = {spec.training_input.priority, job->name, ProjectOf(job),
                       plan.lack, keeps_gpus};
    if (keeps_gpus) supply->gpus.Reserve(GpuNeedOf(spec));
    VERNIER_RETURN_IF_ERROR(MakeRoom(snapshot, job, plan.lack));
  }
  std::vector<NewTrial> created = FillNewTrials(snapshot, job, &plan);
  if (timekeeper_.NeedsCheckpoint(id, now)) {
    plan.changes.push_back(CheckpointJob{id, times.waited_for, times.ran_for});
    timekeeper_.Checkpointed(id, now);
  }
  const bool plans_again = plan.begins_backoff || plan.plans_again;
  absl::Status status = CommitPlan(job, std::move(plan), std::move(created));
  // The next step notes the time of a failure, and asks the stopping rules
  // about an end.
  if (status.ok() && plans_again) step_again_ = true;
  if (absl::IsUnavailable(status)) return status;
  if (!status.ok()) {
    retry_soon_ = true;
    if (!IsRace(status)) {
      Log(absl::StrCat("job ", job->name,
                       ": will try again: ", status.ToString()));
    }
  }
  return absl::OkStatus();
}

void Orchestrator::TellHindrances(std::map<StudyId, Hindrance> jobs) {
  if (dependencies_.hindrances == nullptr) return;
  for (const auto& [key, launch] : postponed_) {
    jobs[key.study].launch = launch.why;
  }
  dependencies_.hindrances->Replace(std::move(jobs));
}

// Stops nothing if the measurements cannot be read: a trial that continues
// needlessly costs time, but a trial that is stopped in error is lost.
absl::StatusOr<std::optional<EarlyVerdicts>> Orchestrator::DecideEarly(
    JobRef job) {
  const auto waiting =
      std::count_if(job->open.begin(), job->open.end(),
                    [&](TrialId id) { return !IsPaused(job->trials.Get(id)); });
  absl::StatusOr<EarlyVerdicts> verdicts = dependencies_.engines.Stops(
      job, MaxParallelTrialsOf(job.run()) - static_cast<int>(waiting));
  if (verdicts.ok()) return std::optional(*std::move(verdicts));
  if (absl::IsUnavailable(verdicts.status())) return verdicts.status();
  Log(absl::StrCat("job ", job->name, ": early stopping will try again: ",
                   verdicts.status().ToString()));
  retry_soon_ = true;
  return std::optional<EarlyVerdicts>();
}

void Orchestrator::AddUse(const std::shared_ptr<const StudySnapshot>& study,
                          const Observations& seen, PlanInput* input) {
  if (study->spec->limits == StudyLimits()) return;
  RunTimes live;
  for (const auto& [key, observation] : seen) {
    if (key.study == study->id) live.emplace(key, observation.lasted);
  }
  input->use = UseOf(input->job, live);
  input->use->ran_for = input->times.ran_for;
  if (!study->spec->limits.no_progress.has_value()) return;
  input->promise = progress_.PromiseOf(study);
}

// Fills the plan's new trials with points, and drops those for which there is
// no point now.
std::vector<NewTrial> Orchestrator::FillNewTrials(const StoreSnapshot& snapshot,
                                                  JobRef job, StudyPlan* plan) {
  if (plan->new_trials.empty()) return {};
  TrialSuggestions::Next next = suggestions_.NextTrials(snapshot, job, *plan);
  plan->new_trials.resize(next.trials.size());
  switch (next.rest) {
    case TrialSuggestions::Rest::kNone:
    case TrialSuggestions::Rest::kAwaited:
      break;
    case TrialSuggestions::Rest::kPlanAgain:
      step_again_ = true;
      break;
    case TrialSuggestions::Rest::kTryLater:
    case TrialSuggestions::Rest::kUsedUp:
      retry_soon_ = true;  // The next plan handles kUsedUp.
      break;
  }
  return std::move(next.trials);
}

absl::Status Orchestrator::CommitPlan(JobRef job, StudyPlan plan,
                                      std::vector<NewTrial> created) {
  std::vector<IntendLaunch> intents;
  for (PlannedLaunch& launch : plan.launches) {
    intents.push_back({launch.attempt, dependencies_.make_nonce(),
                       std::move(launch.devices), std::move(launch.reason)});
  }
  auto next = static_cast<std::int64_t>(job->trials.size());
  for (std::vector<DeviceId>& devices : plan.new_trials) {
    intents.push_back({{job->id, TrialId{++next}, 1},
                       dependencies_.make_nonce(),
                       std::move(devices)});
  }
  if (!created.empty()) {
    plan.changes.push_back(CreateTrials{job->id, std::move(created)});
  }
  plan.changes.insert(plan.changes.end(), intents.begin(), intents.end());
  if (plan.changes.empty()) return absl::OkStatus();
  // The intent is stored before anything starts. If the service dies in
  // between, the next one finds the attempt and learns from the launcher
  // whether it ever started.
  VERNIER_RETURN_IF_ERROR(Commit(plan.changes));
  Launch(job->id, intents);
  return absl::OkStatus();
}

absl::Status Orchestrator::Commit(const std::vector<Change>& changes) {
  absl::Status status =
      dependencies_.store.Commit(changes, dependencies_.clock.Now());
  const bool is_full = absl::IsResourceExhausted(status);
  if (is_full && dependencies_.hindrances != nullptr) {
    dependencies_.hindrances->SetTrouble(
        absl::StrCat("room on the disk, since nothing can be stored: ",
                     std::string(status.message())));
  }
  if (has_trouble_ && status.ok()) {
    Log("there is room on the disk again");
    if (dependencies_.hindrances != nullptr) {
      dependencies_.hindrances->SetTrouble("");
    }
  }
  has_trouble_ = is_full || (has_trouble_ && !status.ok());
  return status;
}

void Orchestrator::Log(const std::string& line) {
  const auto passed = log_lines_.Pass(line, dependencies_.clock.Steady());
  if (passed) dependencies_.log(*passed);
}

void Orchestrator::Launch(StudyId study,
                          const std::vector<IntendLaunch>& intents) {
  if (intents.empty()) return;
  const auto snapshot = dependencies_.store.Snapshot();
  const JobRef now = JobOf(*snapshot->at(study));
  for (const IntendLaunch& intent : intents) {
    LaunchOne(RequestFor(intent, now));
  }
}

void Orchestrator::LaunchOne(LaunchRequest request) {
  const absl::Status status = dependencies_.launcher.Launch(request);
  if (status.ok()) return;
  Log(absl::StrCat("trial ", ToInt(request.attempt.trial), " of job ",
                   JobIdIn(request.project, request.spec->job_id),
                   " was not launched: ", status.ToString()));
  if (absl::IsUnavailable(status) || absl::IsResourceExhausted(status)) {
    retry_soon_ = true;
    const AttemptKey key = request.attempt;
    postponed_.insert_or_assign(
        key, PostponedLaunch{std::move(request),
                             ValidUtf8(std::string(status.message()))});
  }
  // After another error the next Observe revokes the claim, and the attempt
  // counts as lost.
}

void Orchestrator::RetryPostponed(const StoreSnapshot& snapshot) {
  Postponed waiting;
  waiting.swap(postponed_);
  ForEachLive(snapshot,
              [&](JobRef job, const auto& trial, const auto& attempt) {
                const auto found = waiting.find(KeyOf(job, trial, attempt));
                // An attempt that is to end is left for the next Observe to
                // revoke.
                if (found == waiting.end() || attempt.kill_wanted) return;
                LaunchOne(std::move(found->second.request));
              });
}

void Orchestrator::KillUnwanted(const StoreSnapshot& snapshot) {
  std::set<AttemptKey> still_unwanted;
  ForEachLive(snapshot,
              [&](JobRef job, const auto& trial, const auto& attempt) {
                if (!attempt.kill_wanted) return;
                const LiveAttempt live = LiveOf(job, trial, attempt);
                if (killed_.count(live.attempt) == 0) {
                  const absl::Status status = dependencies_.launcher.Kill(
                      live, job.run().spec->vernier.kill_grace);
                  if (!status.ok()) {
                    Log(absl::StrCat("kill: ", status.ToString()));
                    retry_soon_ = true;
                    return;
                  }
                }
                still_unwanted.insert(live.attempt);
              });
  killed_ = std::move(still_unwanted);
}

void Orchestrator::ForgetEnded(const StoreSnapshot& snapshot,
                               const Observations& seen) {
  for (const auto& [key, observation] : seen) {
    if (!IsOver(observation.kind)) continue;
    const auto study = snapshot.find(key.study);
    if (study != snapshot.end()) {
      const TrialRecord& trial = study->second->trials.Get(key.trial);
      const AttemptRecord& attempt =
          trial.attempts[static_cast<std::size_t>(key.number - 1)];
      if (!IsTerminal(attempt.state)) continue;  // Its end is not stored yet.
    }
    // The launcher must be able to report the end again until it is stored.
    dependencies_.launcher.Forget(key);
    dependencies_.metrics.Forget(key);
  }
  std::erase_if(lacking_since_, [&](const auto& entry) {
    const auto study = snapshot.find(entry.first);
    return study == snapshot.end() || IsFinishedJob(*study->second);
  });
  std::erase_if(failed_at_, [&](const auto& entry) {
    const AttemptKey& key = entry.first;
    const auto study = snapshot.find(key.study);
    if (study == snapshot.end()) return true;
    const TrialRecord& trial = study->second->trials.Get(key.trial);
    return IsTerminal(trial.state) ||
           trial.attempts.size() > static_cast<std::size_t>(key.number);
  });
  const auto is_done = [&](StudyId id) {
    const auto study = snapshot.find(id);
    return study == snapshot.end() || IsFinishedJob(*study->second);
  };
  suggestions_.Forget(is_done);
  progress_.Forget(is_done);
}

std::chrono::milliseconds Orchestrator::NextWait(
    const StoreSnapshot& snapshot) const {
  if (step_again_) return std::chrono::milliseconds(0);
  if (retry_soon_) return options_.retry_wait;
  const auto at_most = [&](std::chrono::milliseconds wait) {
    return next_retry_.has_value() ? std::min(wait, *next_retry_) : wait;
  };
  bool any_open = false;
  for (const auto& [id, study] : snapshot) {
    if (study->live_attempts > 0) return at_most(options_.metric_poll);
    any_open = any_open || !IsFinishedJob(*study);
  }
  return at_most(any_open ? options_.open_wait : options_.idle_wait);
}

// The functions below decide what may still be leased or started, when a trial
// is tried again, and which trials make room for others.

GpuPool Orchestrator::MakeGpuPool(const StoreSnapshot& snapshot) const {
  GpuPool pool(devices_, dependencies_.launcher.ChecksDevices());
  if (devices_.empty()) return pool;
  ForEachLive(snapshot, [&](const auto&, const auto&, const auto& attempt) {
    for (const DeviceId& lease : attempt.devices) pool.Hold(lease);
  });
  for (const UnusableDevice& device :
       dependencies_.launcher.UnusableDevices(pool.Unleased())) {
    pool.Exclude(device);
  }
  return pool;
}

// Returns the open jobs in the order in which they are planned: by priority,
// then by how long they have lacked room, and then by age. A job that has just
// started a trial comes after those that wait.
std::vector<JobRef> Orchestrator::Queue(const StoreSnapshot& snapshot) const {
  std::vector<JobRef> queue;
  for (const auto& [id, study] : snapshot) {
    const auto job = AsJob(*study);
    if (job.has_value() && !IsTerminal(job->run().state)) queue.push_back(*job);
  }
  const auto since = [&](JobRef job) {
    const auto found = lacking_since_.find(job->id);
    return found == lacking_since_.end()
               ? SteadyTime{std::chrono::microseconds::max()}
               : found->second;
  };
  std::stable_sort(queue.begin(), queue.end(), [&](JobRef a, JobRef b) {
    const int first = a.run().spec->training_input.priority;
    const int second = b.run().spec->training_input.priority;
    if (first != second) return first > second;
    return since(a) < since(b);
  });
  return queue;
}

std::string Orchestrator::NameFor(JobRef job, const Supply::Lacking& lacking) {
  if (lacking.project != ProjectOf(job)) return "a job of another project";
  return absl::StrCat("job ", lacking.name);
}

bool Orchestrator::IsPatienceOver(StudyId study) const {
  const auto found = lacking_since_.find(study);
  return found != lacking_since_.end() &&
         dependencies_.clock.Steady() - found->second >= options_.gang_patience;
}

// Notes what a job waits for, and since when. PlanJob keeps GPUs for the
// first job in the queue if that has waited for long, because small trials
// would otherwise keep a large one from ever starting.
void Orchestrator::NoteWait(JobRef job, const StudyPlan& plan, Supply* supply) {
  std::string& room = supply->hindrances[job->id].room;
  if (!plan.room_wait.empty()) room = plan.room_wait;
  if (!plan.lack.any()) {
    lacking_since_.erase(job->id);
    return;
  }
  const bool has_started = !plan.launches.empty() || !plan.new_trials.empty();
  const SteadyTime now = dependencies_.clock.Steady();
  if (has_started) {
    lacking_since_[job->id] = now;
  } else {
    lacking_since_.emplace(job->id, now);
  }
  if (plan.lack.gpus == 0) return;
  const std::string troubles = supply->gpus.Troubles();
  if (supply->lacking.has_value() && supply->lacking->keeps_gpus) {
    room = absl::StrCat("room: the GPUs that are free are kept for ",
                        NameFor(job, *supply->lacking),
                        ", which has waited for longer");
  } else if (!troubles.empty()) {
    room = absl::StrCat("room: ", troubles);
  }
}

// Returns the room of each project that has a quota. The room of an attempt
// that has ended counts as free already, so that it goes to the first job in
// the queue and not only to its own.
std::map<std::string, QuotaBudget> Orchestrator::Rooms(
    const StoreSnapshot& snapshot, const Observations& seen) const {
  std::map<std::string, QuotaBudget> rooms;
  if (dependencies_.quotas == nullptr) return rooms;
  const std::map<std::string, ProjectQuota> quotas =
      dependencies_.quotas->All();
  if (quotas.empty()) return rooms;
  std::map<std::string, ProjectUse> uses = UseByProject(snapshot);
  for (const auto& [project, quota] : quotas) {
    rooms.emplace(project, QuotaBudget(project, quota, uses[project]));
  }
  ForEachLive(snapshot,
              [&](JobRef job, const auto& trial, const auto& attempt) {
                const auto found = seen.find(KeyOf(job, trial, attempt));
                if (found == seen.end() || !IsOver(found->second.kind)) return;
                const auto room = rooms.find(ProjectOf(job));
                if (room == rooms.end()) return;
                room->second.GiveBack(static_cast<int>(attempt.devices.size()));
              });
  return rooms;
}

int Orchestrator::RunningReplicas(const StoreSnapshot& snapshot,
                                  const Observations& seen) const {
  int running = 0;
  ForEachLive(snapshot,
              [&](JobRef job, const auto& trial, const auto& attempt) {
                const auto found = seen.find(KeyOf(job, trial, attempt));
                if (found != seen.end() && IsOver(found->second.kind)) return;
                running += ReplicasPerAttempt(*job.run().spec);
              });
  return running;
}

// Preempts trials of other jobs, if that makes enough room. When they have
// ended, the job comes before theirs.
absl::Status Orchestrator::MakeRoom(const StoreSnapshot& snapshot, JobRef job,
                                    RoomLack lack) {
  std::vector<Change> changes;
  for (const AttemptKey& attempt : ChoosePreemptions(snapshot, job, lack)) {
    changes.push_back(WantKill{attempt, TrialEndCause::kPreempted});
    Log(absl::StrCat("trial ", ToInt(attempt.trial), " of job ",
                     snapshot.at(attempt.study)->name,
                     " is preempted to make room for job ", job->name));
  }
  if (changes.empty()) return absl::OkStatus();
  const absl::Status status = Commit(changes);
  if (absl::IsUnavailable(status)) return status;
  if (!status.ok()) retry_soon_ = true;
  return absl::OkStatus();
}

// Returns the trials that still wait for their next attempt since the machine
// failed them, and sets next_retry_ to the shortest of these waits.
std::set<TrialId> Orchestrator::BackingOff(JobRef job) {
  std::set<TrialId> backing_off;
  const SteadyTime now = dependencies_.clock.Steady();
  for (const TrialId id : job->open) {
    const TrialRecord& trial = job->trials.Get(id);
    if (trial.attempts.empty() || !IsTerminal(trial.attempts.back().state)) {
      continue;
    }
    const auto wait =
        BackoffAfter(MachineFailuresInARow(trial), options_.plan.backoff);
    if (wait.count() == 0) continue;
    const SteadyTime since =
        failed_at_.emplace(KeyOf(job, trial, trial.attempts.back()), now)
            .first->second;
    if (now - since >= wait) continue;
    backing_off.insert(id);
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(since + wait - now);
    next_retry_ = std::min(next_retry_.value_or(left), left);
  }
  return backing_off;
}

}  // namespace vernier
