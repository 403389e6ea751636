#include "trials/submission/job_service.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/counted_noun.h"
#include "base/shown_text.h"
#include "base/stable_digest.h"
#include "base/status_macros.h"
#include "store/study_names.h"
#include "study/job_file/code_notes.h"
#include "study/job_id.h"
#include "study/labels.h"
#include "study/metrics/reserved_name.h"
#include "study/needed_metrics.h"
#include "suggest/space/constrained_space.h"
#include "trials/engine/prior_results.h"
#include "trials/given_points.h"
#include "trials/jobs/attempt_verdict.h"
#include "trials/jobs/job_versions.h"
#include "trials/jobs/live_attempts.h"
#include "trials/request_id.h"
#include "trials/submission/job_packages.h"
#include "trials/submission/job_state_error.h"
#include "trials/submission/resumed_job.h"
#include "trials/submission/spec_difference.h"
#include "trials/submission/submitted_code.h"
#include "trials/submission/submitted_folders.h"
#include "trials/submission/submitted_secrets.h"

namespace vernier {
namespace {

// A call that makes or revises a job writes its secrets, packages and code to
// the disk before it commits the job, so a stored job never lacks its files.
// Each of them is owned by an object that removes it again unless a job gets it
// (SubmittedSecrets, SubmittedPackages, SubmittedCode). Deletion goes the other
// way: first the record, then the files.

// This is the limit for maxTrials in a job file, too.
constexpr int kMostTrials = 1'000'000;

absl::Status NoSuchJob(const std::string& job_id) {
  return absl::NotFoundError(absl::StrCat("there is no job \"", job_id, "\""));
}

// Explains in the user's terms why the store refused points.
absl::Status NoRoomForPoints(JobRef job, std::size_t count) {
  if (IsTerminal(job.run().state)) {
    return WrongState(job, job.run().state == JobState::kSucceeded
                               ? "extend it to run more trials"
                               : "resume it to run more trials");
  }
  if (IsStopping(job)) {
    return WrongState(job, "it is being stopped, and runs no more trials");
  }
  const std::size_t wanted = job->trials.size() + job->queued.size() + count;
  return absl::FailedPreconditionError(absl::StrCat(
      "job \"", job->name, "\" may have ",
      Counted(job.run().max_trials, "trial"), ": it has ", job->trials.size(),
      ", and ", Counted(job->queued.size(), "point"),
      job->queued.size() == 1 ? " waits" : " wait",
      ", so that there is no room for ", count, " more; extend it to at least ",
      wanted, " trials first"));
}

// Returns the job with the service's default launcher, so that it stays where
// it is when the default changes.
absl::StatusOr<ParsedJob> WithLauncher(const ParsedJob& job,
                                       LauncherName launcher) {
  if (job.spec.vernier.launcher || launcher == LauncherName::kLocal) return job;
  return WithOverrides(
      job, {{{"vernier", "launcher"},
             absl::StrCat("\"", std::string(ToString(launcher)), "\""),
             "vernier serve --launcher"}});
}

// Returns the job with the stopping rule that it has left to the service, so
// that it keeps that rule in later releases; see StudySpecOfStored.
absl::StatusOr<ParsedJob> WithStoppingRule(const ParsedJob& job) {
  if (!AsksForOurStoppingRule(job.spec)) return job;
  return WithOverrides(
      job, {{{"vernier", "earlyStopping"},
             R"("AUTO")",
             "trainingInput.hyperparameters.enableTrialEarlyStopping"}});
}

// Refuses a job whose metric no source could deliver, because it would end
// without a value. This is checked here and not in the parser, because stored
// jobs may be older than this rule.
absl::Status CheckIsHeard(const JobSpec& spec) {
  const auto& tuning = spec.training_input.hyperparameters;
  if (!tuning.has_value()) return absl::OkStatus();
  for (const std::string& metric : NeededMetrics(spec)) {
    const std::string why = WhyNotHeard(metric, spec.vernier.metric_sources);
    if (why.empty()) continue;
    return absl::InvalidArgumentError(
        metric == tuning->metric_tag
            ? absl::StrCat("trainingInput.hyperparameters."
                           "hyperparameterMetricTag ",
                           why)
            : absl::StrCat("the metric ", ShowText(metric), " ", why));
  }
  return absl::OkStatus();
}

/// Returns the changes that end a trial. An attempt that is alive ends first;
/// then the orchestrator confirms the stop.
std::vector<Change> ChangesToStop(JobRef job, const TrialRecord& trial) {
  std::vector<Change> changes;
  const auto move = [&](TrialEvent event) {
    MoveTrial change{job->id,
                     trial.id,
                     event,
                     TrialEndCause::kStoppedByUser,
                     kStoppedByUserReason,
                     std::nullopt};
    const TrialState from =
        event == TrialEvent::kConfirmStop ? TrialState::kStopping : trial.state;
    if (IsTerminal(Next(from, event).value_or(trial.state))) {
      SelectFinal(job, trial, &change);
    }
    changes.push_back(std::move(change));
  };
  move(TrialEvent::kRequestStop);
  if (trial.state == TrialState::kRequested) return changes;
  const bool is_alive =
      !trial.attempts.empty() && !IsTerminal(trial.attempts.back().state);
  if (is_alive) {
    changes.push_back(
        WantKill{{job->id, trial.id, trial.attempts.back().number},
                 TrialEndCause::kStoppedByUser});
  } else {
    move(TrialEvent::kConfirmStop);
  }
  return changes;
}

bool IsOpen(JobRef job) {
  return !IsTerminal(job.run().state) && job.run().wanted == JobWanted::kRun;
}

// Returns whether the job may be replaced: nothing of it is worth keeping, and
// nothing of it runs.
bool MayBeReplaced(JobRef job, const JobRevision& asked) {
  return asked.job.has_value() && (asked.goes_on || asked.validate_only) &&
         job->live_attempts == 0 && job.run().state != JobState::kSucceeded &&
         !HasEverRun(job);
}

RevisedJob Unchanged(std::shared_ptr<const StudySnapshot> study) {
  RevisedJob answer;
  answer.study = std::move(study);
  return answer;
}

// Returns the answer to the caller for a plan.
RevisedJob Told(JobRef before, const RevisionPlan& plan,
                std::shared_ptr<const StudySnapshot> now) {
  RevisedJob answer;
  answer.changes = plan.changes;
  answer.made_up_trials = plan.made_up_trials - before.run().made_up_trials;
  answer.has_more_trials = plan.max_trials > before.run().max_trials;
  answer.study = std::move(now);
  return answer;
}

absl::Status CheckIsNotStopping(JobRef job) {
  if (IsTerminal(job.run().state) || !IsStopping(job)) return absl::OkStatus();
  return WrongState(job, "it is being stopped, and can go on when it is final");
}

int CountOutdated(JobRef job) {
  int count = 0;
  for (const TrialId id : job->open) {
    const TrialRecord& trial = job->trials.Get(id);
    if (!IsToStartAgain(trial)) continue;
    const AttemptRecord& attempt = trial.attempts.back();
    count += !IsTerminal(attempt.state) &&
             attempt.kill_cause == TrialEndCause::kCancelled;
  }
  return count;
}

// Refuses to continue a job that has all its trials if the request adds none.
absl::Status CheckHasMoreToDo(JobRef job, const JobRevision& asked,
                              const RevisionPlan& plan) {
  const bool is_done = job.run().state == JobState::kSucceeded &&
                       plan.max_trials <= job.run().max_trials;
  if (!asked.goes_on || asked.validate_only || !is_done) {
    return absl::OkStatus();
  }
  return WrongState(job, "raise maxTrials to run more trials");
}

// Returns the job that is asked for, with its machine types resolved. Errors if
// what it names is not there or may not be used.
absl::StatusOr<ParsedJob> Checked(ParsedJob given, const JobRevision& asked,
                                  const std::string& project, JobFiles& files,
                                  const MachineTypeTable& machine_types) {
  VERNIER_RETURN_IF_ERROR(CheckPackageUris(given));
  if (!asked.code_dir.empty()) {
    VERNIER_RETURN_IF_ERROR(files.CheckCodeFolder(asked.code_dir));
  }
  if (!asked.job.has_value() && asked.edit.empty()) return given;
  VERNIER_ASSIGN_OR_RETURN(given, ResolveMachineTypes(given, machine_types));
  VERNIER_RETURN_IF_ERROR(CheckFolders(given.spec, files));
  VERNIER_RETURN_IF_ERROR(files.CheckBuckets(given.spec, project));
  return given;
}

}  // namespace

JobService::JobService(const Dependencies& dependencies, Options options)
    : dependencies_(dependencies), options_(std::move(options)) {}

absl::StatusOr<ParsedJob> JobService::ValidateJob(const ParsedJob& job,
                                                  const std::string& project,
                                                  Look look) const {
  VERNIER_RETURN_IF_ERROR(CheckProjectId(project));
  VERNIER_RETURN_IF_ERROR(CheckPackageUris(job));
  VERNIER_RETURN_IF_ERROR(CheckModuleIsBrought(job.spec));
  VERNIER_RETURN_IF_ERROR(CheckFolderNames(job.spec));
  if (look == Look::kAtFiles) {
    VERNIER_RETURN_IF_ERROR(
        dependencies_.files.CheckBuckets(job.spec, project));
  }
  return Complete(job, *dependencies_.store.Snapshot(), project);
}

absl::StatusOr<ParsedJob> JobService::Complete(
    const ParsedJob& job, const StoreSnapshot& snapshot,
    const std::string& project) const {
  VERNIER_RETURN_IF_ERROR(CheckIsHeard(job.spec));
  VERNIER_ASSIGN_OR_RETURN(const ParsedJob resolved,
                           ResolveMachineTypes(job, options_.machine_types));
  VERNIER_ASSIGN_OR_RETURN(const ParsedJob placed,
                           WithLauncher(resolved, options_.launcher));
  VERNIER_ASSIGN_OR_RETURN(const ParsedJob stopped, WithStoppingRule(placed));
  VERNIER_ASSIGN_OR_RETURN(ParsedJob completed,
                           CompleteResumedJob(stopped, snapshot, project));
  const absl::Status named =
      CheckPriorNames(snapshot, project, completed.spec.vernier.prior_studies);
  if (!named.ok()) {
    return absl::Status(named.code(),
                        absl::StrCat("vernier.", named.message()));
  }
  const absl::Status status =
      CheckNotEmpty(SearchSpaceOf(completed.spec),
                    completed.spec.vernier.parameter_constraints);
  if (status.ok()) return completed;
  return absl::InvalidArgumentError(
      absl::StrCat("vernier.parameterConstraints: ", status.message()));
}

JobService::Answer JobService::CreateJob(const ParsedJob& job,
                                         const std::string& request_id,
                                         const std::string& project) {
  return Create(job, request_id, project, std::nullopt);
}

JobService::Answer JobService::Create(const ParsedJob& job,
                                      const std::string& request_id,
                                      const std::string& project,
                                      std::optional<StudyId> replaces) {
  VERNIER_RETURN_IF_ERROR(CheckRequestId(request_id));
  VERNIER_RETURN_IF_ERROR(CheckProjectId(project));
  VERNIER_RETURN_IF_ERROR(CheckPackageUris(job));
  VERNIER_RETURN_IF_ERROR(CheckModuleIsBrought(job.spec));
  VERNIER_RETURN_IF_ERROR(CheckFolders(job.spec, dependencies_.files));
  VERNIER_RETURN_IF_ERROR(dependencies_.files.CheckBuckets(job.spec, project));
  const auto snapshot = dependencies_.store.Snapshot();
  VERNIER_ASSIGN_OR_RETURN(ParsedJob completed,
                           Complete(job, *snapshot, project));
  const std::string job_id = JobIdIn(project, completed.spec.job_id);
  // A taken name is refused before the code is copied. A repeated request
  // continues, and the store decides whether it is the same one.
  const bool is_taken = FindJob(*snapshot, job_id) != nullptr;
  if (request_id.empty() && is_taken && !replaces.has_value()) {
    return absl::AlreadyExistsError(
        absl::StrCat("job \"", job_id,
                     "\" exists already; choose another job id or delete it"));
  }
  // Each of these is removed again unless a job gets it.
  JobFiles& files = dependencies_.files;
  VERNIER_ASSIGN_OR_RETURN(
      SubmittedSecrets secrets,
      SubmittedSecrets::Keep(files, RequestIdIn(project, request_id), "",
                             &completed));
  VERNIER_ASSIGN_OR_RETURN(SubmittedPackages packages,
                           SubmittedPackages::Pin(files, project, &completed));
  VERNIER_ASSIGN_OR_RETURN(SubmittedCode code,
                           SubmittedCode::Pin(files, completed.spec));
  VERNIER_ASSIGN_OR_RETURN(completed, WithCodeNotes(completed, code.notes()));
  NewJob added = Draft(std::move(completed), *snapshot, project);
  added.replaces = replaces;
  added.request_id = RequestIdIn(project, request_id);
  added.code_dir = code.dir();
  added.code_digest = code.digest();
  VERNIER_ASSIGN_OR_RETURN(
      const StudyId study,
      dependencies_.store.CreateJob(added, dependencies_.clock.Now()));
  secrets.Commit();
  VERNIER_ASSIGN_OR_RETURN(auto created, Find(study));
  code.KeepFor(JobOf(*created));
  if (created->name == job_id) packages.Keep(JobOf(*created));
  dependencies_.wake();
  if (created->name != job_id) {
    return absl::InvalidArgumentError(absl::StrCat(
        "request id was used for another job: ", added.request_id));
  }
  return created;
}

NewJob JobService::Draft(ParsedJob completed, const StoreSnapshot& snapshot,
                         const std::string& project) const {
  NewJob added;
  added.project = project;
  added.spec_json = std::move(completed.json);
  added.ignored_fields = std::move(completed.ignored_fields);
  if (dependencies_.quotas != nullptr) {
    added.max_studies = dependencies_.quotas->Of(project).max_studies;
  }
  added.run_root = options_.run_root;
  const auto& seed = completed.spec.vernier.seed;
  added.seed = seed.has_value() ? static_cast<std::uint64_t>(*seed)
                                : dependencies_.random_seed();
  const auto& tuning = completed.spec.training_input.hyperparameters;
  if (tuning.has_value() && !tuning->resume_previous_job_id.empty()) {
    added.resumed_study =
        FindJob(snapshot, JobIdIn(project, tuning->resume_previous_job_id))->id;
  }
  added.spec = std::make_shared<const JobSpec>(std::move(completed.spec));
  return added;
}

JobService::Answer JobService::GetJob(const std::string& job_id) const {
  auto study = FindJob(*dependencies_.store.Snapshot(), job_id);
  if (study == nullptr) return NoSuchJob(job_id);
  return study;
}

JobService::Answer JobService::CommitAndGet(const std::vector<Change>& changes,
                                            StudyId study) {
  VERNIER_RETURN_IF_ERROR(
      dependencies_.store.Commit(changes, dependencies_.clock.Now()));
  dependencies_.wake();
  return Find(study);
}

JobService::Answer JobService::Find(StudyId study) const {
  const auto snapshot = dependencies_.store.Snapshot();
  const auto found = snapshot->find(study);
  if (found == snapshot->end()) {
    return absl::NotFoundError("the job was deleted meanwhile");
  }
  return found->second;
}

namespace {

// Returns the live attempts of trials that nobody has asked to end yet.
std::vector<AttemptKey> RunningAttempts(JobRef job) {
  std::vector<AttemptKey> running;
  ForEachLive(job, [&](JobRef, const auto& trial, const auto& attempt) {
    if (trial.state == TrialState::kActive && !attempt.kill_wanted) {
      running.push_back(KeyOf(job, trial, attempt));
    }
  });
  return running;
}

}  // namespace

JobService::Answer JobService::CancelJob(const std::string& job_id) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, GetJob(job_id));
  const JobRef job = JobOf(*study);
  if (IsTerminal(job.run().state)) {
    return WrongState(job, "only a job that is not final is cancelled");
  }
  if (IsStopping(job)) return study;
  // This is one transaction, so that every later reader sees CANCELLING.
  Answer cancelled =
      CommitAndGet({SetJobWanted{job->id, JobWanted::kStop, WantedCause::kUser,
                                 "cancelled by a user"},
                    MoveJob{job->id, JobEvent::kRequestCancel, ""}},
                   job->id);
  if (!absl::IsFailedPrecondition(cancelled.status())) return cancelled;
  // The job ended, or a limit stopped it, after it was read.
  VERNIER_ASSIGN_OR_RETURN(const auto now, GetJob(job_id));
  const JobRef newer = JobOf(*now);
  if (!IsTerminal(newer.run().state) && IsStopping(newer)) return now;
  return WrongState(newer, "only a job that is not final is cancelled");
}

