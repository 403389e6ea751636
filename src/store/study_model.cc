#include "store/study_model.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "store/change_rules.h"
#include "study/status_macros.h"

namespace vernier {

absl::Status ApplyChange(const Change& change, ChangeContext& context) {
  return std::visit([&](const auto& one) { return Apply(one, context); },
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
  return found->trials.Share(trial);
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
