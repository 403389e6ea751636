// JobService::ReviseJob: the parts that touch the disk and the store.
// job_revision.cc decides.

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/model/working_state.h"
#include "study/job_file/code_notes.h"
#include "study/job_id.h"
#include "trials/jobs/job_versions.h"
#include "trials/request_id.h"
#include "trials/submission/job_packages.h"
#include "trials/submission/job_service.h"
#include "trials/submission/job_state_error.h"
#include "trials/submission/spec_difference.h"
#include "trials/submission/submitted_code.h"
#include "trials/submission/submitted_folders.h"
#include "trials/submission/submitted_secrets.h"

namespace vernier {
namespace {

bool IsOpen(const StudyRecord& job) {
  return !IsTerminal(job.run->state) && job.run->wanted == JobWanted::kRun;
}

// Whether the job may be replaced: nothing of it is worth keeping, and nothing
// of it can start now.
bool MayBeReplaced(const StudySnapshot& study, const JobRevision& asked) {
  return asked.job.has_value() && (asked.goes_on || asked.validate_only) &&
         study.live_attempts == 0 && study.run->state != JobState::kSucceeded &&
         !HasEverRun(study);
}

RevisedJob Unchanged(std::shared_ptr<const StudySnapshot> study) {
  RevisedJob answer;
  answer.study = std::move(study);
  return answer;
}

// The answer to the caller for a plan.
RevisedJob Told(const StudySnapshot& before, const RevisionPlan& plan,
                std::shared_ptr<const StudySnapshot> now) {
  RevisedJob answer;
  answer.changes = plan.changes;
  answer.made_up_trials = plan.made_up_trials - before.run->made_up_trials;
  answer.has_more_trials = plan.max_trials > before.run->max_trials;
  answer.study = std::move(now);
  return answer;
}

// Whether a request was answered before; `digests` are those it may have had.
absl::StatusOr<bool> WasAnswered(const Store& store,
                                 const std::string& request_id,
                                 std::initializer_list<std::uint64_t> digests) {
  if (request_id.empty()) return false;
  const auto seen = store.FindRequest(request_id);
  if (absl::IsNotFound(seen.status())) return false;
  if (!seen.ok()) return seen.status();
  for (const std::uint64_t digest : digests) {
    if (seen->digest == digest) return true;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("request id was used for something else: ", request_id));
}

absl::Status CheckIsNotStopping(const StudyRecord& job) {
  if (IsTerminal(job.run->state) || !IsStopping(job)) return absl::OkStatus();
  return WrongState(job, "it is being stopped, and can go on when it is final");
}

int CountOutdated(const StudySnapshot& study) {
  int count = 0;
  for (const TrialId id : study.open) {
    const TrialRecord& trial = study.trials.Get(id);
    if (!IsToStartAgain(trial)) continue;
    const AttemptRecord& attempt = trial.attempts.back();
    count += !IsTerminal(attempt.state) &&
             attempt.kill_cause == TrialEndCause::kCancelled;
  }
  return count;
}

// The job has all its trials, and the request adds none.
absl::Status CheckHasMoreToDo(const StudySnapshot& study,
                              const JobRevision& asked,
                              const RevisionPlan& plan) {
  const bool is_done = study.run->state == JobState::kSucceeded &&
                       plan.max_trials <= study.run->max_trials;
  if (!asked.goes_on || asked.validate_only || !is_done) {
    return absl::OkStatus();
  }
  return WrongState(study, "raise maxTrials to run more trials");
}

// The job that is asked for, with its machine types resolved, if what it names
// is there and may be used.
absl::StatusOr<ParsedJob> Checked(ParsedJob given, const JobRevision& asked,
                                  const std::string& project, JobFiles& files,
                                  const MachineTypeTable& machine_types) {
  VERNIER_RETURN_IF_ERROR(CheckPackageUris(given));
  if (!asked.code_dir.empty()) {
    VERNIER_RETURN_IF_ERROR(files.CheckCodeFolder(asked.code_dir));
  }
  if (!asked.job.has_value()) return given;
  VERNIER_ASSIGN_OR_RETURN(given, ResolveMachineTypes(given, machine_types));
  VERNIER_RETURN_IF_ERROR(CheckFolders(given.spec, files));
  VERNIER_RETURN_IF_ERROR(files.CheckBuckets(given.spec, project));
  return given;
}

}  // namespace

absl::StatusOr<RevisedCode> JobService::CompareCode(
    const StudyRecord& job, const JobRevision& asked,
    const ParsedJob& given) const {
  RevisedCode code{job.run->code_dir, job.run->code_digest, false};
  if (!asked.job.has_value() && asked.code_dir.empty()) return code;
  const std::string& source = given.spec.vernier.code_dir;
  VERNIER_ASSIGN_OR_RETURN(
      code.digest,
      dependencies_.files.DigestCode(source, given.spec.training_input.job_dir,
                                     given.spec.training_input.package_uris));
  code.is_new = code.digest != job.run->code_digest ||
                source.empty() != job.run->code_dir.empty();
  if (source.empty()) code.dir.clear();
  return code;
}

absl::StatusOr<RevisedJob> JobService::ReviseJob(const std::string& job_id,
                                                 JobRevision asked) {
  VERNIER_RETURN_IF_ERROR(CheckRequestId(asked.request_id));
  VERNIER_ASSIGN_OR_RETURN(const auto study, GetJob(job_id));
  const std::string project = SplitJobId(job_id).project;
  asked.request_id = RequestIdIn(project, asked.request_id);
  VERNIER_ASSIGN_OR_RETURN(ParsedJob given, CompleteRevision(*study, asked));
  VERNIER_ASSIGN_OR_RETURN(
      given, Checked(std::move(given), asked, project, dependencies_.files,
                     options_.machine_types));
  // Removed again unless the job gets them.
  VERNIER_ASSIGN_OR_RETURN(
      SubmittedSecrets secrets,
      SubmittedSecrets::Keep(dependencies_.files, asked.request_id,
                             study->run->spec->vernier.secrets_file, &given));
  // A job that does not change keeps its copies.
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
                  {DigestOf(*study, asked), vernier::DigestOf(given.json)}));
  if (is_repeated) return Unchanged(study);
  if (!asked.validate_only) VERNIER_RETURN_IF_ERROR(CheckIsNotStopping(*study));

  VERNIER_ASSIGN_OR_RETURN(RevisedCode code, CompareCode(*study, asked, given));
  const auto plan = PlanRevision(*study, asked, given, code.is_new);
  const bool is_as_asked = plan.ok() && plan->changes.empty() && IsOpen(*study);
  if (!is_as_asked && MayBeReplaced(*study, asked)) {
    if (!asked.validate_only) {
      auto replaced = Replace(*study, asked, given);
      if (replaced.ok()) secrets.Commit();
      return replaced;
    }
    RevisedJob answer =
        plan.ok() ? Told(*study, *plan, study) : Unchanged(study);
    answer.is_replaced = true;
    return answer;
  }
  VERNIER_RETURN_IF_ERROR(plan.status());
  VERNIER_RETURN_IF_ERROR(CheckHasMoreToDo(*study, asked, *plan));
  if (!asked.validate_only) {
    auto revised = Revise(*study, asked, given, packages ? &*packages : nullptr,
                          std::move(code), *plan);
    if (revised.ok()) secrets.Commit();
    return revised;
  }
  return Told(*study, *plan, study);
}