JobService::Answer JobService::PauseJob(const std::string& job_id,
                                        const std::string& reason,
                                        Running running) {
  // An attempt may end, or begin, between the read and the commit.
  constexpr int kTries = 5;
  Answer paused;
  for (int i = 0; i < kTries; ++i) {
    VERNIER_ASSIGN_OR_RETURN(const auto study, GetJob(job_id));
    const JobRef job = JobOf(*study);
    if (IsTerminal(job.run().state) || IsStopping(job)) {
      return WrongState(job, "there is nothing to pause");
    }
    std::vector<Change> changes;
    if (job.run().wanted != JobWanted::kPause) {
      changes.push_back(
          SetJobWanted{job->id, JobWanted::kPause, WantedCause::kUser, reason});
    }
    if (running == Running::kIsPreempted) {
      for (const AttemptKey& attempt : RunningAttempts(job)) {
        changes.push_back(WantKill{attempt, TrialEndCause::kPreempted});
      }
    }
    if (changes.empty()) return study;
    paused = CommitAndGet(changes, job->id);
    if (absl::IsFailedPrecondition(paused.status())) continue;
    // A trial may also have begun in between.
    const bool is_done = !paused.ok() || running != Running::kIsPreempted ||
                         RunningAttempts(JobOf(**paused)).empty();
    if (is_done) return paused;
  }
  return paused;
}

