// Changes of a job or a study: a next version of it, and another job in its
// place.

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/events/event_payload.h"
#include "store/events/study_event_payload.h"
#include "store/metric_names.h"
#include "store/model/change_rules.h"
#include "store/objective_values.h"
#include "store/present_space.h"
#include "study/job_id.h"
#include "study/search_edit_plan.h"

namespace vernier {
namespace {

bool WasStarted(const AttemptRecord& attempt) {
  return attempt.end_cause != TrialEndCause::kLaunchFailed &&
         (attempt.running_at.has_value() || attempt.exit_code.has_value() ||
          attempt.signal.has_value());
}

// Earlier results must stay valid data for the search, whoever runs the trials.
absl::Status CheckSearch(const StudySnapshot& study, const StudySpec& after) {
  const StudySpec& before = *study.spec;
  const auto differs = [&](const char* what) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " of ", NameOf(study.id), " never changes"));
  };
  if (ObjectiveOf(before).goal != ObjectiveOf(after).goal) {
    return differs("the goal");
  }
  const bool has_other_metrics = before.metrics != after.metrics ||
                                 before.constraints != after.constraints;
  if (has_other_metrics && !HaveSameMetrics(before, after) &&
      MayHaveValues(study)) {
    return ObjectiveOf(before).name != ObjectiveOf(after).name
               ? differs("the metric")
               : differs("the list of metrics and constraints");
  }
  VERNIER_RETURN_IF_ERROR(CheckRenames(study, after));
  return PlanSearchEdit(before, PresentSpace(study).edits(), after).status();
}

// What of a job is no part of its search never changes either.
absl::Status CheckSameJob(const ReviseJob& change, const JobRun& job) {
  const JobSpec& spec = *job.spec;
  const auto& before = spec.training_input.hyperparameters;
  const auto& after = change.spec->training_input.hyperparameters;
  const auto differs = [&](const char* what) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " of ", NameOf(change.study), " never changes"));
  };
  if (change.spec->job_id != spec.job_id) return differs("the name");
  if (before.has_value() != after.has_value()) return differs("the search");
  if (change.spec->vernier.objective_reduction !=
      spec.vernier.objective_reduction) {
    return differs("the objective reduction");
  }
  if (before.has_value() &&
      before->resume_previous_job_id != after->resume_previous_job_id) {
    return differs("the resumed job");
  }
  return absl::OkStatus();
}

absl::Status CheckRevision(const ReviseJob& change, JobRef job) {
  if (change.spec == nullptr) {
    return absl::InvalidArgumentError("a revision needs a spec");
  }
  VERNIER_RETURN_IF_ERROR(CheckSameJob(change, job.run()));
  VERNIER_RETURN_IF_ERROR(CheckSearch(job, StudySpecOfStored(*change.spec)));
  VERNIER_RETURN_IF_ERROR(CheckUtf8("what changed", change.changes));
  if (change.replaced_version != job.run().code_version) {
    return absl::AbortedError(absl::StrCat(
        "the job of ", NameOf(change.study), " has changed: version ",
        job.run().code_version, ", expected ", change.replaced_version));
  }
  const std::size_t fewest =
      std::max<std::size_t>(1, job->trials.size() + job->queued.size());
  if (change.made_up_trials < 0 || change.max_trials < 0 ||
      static_cast<std::size_t>(change.max_trials) < fewest) {
    return absl::FailedPreconditionError(
        absl::StrCat(NameOf(change.study), " has ", job->trials.size(),
                     " trials, and ", job->queued.size(),
                     " points wait: max_trials cannot be ", change.max_trials));
  }
  return absl::OkStatus();
}

absl::Status CheckStudyRevision(const ReviseStudy& change,
                                ClientStudyRef study) {
  if (change.spec == nullptr) {
    return absl::InvalidArgumentError("a revision needs a spec");
  }
  if (GrowsByTrials(study)) {
    return absl::FailedPreconditionError(
        absl::StrCat(study->name, " gets its search space from its trials"));
  }
  VERNIER_RETURN_IF_ERROR(ValidateStudySpec(*change.spec));
  VERNIER_RETURN_IF_ERROR(CheckSearch(study, *change.spec));
  VERNIER_RETURN_IF_ERROR(CheckUtf8("what changed", change.changes));
  VERNIER_RETURN_IF_ERROR(CheckUtf8("the client's data", change.client_data));
  const int present = SpecVersionOf(study.run());
  if (change.replaced_version == present) return absl::OkStatus();
  return absl::AbortedError(absl::StrCat(study->name, " has changed: version ",
                                         present, ", expected ",
                                         change.replaced_version));
}

