#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/stable_digest.h"
#include "base/status_macros.h"
#include "store/events/event_payload.h"
#include "store/model/change_rules.h"
#include "study/job_file/code_notes.h"
#include "study/job_id.h"

namespace vernier {
namespace {

std::string StateText(JobState state) { return std::string(ToString(state)); }

// Returns the kind of the event for entering this state, such as "job.running".
std::string KindOf(JobState state) {
  std::string kind = absl::StrCat("job.", StateText(state));
  for (char& c : kind) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return kind;
}

void Record(StudyId study, RowChange::Kind kind, ChangeContext& context) {
  context.effects.rows.push_back({kind, KeyOf(study)});
}

// Returns the job for a change, with its version raised and its row marked.
JobRun& EditJob(StudyId study, ChangeContext& context) {
  StudySnapshot& edited = context.state.Edit(study);
  ++edited.version;
  Record(study, RowChange::Kind::kJobChanged, context);
  return JobRunOf(edited);
}

// When a user resumes a job, its counts of failures start again.
void BeginFailureCountsAnew(StudyId study, ChangeContext& context) {
  StudySnapshot& edited = context.state.Edit(study);
  JobRun& job = JobRunOf(edited);
  job.consecutive_failures = 0;
  job.consecutive_instant_failures = 0;
  job.ended_before_resume = edited.ended;
}

std::string JobIdOf(const NewJob& job) {
  return JobIdIn(job.project, job.spec->job_id);
}

absl::Status CheckNewJob(const NewJob& job, const ChangeContext& context) {
  if (job.spec == nullptr || JobIdOf(job).empty()) {
    return absl::InvalidArgumentError("a new job needs a spec with a job id");
  }
  VERNIER_RETURN_IF_ERROR(CheckProjectId(job.project));
  if (job.resumed_study.has_value()) {
    VERNIER_RETURN_IF_ERROR(FindStudy(context, *job.resumed_study).status());
  }
  if (context.state.FindJob(JobIdOf(job)).has_value()) {
    return absl::AlreadyExistsError(
        absl::StrCat("a job of this name exists: ", JobIdOf(job)));
  }
  return CheckHasRoomForStudy(job.project, job.max_studies, context);
}

std::shared_ptr<StudySnapshot> MakeJobStudy(const NewJob& job, StudyId id,
                                            Timestamp now) {
  auto study = std::make_shared<StudySnapshot>();
  study->id = id;
  study->name = JobIdOf(job);
  study->spec = std::make_shared<const StudySpec>(StudySpecOfStored(*job.spec));
  study->seed = job.seed;
  study->labels = job.spec->labels;
  study->created_at = now;
  JobRun& run = study->run.emplace<JobRun>();
  run.spec = job.spec;
  run.spec_json = job.spec_json;
  run.ignored_fields = job.ignored_fields;
  run.max_trials = MaxTrials(*job.spec);
  run.code_dir = job.code_dir;
  run.code_digest = job.code_digest;
  run.version_at = now;
  run.run_dir = absl::StrCat(job.run_root, "/", ToInt(id));
  run.resumed_study = job.resumed_study;
  return study;
}

}  // namespace

absl::Status CheckHasRoomForStudy(const std::string& project,
                                  const std::optional<int>& max_studies,
                                  const ChangeContext& context) {
  if (!max_studies.has_value()) return absl::OkStatus();
  const int studies = context.state.CountStudies(project);
  if (studies < *max_studies) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "project ", project, " has ", studies, " of ", *max_studies,
      " studies that its quota allows (max_studies: jobs, final ones too, and "
      "studies that clients run); delete one, or have the quota raised"));
}

absl::StatusOr<StudyId> ApplyCreateJob(const NewJob& job,
                                       ChangeContext& context) {
  // The service's notes about the copied code are no part of the request. They
  // may differ when it is repeated.
  const std::uint64_t digest = StableDigest(WithoutCodeNotes(job.spec_json));
  VERNIER_ASSIGN_OR_RETURN(const RememberedRequest* const seen,
                           FindAnswered(context, job.request_id, digest));
  if (seen != nullptr) return seen->study;
  VERNIER_RETURN_IF_ERROR(CheckNewJob(job, context));

  const StudyId id{ToInt(context.state.last_study()) + 1};
  std::shared_ptr<StudySnapshot> study = MakeJobStudy(job, id, context.now);
  std::string payload = JobCreatedPayload(JobOf(*study));
  context.state.AddStudy(std::move(study));
  Remember(job.request_id, {id, digest}, context);
  Record(id, RowChange::Kind::kStudyAdded, context);
  RecordEvent(KeyOf(id), "job.created", std::move(payload), context);
  VERNIER_RETURN_IF_ERROR(
      AppendToQueue(id, job.spec->vernier.initial_points, context));
  return id;
}

absl::Status Apply(const MoveJob& change, JobRef before,
                   ChangeContext& context) {
  const JobState from = before.run().state;
  const std::optional<JobState> to = Next(from, change.event);
  if (!to.has_value()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "illegal move of the job of ", NameOf(change.study), ": event ",
        static_cast<int>(change.event), " in state ", StateText(from)));
  }
  if (IsTerminal(*to) && !before->open.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the job of ", NameOf(change.study), " cannot become ", StateText(*to),
        " while ", before->open.size(), " of its trials are not final"));
  }
  JobRun& job = EditJob(change.study, context);
  job.state = *to;
  if (!change.error_message.empty()) job.error_message = change.error_message;
  if (*to == JobState::kRunning && !job.started_at.has_value()) {
    job.started_at = context.now;
  }
  if (IsTerminal(*to)) job.ended_at = context.now;
  if (change.event == JobEvent::kReopen) {
    job.wanted = JobWanted::kRun;
    job.wanted_cause = WantedCause::kNone;
    job.wanted_reason.clear();
    job.error_message.clear();
    job.ended_at.reset();
    BeginFailureCountsAnew(change.study, context);
  }
  RecordEvent(KeyOf(change.study), KindOf(*to), JobMovedPayload(from, job),
              context);
  return absl::OkStatus();
}