JobService::Answer JobService::ResumeJob(const std::string& job_id) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, GetJob(job_id));
  const JobRef job = JobOf(*study);
  if (job.run().state == JobState::kSucceeded) {
    return WrongState(job, "extend it to run more trials");
  }
  if (!IsTerminal(job.run().state) && IsStopping(job)) {
    return WrongState(job, "it is being stopped; resume it when it is final");
  }
  JobRevision asked;
  asked.goes_on = true;
  VERNIER_ASSIGN_OR_RETURN(const RevisedJob revised, ReviseJob(job_id, asked));
  return revised.study;
}

JobService::Answer JobService::ExtendJob(const std::string& job_id,
                                         int max_trials) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, GetJob(job_id));
  const JobRef job = JobOf(*study);
  if (!job.run().spec->training_input.hyperparameters.has_value()) {
    return absl::FailedPreconditionError(
        absl::StrCat("job \"", job_id,
                     "\" has no hyperparameters: it has one "
                     "trial only"));
  }
  // An edit may have raised the number after the job had succeeded.
  const bool has_room =
      job.run().state == JobState::kSucceeded &&
      max_trials == job.run().max_trials &&
      job->trials.size() < static_cast<std::size_t>(max_trials);
  if (max_trials <= job.run().max_trials && !has_room) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the new number of trials must be larger than the present ",
        job.run().max_trials, ": ", max_trials));
  }
  if (max_trials > kMostTrials) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the number of trials must be <= ", kMostTrials, ": ", max_trials));
  }
  if (!IsTerminal(job.run().state) && IsStopping(job)) {
    return WrongState(job, "it is being stopped; extend it when it is final");
  }
  std::vector<Change> changes;
  if (IsTerminal(job.run().state)) {
    changes.push_back(MoveJob{job->id, JobEvent::kReopen, ""});
  }
  if (!has_room) changes.push_back(vernier::ExtendJob{job->id, max_trials});
  return CommitAndGet(changes, job->id);
}

