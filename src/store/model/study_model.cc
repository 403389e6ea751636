#include "store/model/study_model.h"

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "store/events/event_payload.h"
#include "store/metric_names.h"
#include "store/model/change_rules.h"

namespace vernier {

namespace {

template <typename T, typename... Choices>
constexpr bool kIsOneOf = (std::is_same_v<T, Choices> || ...);

// A study of clients takes the others only while it is active.
template <typename T>
constexpr bool kIsTakenAlways =
    kIsOneOf<T, WriteNote, UpdateMetadata, MoveStudy, ReviseStudy, DeleteStudy>;

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

// Applies a change in which kNewestTrial may stand for a trial. `study` is what
// its rule takes.
template <typename T, typename Study>
absl::Status ApplyResolved(const T& change, const Study& study,
                           ChangeContext& context) {
  bool is_named = true;
  ForEachTrialOf(change, [&](const TrialId& trial) {
    is_named = is_named && trial != kNewestTrial;
  });
  if (is_named) return Apply(change, study, context);
  T resolved = change;
  const StudySnapshot& before = study;
  const std::size_t count = before.trials.size();
  ForEachTrialOf(resolved, [&](TrialId& trial) {
    if (trial == kNewestTrial)
      trial = TrialId{static_cast<std::int64_t>(count)};
  });
  return Apply(resolved, study, context);
}

template <typename T>
absl::Status CheckTakes(ClientStudyRef study) {
  if (kIsTakenAlways<T> || study.run().state == StudyState::kActive) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      study->name, " is ", std::string(ToString(study.run().state)),
      ", and only an ACTIVE study changes"));
}

// Whether a study is a job is decided here, once for all rules: jobs and
// studies of clients allow different changes.
template <typename T>
absl::Status ApplyOne(const StudyChange& /*kind*/, const T& change,
                      const StudySnapshot& study, ChangeContext& context) {
  if (const auto client = AsClientStudy(study)) {
    VERNIER_RETURN_IF_ERROR(CheckTakes<T>(*client));
  }
  return ApplyResolved(change, study, context);
}

template <typename T>
absl::Status ApplyOne(const JobChange& /*kind*/, const T& change,
                      const StudySnapshot& study, ChangeContext& context) {
  const std::optional<JobRef> job = AsJob(study);
  if (!job.has_value()) {
    return absl::FailedPreconditionError(
        absl::StrCat(study.name, " is no job: its clients run it"));
  }
  return ApplyResolved(change, *job, context);
}

template <typename T>
absl::Status ApplyOne(const ClientChange& /*kind*/, const T& change,
                      const StudySnapshot& study, ChangeContext& context) {
  const std::optional<ClientStudyRef> client = AsClientStudy(study);
  if (!client.has_value()) {
    return absl::FailedPreconditionError(
        absl::StrCat(NameOf(study.id), " is of the job ", study.name,
                     ": the service runs it"));
  }
  VERNIER_RETURN_IF_ERROR(CheckTakes<T>(*client));
  return ApplyResolved(change, *client, context);
}

}  // namespace

absl::Status ApplyChange(const Change& change, ChangeContext& context) {
  return std::visit(
      [&](const auto& kind) {
        return std::visit(
            [&](const auto& one) -> absl::Status {
              VERNIER_ASSIGN_OR_RETURN(const StudySnapshot* const study,
                                       FindStudy(context, StudyOf(one)));
              return ApplyOne(kind, one, *study, context);
            },
            kind);
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
  const FormerNames& names = context.state.Find(study)->spec->renamed_from;
  // Events have the names that rows have, so that the two add up.
  RecordEvent(key, absl::StrCat("trial.", std::string(ToString(trial.state))),
              TrialMovedPayload(from, *RecordedTrial(names, trial)), context);
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