absl::StatusOr<RevisedJob> JobService::Replace(const StudySnapshot& study,
                                               const JobRevision& asked,
                                               const ParsedJob& given) {
  RevisedJob answer;
  VERNIER_ASSIGN_OR_RETURN(answer.study,
                           Create(given, asked.request_id,
                                  SplitJobId(study.name).project, study.id));
  answer.is_replaced = true;
  dependencies_.files.Remove(study);
  DropSecretsOf(study, dependencies_.files, given.spec.vernier.secrets_file);
  return answer;
}

absl::StatusOr<RevisedJob> JobService::Revise(const StudySnapshot& study,
                                              const JobRevision& asked,
                                              const ParsedJob& given,
                                              SubmittedPackages* packages,
                                              RevisedCode code,
                                              const RevisionPlan& plan) {
  std::optional<SubmittedCode> pinned;
  std::vector<std::string> notes = CodeNotesOf(study.run->spec_json);
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
  const std::vector<Change> changes =
      ChangesOf(plan, study, asked, noted, code);
  if (changes.empty()) {
    VERNIER_ASSIGN_OR_RETURN(auto now, GetJob(study.name));
    return Told(study, plan, std::move(now));
  }
  // They are in place before any attempt can need them.
  if (packages != nullptr) packages->Keep(study);
  VERNIER_ASSIGN_OR_RETURN(auto now, CommitAndGet(changes, study.id));
  if (pinned.has_value()) pinned->KeepFor(*now);
  RevisedJob answer = Told(study, plan, std::move(now));
  if (asked.restarts) answer.restarted = CountOutdated(*answer.study);
  DropUnusedCode(answer.study);
  return answer;
}

// New attempts run the newest version only, so other unused copies can go.
void JobService::DropUnusedCode(
    const std::shared_ptr<const StudySnapshot>& study) {
  const std::set<std::string> used = CodeInUse({{study->id, study}});
  for (const auto& version : study->run->earlier_versions) {
    const std::string& dir = version->code_dir;
    if (!dir.empty() && used.count(dir) == 0) dependencies_.files.DropCode(dir);
  }
}

}  // namespace vernier