JobService::Answer JobService::AddTrials(const std::string& job_id,
                                         const std::vector<std::string>& points,
                                         const std::string& request_id) {
  VERNIER_RETURN_IF_ERROR(CheckRequestId(request_id));
  VERNIER_ASSIGN_OR_RETURN(const auto study, GetJob(job_id));
  if (study->spec->parameters.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "job \"", job_id, "\" has no hyperparameters: it has one trial only"));
  }
  VERNIER_ASSIGN_OR_RETURN(std::vector<Parameters> read,
                           ReadGivenPoints(*study->spec, points));
  // The store decides, because it knows repeated requests and nothing can come
  // in between. A better message is made afterwards.
  Answer answer = CommitAndGet(
      {QueuePoints{study->id, std::move(read),
                   RequestIdIn(SplitJobId(job_id).project, request_id)}},
      study->id);
  if (absl::IsFailedPrecondition(answer.status())) {
    VERNIER_ASSIGN_OR_RETURN(const auto now, GetJob(job_id));
    return NoRoomForPoints(JobOf(*now), points.size());
  }
  return answer;
}

JobService::Answer JobService::UpdateLabels(
    const std::string& job_id, const std::map<std::string, std::string>& labels,
    std::optional<std::int64_t> expected_version) {
  VERNIER_RETURN_IF_ERROR(CheckLabels(labels));
  VERNIER_ASSIGN_OR_RETURN(const auto study, GetJob(job_id));
  return CommitAndGet(
      {vernier::UpdateLabels{study->id, labels, expected_version}}, study->id);
}