// Gives the trials in memory the names that the metrics have once the study
// gets the spec `after`; their rows stay as they are.
void RenameMetrics(const StudySpec& after, StudySnapshot& study) {
  const MetricRenames renames = RenamesBetween(*study.spec, after);
  if (renames.empty()) return;
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    auto trial = std::make_shared<TrialRecord>(
        *study.trials.Share(TrialId{static_cast<std::int64_t>(n)}));
    Rename(renames, trial.get());
    study.trials.Put(std::move(trial));
  }
}

void KeepEarlierVersion(JobRun& run) {
  run.earlier_versions.push_back(
      std::make_shared<const JobVersion>(PresentVersion(run)));
}

void TakeOver(const ReviseJob& change, Timestamp now, StudySnapshot& study) {
  auto spec =
      std::make_shared<const StudySpec>(StudySpecOfStored(*change.spec));
  RenameMetrics(*spec, study);
  study.spec = std::move(spec);
  study.labels = change.labels;
  ++study.version;
  JobRun& run = JobRunOf(study);
  run.spec = change.spec;
  run.spec_json = change.spec_json;
  run.ignored_fields = change.ignored_fields;
  run.code_dir = change.code_dir;
  run.code_digest = change.code_digest;
  run.max_trials = change.max_trials;
  run.made_up_trials = change.made_up_trials;
  run.version_changes = change.changes;
  run.version_at = now;
  run.consecutive_failures = 0;
  run.consecutive_instant_failures = 0;
  ++run.code_version;
}

// After a revision, every trial that has ended with an attempt counts as one of
// an earlier version.
void CountEndedEarlier(StudySnapshot& study) {
  study.ended.clear();
  study.ended_earlier.clear();
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialBrief trial =
        study.trials.Brief(TrialId{static_cast<std::int64_t>(n)});
    if (IsTerminal(trial.state)) CountEnded(trial, &study);
  }
}

// Returns the trials that were suggested and have never started, and that lie
// outside of the search as it is now. Users may start points of their own
// anywhere.
std::vector<TrialId> SuggestedOutside(const StudySnapshot& study) {
  std::vector<TrialId> outside;
  const PresentSpace space(study);
  if (!space.edits().has_value()) return outside;
  for (const TrialId id : study.open) {
    const TrialRecord& trial = study.trials.Get(id);
    if (trial.state == TrialState::kRequested && !IsByHand(trial.origin) &&
        !space.Read(trial.parameters).has_value()) {
      outside.push_back(id);
    }
  }
  return outside;
}

void Stop(StudyId study, const TrialRecord& trial,
          std::vector<Change>* changes) {
  const auto move = [&](TrialEvent event) {
    changes->push_back(MoveTrial{study, trial.id, event,
                                 TrialEndCause::kCancelled,
                                 "replaced with its job", std::nullopt});
  };
  if (trial.state != TrialState::kStopping) move(TrialEvent::kRequestStop);
  if (trial.state != TrialState::kRequested) move(TrialEvent::kConfirmStop);
}

}  // namespace

bool HasEverRun(const StudySnapshot& study) {
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const std::shared_ptr<const TrialRecord> trial =
        study.trials.Share(TrialId{static_cast<std::int64_t>(n)});
    for (const AttemptRecord& attempt : trial->attempts) {
      if (WasStarted(attempt)) return true;
    }
  }
  return false;
}

bool IsVersionAlive(const StudySnapshot& study, int number) {
  if (study.live_attempts == 0) return false;
  for (const TrialId id : study.open) {
    const TrialRecord& trial = study.trials.Get(id);
    if (HasLiveAttempt(trial) && trial.attempts.back().code_version == number) {
      return true;
    }
  }
  return false;
}

void CountEnded(const TrialBrief& trial, StudySnapshot* study) {
  if (IsDeleted(trial)) return;
  ++study->ended[trial.end_cause];
  const bool has_attempt = trial.code_version > 0;
  if (has_attempt && IsJob(*study) &&
      trial.code_version < JobRunOf(*study).code_version) {
    ++study->ended_earlier[trial.end_cause];
  }
}

