#include "suggest/ask_tell_study.h"

#include <cmath>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "study/status_macros.h"
#include "suggest/space_membership.h"

namespace vernier {
namespace {

absl::Status CheckOutcome(const TrialOutcome& outcome) {
  if (outcome.objective.has_value() && !std::isfinite(*outcome.objective)) {
    return absl::InvalidArgumentError(
        "the value must be finite; tell a trial without one as infeasible");
  }
  if (outcome.variance.has_value() &&
      !(std::isfinite(*outcome.variance) && *outcome.variance >= 0)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the variance must be finite and >= 0: ", *outcome.variance));
  }
  return absl::OkStatus();
}

}  // namespace

AskTellStudy::AskTellStudy(HyperparameterSpec spec, std::uint64_t seed)
    : spec_(std::move(spec)),
      seed_(seed),
      suggester_(MakeSuggester(spec_.algorithm)) {}

StudyView AskTellStudy::MakeView() const {
  StudyView view;
  view.space = spec_.params;
  view.goal = spec_.goal;
  view.seed = seed_;
  view.trials_created = std::ssize(trials_);
  for (const std::int64_t id : ended_) {
    const Trial& trial = trials_[static_cast<std::size_t>(id - 1)];
    view.completed.push_back({trial.suggestion.parameters,
                              trial.outcome->objective, false,
                              trial.outcome->variance});
  }
  for (const Trial& trial : trials_) {
    if (!trial.outcome.has_value()) {
      view.pending.push_back(trial.suggestion.parameters);
    }
  }
  return view;
}

absl::StatusOr<std::vector<AskTellStudy::Trial>> AskTellStudy::Ask(int count) {
  VERNIER_ASSIGN_OR_RETURN(std::vector<Suggestion> suggestions,
                           suggester_->Suggest(MakeView(), count));
  std::vector<Trial> asked;
  for (Suggestion& suggestion : suggestions) {
    asked.push_back({std::ssize(trials_) + 1, std::move(suggestion), {}});
    trials_.push_back(asked.back());
  }
  return asked;
}

absl::Status AskTellStudy::Tell(std::int64_t id, const TrialOutcome& outcome) {
  VERNIER_ASSIGN_OR_RETURN(const Trial* const found, Find(id));
  if (found->outcome.has_value()) {
    return absl::FailedPreconditionError(
        absl::StrCat("trial ", id, " has been told already"));
  }
  VERNIER_RETURN_IF_ERROR(CheckOutcome(outcome));
  trials_[static_cast<std::size_t>(id - 1)].outcome = outcome;
  ended_.push_back(id);
  return absl::OkStatus();
}

absl::StatusOr<std::int64_t> AskTellStudy::Add(Parameters parameters,
                                               const TrialOutcome& outcome) {
  VERNIER_RETURN_IF_ERROR(CheckFitsSpace(spec_.params, parameters));
  VERNIER_RETURN_IF_ERROR(CheckOutcome(outcome));
  Trial trial{std::ssize(trials_) + 1, {std::move(parameters), {}}, outcome};
  trial.suggestion.record.method = SuggestionMethod::kUser;
  trials_.push_back(std::move(trial));
  ended_.push_back(trials_.back().id);
  return trials_.back().id;
}

absl::StatusOr<const AskTellStudy::Trial*> AskTellStudy::Find(
    std::int64_t id) const {
  if (id < 1 || id > std::ssize(trials_)) {
    return absl::NotFoundError(absl::StrCat("there is no trial ", id,
                                            "; the last is ", trials_.size()));
  }
  return &trials_[static_cast<std::size_t>(id - 1)];
}

absl::StatusOr<std::optional<AskTellStudy::Best>> AskTellStudy::FindBest()
    const {
  const StudyView view = MakeView();
  const std::optional<Recommendation> seen = BestObserved(view);
  if (!seen.has_value()) return std::nullopt;
  VERNIER_ASSIGN_OR_RETURN(const std::optional<Recommendation> recommended,
                           suggester_->Recommend(view));
  const auto trial = [&](const Recommendation& of) {
    return &trials_[static_cast<std::size_t>(ended_[of.completed] - 1)];
  };
  return Best{trial(*seen), trial(recommended.value_or(*seen)),
              recommended.value_or(*seen).prediction};
}

}  // namespace vernier