absl::StatusOr<OutputCount> JobService::DeleteJob(const std::string& job_id,
                                                  const Deletion& asked) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, GetJob(job_id));
  const JobRef job = JobOf(*study);
  if (!IsTerminal(job.run().state)) {
    return WrongState(job, job.run().wanted == JobWanted::kStop
                               ? "wait for its end before deleting it"
                               : "cancel it before deleting it");
  }
  // The snapshot is held, because the store drops it at its next change.
  const auto snapshot = dependencies_.store.Snapshot();
  for (const auto& [id, other] : *snapshot) {
    const auto learner = AsJob(*other);
    if (learner.has_value() && !IsTerminal(learner->run().state) &&
        learner->run().resumed_study == job->id) {
      return absl::FailedPreconditionError(
          absl::StrCat("job \"", other->name, "\" learns from job \"", job_id,
                       "\"; cancel it or wait for its end"));
    }
  }
  const OutputCount outputs = dependencies_.files.CountOutputs(job);
  if (asked.validate_only) return outputs;
  if (outputs.files > 0 && !asked.with_outputs) {
    return absl::FailedPreconditionError(absl::StrCat(
        "deleting job \"", job_id, "\" removes ", OutputText(outputs),
        " that its trials left below ", job.run().run_dir,
        ": copy what you need, and say that they may go (with_outputs; vernier "
        "jobs delete --yes); nothing was deleted"));
  }
  VERNIER_RETURN_IF_ERROR(dependencies_.store.Commit(
      {vernier::DeleteJob{job->id}}, dependencies_.clock.Now()));
  // The files go after the commit: without a job they do no harm, but a job
  // without its files would.
  dependencies_.files.Remove(job);
  DropSecretsOf(job, dependencies_.files);
  return outputs;
}