absl::Status Apply(const SetJobWanted& change, JobRef before,
                   ChangeContext& context) {
  if (IsTerminal(before.run().state)) {
    return absl::FailedPreconditionError(
        absl::StrCat("the job of ", NameOf(change.study), " is ",
                     StateText(before.run().state), "; nothing can be wanted"));
  }
  // The caller may have read the state before the end was asked for.
  const bool is_ending = before.run().wanted == JobWanted::kStop ||
                         before.run().wanted == JobWanted::kFail;
  const bool goes_on =
      change.wanted == JobWanted::kRun || change.wanted == JobWanted::kPause;
  if (is_ending && goes_on) {
    return absl::FailedPreconditionError(
        absl::StrCat("the job of ", NameOf(change.study),
                     " is being ended: ", before.run().wanted_reason));
  }
  JobRun& job = EditJob(change.study, context);
  if (job.wanted != JobWanted::kRun && change.wanted == JobWanted::kRun) {
    BeginFailureCountsAnew(change.study, context);
  }
  job.wanted = change.wanted;
  job.wanted_cause = change.cause;
  job.wanted_reason = change.reason;
  RecordEvent(KeyOf(change.study), "job.wanted", JobWantedPayload(job),
              context);
  return absl::OkStatus();
}

absl::Status Apply(const UpdateLabels& change, JobRef before,
                   ChangeContext& context) {
  if (change.expected_version.has_value() &&
      *change.expected_version != before->version) {
    return absl::AbortedError(absl::StrCat(
        "the job of ", NameOf(change.study), " has changed: version ",
        before->version, ", expected ", *change.expected_version));
  }
  EditJob(change.study, context);
  StudyRecord& job = context.state.Edit(change.study);
  job.labels = change.labels;
  RecordEvent(KeyOf(change.study), "job.labels", JobLabelsPayload(job),
              context);
  return absl::OkStatus();
}

absl::Status Apply(const ExtendJob& change, JobRef before,
                   ChangeContext& context) {
  if (change.max_trials < before.run().max_trials) {
    return absl::FailedPreconditionError(absl::StrCat(
        "max_trials of ", NameOf(change.study),
        " cannot fall: ", change.max_trials, " < ", before.run().max_trials));
  }
  const int made_up =
      change.made_up_trials.value_or(before.run().made_up_trials);
  if (made_up < 0 || made_up >= change.max_trials) {
    return absl::InvalidArgumentError(absl::StrCat(
        "of ", change.max_trials, " trials of ", NameOf(change.study), ", ",
        made_up, " cannot make up for others"));
  }
  if (change.max_trials == before.run().max_trials &&
      made_up == before.run().made_up_trials) {
    return absl::OkStatus();
  }
  JobRun& job = EditJob(change.study, context);
  job.max_trials = change.max_trials;
  job.made_up_trials = made_up;
  RecordEvent(KeyOf(change.study), "job.extended", JobExtendedPayload(job),
              context);
  return absl::OkStatus();
}

absl::Status Apply(const CheckpointJob& change, JobRef /*before*/,
                   ChangeContext& context) {
  if (change.waited_for.count() < 0 || change.ran_for.count() < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "times of ", NameOf(change.study), " must be >= 0: waited ",
        change.waited_for.count(), " us, ran ", change.ran_for.count(), " us"));
  }
  // This raises no version, since an etag must not become stale as time passes.
  JobRun& job = JobRunOf(context.state.Edit(change.study));
  job.waited_for = change.waited_for;
  job.ran_for = change.ran_for;
  Record(change.study, RowChange::Kind::kJobChanged, context);
  return absl::OkStatus();
}

absl::Status Apply(const CountFailures& change, JobRef /*before*/,
                   ChangeContext& context) {
  if (change.consecutive_failures < 0 ||
      change.consecutive_instant_failures < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "counts of ", NameOf(change.study),
        " must be >= 0: ", change.consecutive_failures, " failures, ",
        change.consecutive_instant_failures, " instant ones"));
  }
  JobRun& job = JobRunOf(context.state.Edit(change.study));
  job.consecutive_failures = change.consecutive_failures;
  job.consecutive_instant_failures = change.consecutive_instant_failures;
  Record(change.study, RowChange::Kind::kJobChanged, context);
  return absl::OkStatus();
}

absl::Status Apply(const DeleteJob& change, JobRef before,
                   ChangeContext& context) {
  if (!IsTerminal(before.run().state)) {
    return absl::FailedPreconditionError(
        absl::StrCat("the job of ", NameOf(change.study), " is ",
                     StateText(before.run().state), "; cancel it first"));
  }
  RecordEvent(KeyOf(change.study), "job.deleted", JobDeletedPayload(before),
              context);
  Record(change.study, RowChange::Kind::kStudyRemoved, context);
  context.state.RemoveStudy(change.study);
  return absl::OkStatus();
}

}  // namespace vernier
