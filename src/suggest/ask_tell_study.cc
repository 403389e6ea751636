#include "suggest/ask_tell_study.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "suggest/space/space_membership.h"
#include "suggest/suggester_factory.h"

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

AskTellStudy::AskTellStudy(HyperparameterSpec spec, std::uint64_t seed,
                           std::optional<Lease> lease,
                           std::unique_ptr<Suggester> suggester)
    : spec_(std::move(spec)),
      seed_(seed),
      lease_(lease),
      suggester_(suggester != nullptr ? std::move(suggester)
                                      : MakeSuggester(spec_.algorithm)) {}

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
    if (!trial.outcome.has_value() && !trial.is_abandoned) {
      view.pending.push_back(trial.suggestion.parameters);
    }
  }
  return view;
}

void AskTellStudy::EndLeases() {
  if (!lease_.has_value()) return;
  const SteadyTime now = lease_->clock->Steady();
  for (Trial& trial : trials_) {
    if (trial.outcome.has_value() || trial.is_abandoned ||
        now - trial.asked_at < lease_->length) {
      continue;
    }
    trial.is_abandoned = true;
    ForgetAhead();
  }
}

void AskTellStudy::ForgetAhead() {
  ahead_.clear();
  has_nothing_ahead_ = false;
}

absl::Status AskTellStudy::ChooseAhead(int count) {
  const int missing = count - static_cast<int>(ahead_.size());
  if (missing <= 0) return absl::OkStatus();
  StudyView view = MakeView();
  // A batch gives the same points as single calls with the earlier points
  // pending.
  for (const Suggestion& suggestion : ahead_) {
    view.pending.push_back(suggestion.parameters);
    ++view.trials_created;
  }
  VERNIER_ASSIGN_OR_RETURN(std::vector<Suggestion> suggestions,
                           suggester_->Suggest(view, missing));
  for (Suggestion& suggestion : suggestions) {
    ahead_.push_back(std::move(suggestion));
  }
  return absl::OkStatus();
}

bool AskTellStudy::Prepare() {
  EndLeases();
  const int wanted = std::min(last_count_, kMostAhead);
  const int chosen = static_cast<int>(ahead_.size());
  if (has_nothing_ahead_ || chosen >= wanted) return false;
  // An error is dropped here, because the next Ask meets it again and reports
  // it.
  has_nothing_ahead_ = !ChooseAhead(chosen + 1).ok();
  return !has_nothing_ahead_ && chosen + 1 < wanted;
}

absl::StatusOr<std::vector<AskTellStudy::Trial>> AskTellStudy::Ask(int count) {
  EndLeases();
  const absl::Status status = ChooseAhead(count);
  // If the space is used up, the points that were chosen before are still
  // given.
  const bool is_used_up = absl::IsResourceExhausted(status);
  if (!status.ok() && (ahead_.empty() || !is_used_up)) return status;
  last_count_ = count;
  const SteadyTime now =
      lease_.has_value() ? lease_->clock->Steady() : SteadyTime{};
  std::vector<Trial> asked;
  while (!ahead_.empty() && std::ssize(asked) < count) {
    asked.push_back(
        {std::ssize(trials_) + 1, std::move(ahead_.front()), {}, now});
    ahead_.pop_front();
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
  ForgetAhead();
  return absl::OkStatus();
}

absl::Status AskTellStudy::Abandon(std::int64_t id) {
  VERNIER_ASSIGN_OR_RETURN(const Trial* const found, Find(id));
  if (found->outcome.has_value()) {
    return absl::FailedPreconditionError(
        absl::StrCat("trial ", id, " has its outcome"));
  }
  trials_[static_cast<std::size_t>(id - 1)].is_abandoned = true;
  ForgetAhead();
  return absl::OkStatus();
}

absl::StatusOr<std::int64_t> AskTellStudy::Add(Parameters parameters,
                                               const TrialOutcome& outcome) {
  VERNIER_RETURN_IF_ERROR(CheckFitsSpace(spec_.params, parameters));
  VERNIER_RETURN_IF_ERROR(CheckOutcome(outcome));
  Trial trial;
  trial.id = std::ssize(trials_) + 1;
  trial.suggestion.parameters = std::move(parameters);
  trial.outcome = outcome;
  trial.suggestion.record.method = SuggestionMethod::kUser;
  trials_.push_back(std::move(trial));
  ended_.push_back(trials_.back().id);
  ForgetAhead();
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