JobService::Answer JobService::StopTrial(const std::string& job_id,
                                         TrialId id) {
  // An attempt may end, or begin, between the read and the commit.
  constexpr int kTries = 5;
  Answer stopped;
  for (int i = 0; i < kTries; ++i) {
    VERNIER_ASSIGN_OR_RETURN(const auto study, GetJob(job_id));
    VERNIER_RETURN_IF_ERROR(
        CheckHasTrial(*study, absl::StrCat("job ", job_id), ToInt(id)));
    const TrialRecord& trial = study->trials.Get(id);
    if (trial.state == TrialState::kStopping) return study;
    if (IsTerminal(trial.state)) {
      return absl::FailedPreconditionError(
          absl::StrCat("trial ", ToInt(id), " of job ", job_id,
                       " has ended: ", std::string(ToString(trial.state))));
    }
    stopped = CommitAndGet(ChangesToStop(JobOf(*study), trial), study->id);
    if (!absl::IsFailedPrecondition(stopped.status())) break;
  }
  return stopped;
}

// The functions below are the parts of ReviseJob that touch the disk and the
// store. job_revision.cc decides.

absl::StatusOr<RevisedCode> JobService::CompareCode(
    JobRef job, const JobRevision& asked, const ParsedJob& given) const {
  RevisedCode code{job.run().code_dir, job.run().code_digest, false};
  if (!NamesCode(asked)) return code;
  const std::string& source = given.spec.vernier.code_dir;
  VERNIER_ASSIGN_OR_RETURN(
      code.digest,
      dependencies_.files.DigestCode(source, given.spec.training_input.job_dir,
                                     given.spec.training_input.package_uris));
  code.is_new = code.digest != job.run().code_digest ||
                source.empty() != job.run().code_dir.empty();
  if (source.empty()) code.dir.clear();
  return code;
}

