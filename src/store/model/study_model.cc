#include "store/model/study_model.h"

#include <type_traits>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "store/events/event_payload.h"
#include "store/model/change_rules.h"

namespace vernier {

namespace {

template <typename T, typename... Choices>
constexpr bool kIsOneOf = (std::is_same_v<T, Choices> || ...);

template <typename T>
constexpr bool kIsForJobs =
    kIsOneOf<T, QueuePoints, IntendLaunch, ObserveAttempt, WantKill, EndAttempt,
             MoveJob, SetJobWanted, UpdateLabels, ExtendJob, ReviseJob,
             RestartOutdated, CheckpointJob, CountFailures, DeleteJob>;
template <typename T>
constexpr bool kIsForClients =
    kIsOneOf<T, MoveStudy, AssignTrial, DeleteTrial, ReviseStudy, GrowStudySpec,
             SetTrialParameter, RecordOperation, DeleteStudy>;
template <typename T>
constexpr bool kNeedsActiveStudy =
    !kIsOneOf<T, MoveStudy, WriteNote, UpdateMetadata, ReviseStudy,
              DeleteStudy>;

template <typename T>
StudyId StudyOf(const T& change) {
  if constexpr (requires { change.attempt.study; }) {
    return change.attempt.study;
  } else {
    return change.study;
  }
}

// Calls `use` with the change's places for a trial's number.
template <typename T, typename Use>
void ForEachTrialOf(T& change, const Use& use) {
  if constexpr (requires { change.updates; }) {
    for (auto& update : change.updates) {
      if (update.trial.has_value()) use(*update.trial);
    }
  } else if constexpr (requires { change.attempt.trial; }) {
    use(change.attempt.trial);
  } else if constexpr (requires { change.trial; }) {
    use(change.trial);
  }
}

// Applies a change in which kNewestTrial may stand for a trial.
template <typename T>
absl::Status ApplyResolved(const T& change, ChangeContext& context) {
  bool is_named = true;
  ForEachTrialOf(change, [&](const TrialId& trial) {
    is_named = is_named && trial != kNewestTrial;
  });
  if (is_named) return Apply(change, context);
  T resolved = change;
  const std::size_t count = context.state.Find(StudyOf(change))->trials.size();
  ForEachTrialOf(resolved, [&](TrialId& trial) {
    if (trial == kNewestTrial)
      trial = TrialId{static_cast<std::int64_t>(count)};
  });
  return Apply(resolved, context);
}

// Jobs and studies of clients allow different changes.
template <typename T>
absl::Status CheckRunner(const T& change, const ChangeContext& context) {
  VERNIER_ASSIGN_OR_RETURN(const StudySnapshot* study,
                           FindStudy(context, StudyOf(change)));
  if (study->run.has_value()) {
    if constexpr (!kIsForClients<T>) return absl::OkStatus();
    return absl::FailedPreconditionError(
        absl::StrCat(NameOf(study->id), " is of the job ", study->name,
                     ": the service runs it"));
  }
  if constexpr (kIsForJobs<T>) {
    return absl::FailedPreconditionError(
        absl::StrCat(study->name, " is no job: its clients run it"));
  }
  if (kNeedsActiveStudy<T> && study->state != StudyState::kActive) {
    return absl::FailedPreconditionError(
        absl::StrCat(study->name, " is ", std::string(ToString(study->state)),
                     ", and only an ACTIVE study changes"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ApplyChange(const Change& change, ChangeContext& context) {
  return std::visit(
      [&](const auto& one) -> absl::Status {
        VERNIER_RETURN_IF_ERROR(CheckRunner(one, context));
        return ApplyResolved(one, context);
      },
      change);
}

absl::StatusOr<const StudySnapshot*> FindStudy(const ChangeContext& context,
                                               StudyId study) {
  const StudySnapshot* found = context.state.Find(study);
  if (found == nullptr) {
    return absl::NotFoundError(absl::StrCat("no such study: ", ToInt(study)));
  }
  return found;
}

absl::StatusOr<std::shared_ptr<const TrialRecord>> FindTrial(
    const ChangeContext& context, StudyId study, TrialId trial) {
  VERNIER_ASSIGN_OR_RETURN(const StudySnapshot* found,
                           FindStudy(context, study));
  if (ToInt(trial) < 1 ||
      static_cast<std::size_t>(ToInt(trial)) > found->trials.size()) {
    return absl::NotFoundError(
        absl::StrCat("no such trial: ", ToInt(trial), " of study ",
                     ToInt(study), ", which has ", found->trials.size()));
  }
  std::shared_ptr<const TrialRecord> record = found->trials.Share(trial);
  if (record->deleted_at.has_value()) {
    return absl::NotFoundError(
        absl::StrCat(NameOf(study, trial), " was deleted"));
  }
  return record;
}

absl::StatusOr<std::shared_ptr<const TrialRecord>> FindAttempt(
    const ChangeContext& context, const AttemptKey& attempt) {
  VERNIER_ASSIGN_OR_RETURN(std::shared_ptr<const TrialRecord> trial,
                           FindTrial(context, attempt.study, attempt.trial));
  if (attempt.number < 1 ||
      static_cast<std::size_t>(attempt.number) > trial->attempts.size()) {
    return absl::NotFoundError(
        absl::StrCat("no such attempt: ", attempt.number, " of ",
                     NameOf(attempt.study, attempt.trial), ", which has ",
                     trial->attempts.size()));
  }
  return trial;
}

absl::Status CheckUtf8(const std::string& what, const std::string& text) {
  if (FindInvalidUtf8(text) == std::string::npos) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(what, " must be UTF-8"));
}

std::string NameOf(StudyId study) {
  return absl::StrCat("study ", ToInt(study));
}

std::string NameOf(StudyId study, TrialId trial) {
  return absl::StrCat("trial ", ToInt(study), "/", ToInt(trial));
}

std::string NameOf(const AttemptKey& attempt) {
  return absl::StrCat("attempt ", ToInt(attempt.study), "/",
                      ToInt(attempt.trial), "/", attempt.number);
}

bool HasLiveAttempt(const TrialRecord& trial) {
  return !trial.attempts.empty() && !IsTerminal(trial.attempts.back().state);
}

void RecordTrialMove(StudyId study, TrialState from, const TrialRecord& trial,
                     ChangeContext& context) {
  const AttemptKey key{study, trial.id, 0};
  context.effects.rows.push_back({RowChange::Kind::kTrialChanged, key});
  RecordEvent(key, absl::StrCat("trial.", std::string(ToString(trial.state))),
              TrialMovedPayload(from, trial), context);
}

void RecordEvent(const AttemptKey& key, std::string kind, std::string payload,
                 ChangeContext& context) {
  Event event;
  event.sequence = context.state.NextEvent();
  event.study = key.study;
  if (ToInt(key.trial) != 0) event.trial = key.trial;
  event.attempt = key.number;
  event.kind = std::move(kind);
  event.payload = std::move(payload);
  event.at = context.now;
  context.state.Edit(key.study).last_event = event.sequence;
  context.effects.events.push_back(std::move(event));
}

}  // namespace vernier