absl::Status Apply(const ReviseJob& change, JobRef before,
                   ChangeContext& context) {
  VERNIER_ASSIGN_OR_RETURN(
      const RememberedRequest* const seen,
      FindAnswered(context, change.request_id, change.request_digest));
  if (seen != nullptr) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(CheckRevision(change, before));
  StudySnapshot& edited = context.state.Edit(change.study);
  JobRun& run = JobRunOf(edited);
  KeepEarlierVersion(run);
  TakeOver(change, context.now, edited);
  // Others take the place of the trials that the edit ends.
  const std::vector<TrialId> outside = SuggestedOutside(edited);
  run.max_trials += static_cast<int>(outside.size());
  run.made_up_trials += static_cast<int>(outside.size());
  CountEndedEarlier(edited);
  run.ended_before_resume = edited.ended;
  Remember(change.request_id, {change.study, change.request_digest}, context);
  context.effects.rows.push_back(
      {RowChange::Kind::kJobRevised, KeyOf(change.study)});
  RecordEvent(KeyOf(change.study), "job.revised",
              JobRevisedPayload(JobOf(context.state.Edit(change.study))),
              context);
  for (const TrialId trial : outside) {
    VERNIER_RETURN_IF_ERROR(Apply(
        MoveTrial{change.study, trial, TrialEvent::kRequestStop,
                  TrialEndCause::kCancelled,
                  "it lies outside of the edited search space", std::nullopt},
        *context.state.Find(change.study), context));
  }
  return absl::OkStatus();
}

absl::Status Apply(const ReviseStudy& change, ClientStudyRef before,
                   ChangeContext& context) {
  VERNIER_ASSIGN_OR_RETURN(
      const RememberedRequest* const seen,
      FindAnswered(context, change.request_id, change.request_digest));
  if (seen != nullptr) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(CheckStudyRevision(change, before));
  StudySnapshot& edited = context.state.Edit(change.study);
  ClientRun& run = ClientRunOf(edited);
  run.edits.push_back(std::make_shared<const SpecEdit>(
      SpecEdit{SpecVersionOf(run) + 1, edited.spec, change.changes,
               change.client_data, context.now}));
  RenameMetrics(*change.spec, edited);
  edited.spec = change.spec;
  ++edited.version;
  Remember(change.request_id, {change.study, change.request_digest}, context);
  context.effects.rows.push_back(
      {RowChange::Kind::kSpecEdited,
       {change.study, TrialId{}, SpecVersionOf(run)}});
  RecordEvent(KeyOf(change.study), "study.revised",
              StudyRevisedPayload(ClientStudyOf(edited)), context);
  return absl::OkStatus();
}

absl::Status Apply(const RestartOutdated& change, JobRef before,
                   ChangeContext& context) {
  const std::vector<TrialId> open = before->open;
  for (const TrialId id : open) {
    const JobRef job = JobOf(*context.state.Find(change.study));
    const TrialRecord& trial = job->trials.Get(id);
    if (!HasLiveAttempt(trial) || trial.state == TrialState::kStopping) {
      continue;
    }
    const AttemptRecord& attempt = trial.attempts.back();
    if (attempt.code_version == job.run().code_version) continue;
    VERNIER_RETURN_IF_ERROR(Apply(
        WantKill{{change.study, id, attempt.number}, TrialEndCause::kCancelled},
        job, context));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Change>> ChangesBeforeCreate(
    const NewJob& job, const ChangeContext& context) {
  std::vector<Change> changes;
  if (!job.replaces.has_value()) return changes;
  const bool is_repeated = !job.request_id.empty() &&
                           context.state.FindRequest(job.request_id) != nullptr;
  if (is_repeated) return changes;
  const StudyId id = *job.replaces;
  VERNIER_ASSIGN_OR_RETURN(const StudySnapshot* study, FindStudy(context, id));
  const std::string name =
      job.spec == nullptr ? "" : JobIdIn(job.project, job.spec->job_id);
  const std::optional<JobRef> replaced = AsJob(*study);
  if (study->name != name || !replaced.has_value()) {
    return absl::FailedPreconditionError(
        absl::StrCat(NameOf(id), " is not the job ", name));
  }
  if (study->live_attempts > 0 || HasEverRun(*study)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the job of ", NameOf(id), " has run, and cannot be replaced"));
  }
  for (const TrialId trial : study->open) {
    Stop(id, study->trials.Get(trial), &changes);
  }
  if (!IsTerminal(replaced->run().state)) {
    if (replaced->run().state != JobState::kCancelling) {
      changes.emplace_back(MoveJob{id, JobEvent::kRequestCancel, ""});
    }
    changes.emplace_back(
        MoveJob{id, JobEvent::kConfirmCancel, "replaced before it ran"});
  }
  changes.emplace_back(DeleteJob{id});
  return changes;
}

}  // namespace vernier