absl::StatusOr<RevisedJob> JobService::ReviseJob(const std::string& job_id,
                                                 const JobRevision& asked) {
  // An edit changes what it names, whatever others change at the same time.
  constexpr int kTries = 5;
  const int tries = asked.edit.empty() ? 1 : kTries;
  for (int i = 0; i < tries; ++i) {
    auto revised = ReviseOnce(job_id, asked);
    if (!absl::IsAborted(revised.status())) return revised;
  }
  return absl::AbortedError(absl::StrCat(
      "job \"", job_id,
      "\" was changed by somebody else at the same time; ask once more"));
}

absl::StatusOr<RevisedJob> JobService::ReviseOnce(const std::string& job_id,
                                                  JobRevision asked) {
  VERNIER_RETURN_IF_ERROR(CheckRequestId(asked.request_id));
  VERNIER_ASSIGN_OR_RETURN(const auto study, GetJob(job_id));
  const JobRef job = JobOf(*study);
  const std::string project = SplitJobId(job_id).project;
  asked.request_id = RequestIdIn(project, asked.request_id);
  VERNIER_ASSIGN_OR_RETURN(ParsedJob given, CompleteRevision(job, asked));
  VERNIER_ASSIGN_OR_RETURN(
      given, Checked(std::move(given), asked, project, dependencies_.files,
                     options_.machine_types));
  // The secrets are removed again unless the job gets them.
  VERNIER_ASSIGN_OR_RETURN(
      SubmittedSecrets secrets,
      SubmittedSecrets::Keep(dependencies_.files, asked.request_id,
                             job.run().spec->vernier.secrets_file, &given));
  // A job that does not change keeps the copies of its packages.
  std::optional<SubmittedPackages> packages;
  if (asked.job.has_value()) {
    VERNIER_ASSIGN_OR_RETURN(
        SubmittedPackages pinned,
        SubmittedPackages::Pin(dependencies_.files, project, &given));
    packages.emplace(std::move(pinned));
  }
  VERNIER_ASSIGN_OR_RETURN(
      const bool is_repeated,
      WasAnswered(dependencies_.store, asked.request_id,
                  {DigestOf(job, asked), StableDigest(given.json)}));
  if (is_repeated) return Unchanged(study);
  if (!asked.validate_only) VERNIER_RETURN_IF_ERROR(CheckIsNotStopping(job));

  VERNIER_ASSIGN_OR_RETURN(RevisedCode code, CompareCode(job, asked, given));
  const auto plan = PlanRevision(job, asked, given, code.is_new);
  const bool is_as_asked = plan.ok() && plan->changes.empty() && IsOpen(job);
  if (!is_as_asked && MayBeReplaced(job, asked)) {
    if (!asked.validate_only) {
      auto replaced = Replace(job, asked, given);
      if (replaced.ok()) secrets.Commit();
      return replaced;
    }
    RevisedJob answer = plan.ok() ? Told(job, *plan, study) : Unchanged(study);
    answer.is_replaced = true;
    return answer;
  }
  VERNIER_RETURN_IF_ERROR(plan.status());
  VERNIER_RETURN_IF_ERROR(CheckHasMoreToDo(job, asked, *plan));
  if (!asked.validate_only) {
    auto revised = Revise(job, asked, given, packages ? &*packages : nullptr,
                          std::move(code), *plan);
    if (revised.ok()) secrets.Commit();
    return revised;
  }
  return Told(job, *plan, study);
}

absl::StatusOr<RevisedJob> JobService::Replace(JobRef job,
                                               const JobRevision& asked,
                                               const ParsedJob& given) {
  RevisedJob answer;
  VERNIER_ASSIGN_OR_RETURN(
      answer.study,
      Create(given, asked.request_id, SplitJobId(job->name).project, job->id));
  answer.is_replaced = true;
  dependencies_.files.Remove(job);
  DropSecretsOf(job, dependencies_.files, given.spec.vernier.secrets_file);
  return answer;
}

absl::StatusOr<RevisedJob> JobService::Revise(
    JobRef job, const JobRevision& asked, const ParsedJob& given,
    SubmittedPackages* packages, RevisedCode code, const RevisionPlan& plan) {
  std::optional<SubmittedCode> pinned;
  std::vector<std::string> notes = CodeNotesOf(job.run().spec_json);
  if (code.is_new) notes.clear();
  if (code.is_new && !given.spec.vernier.code_dir.empty()) {
    VERNIER_ASSIGN_OR_RETURN(
        SubmittedCode copy,
        SubmittedCode::Pin(dependencies_.files, given.spec));
    code.dir = copy.dir();
    code.digest = copy.digest();
    notes = copy.notes();
    pinned.emplace(std::move(copy));
  }
  VERNIER_ASSIGN_OR_RETURN(const ParsedJob noted, WithCodeNotes(given, notes));
  const std::vector<Change> changes = ChangesOf(plan, job, asked, noted, code);
  if (changes.empty()) {
    VERNIER_ASSIGN_OR_RETURN(auto now, GetJob(job->name));
    return Told(job, plan, std::move(now));
  }
  // The packages must be in place before any attempt can need them.
  if (packages != nullptr) packages->Keep(job);
  VERNIER_ASSIGN_OR_RETURN(auto now, CommitAndGet(changes, job->id));
  if (pinned.has_value()) pinned->KeepFor(JobOf(*now));
  RevisedJob answer = Told(job, plan, std::move(now));
  if (asked.restarts) answer.restarted = CountOutdated(JobOf(*answer.study));
  DropUnusedCode(answer.study);
  return answer;
}

// Removes the copies of code that nothing runs. New attempts run the newest
// version only, so they do not need the others.
void JobService::DropUnusedCode(
    const std::shared_ptr<const StudySnapshot>& study) {
  const std::set<std::string> used = CodeInUse({{study->id, study}});
  for (const auto& version : JobOf(*study).run().earlier_versions) {
    const std::string& dir = version->code_dir;
    if (!dir.empty() && used.count(dir) == 0) dependencies_.files.DropCode(dir);
  }
}

}  // namespace vernier
