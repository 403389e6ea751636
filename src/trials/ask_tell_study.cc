#include "trials/ask_tell_study.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "suggest/curves/learn_from_curves.h"
#include "suggest/curves/put_curve.h"
#include "suggest/space/constrained_space.h"
#include "suggest/space/space_membership.h"
#include "suggest/stopping/stopping_policy_factory.h"
#include "suggest/suggester_factory.h"
#include "trials/engine/study_view.h"
#include "trials/engine/waiting_proposals.h"
#include "trials/results/final_values.h"

namespace vernier {
namespace {

// Points may be chosen before Ask needs them: they are in ahead_, pending in
// the view, and Ask moves them over to study_. This changes no answer, because
// a batch of points is chosen in the same way, each with those before it
// pending. Everything else that changes the view of the suggester drops the
// chosen points (ForgetAhead).

absl::Status CheckOutcome(const TrialOutcome& outcome) {
  if (outcome.variance.has_value() &&
      !(std::isfinite(*outcome.variance) && *outcome.variance >= 0)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the variance must be finite and >= 0: ", *outcome.variance));
  }
  if (outcome.duration.has_value() &&
      !(std::isfinite(*outcome.duration) && *outcome.duration > 0)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the duration must be finite and > 0: ", *outcome.duration));
  }
  return absl::OkStatus();
}

// Returns whether the trial has its outcome. A trial that was abandoned has
// failed, like one whose machine was lost, but it has no outcome, which may
// still be told.
bool HasOutcome(const TrialRecord& trial) {
  return IsTerminal(trial.state) && trial.state != TrialState::kFailed;
}

std::shared_ptr<const TrialRecord> MakeTrial(std::size_t number,
                                             Suggestion suggestion) {
  auto trial = std::make_shared<TrialRecord>();
  trial->id = TrialId{static_cast<std::int64_t>(number)};
  trial->parameters = std::move(suggestion.parameters);
  trial->origin.record = std::move(suggestion.record);
  return trial;
}

const std::string& SourceOf(const TrialRecord& trial) {
  return trial.origin.record->source;
}

}  // namespace

AskTellStudy::AskTellStudy(StudySpec spec, std::uint64_t seed,
                           std::optional<Lease> lease,
                           std::unique_ptr<Suggester> suggester)
    : lease_(lease),
      suggester_(suggester != nullptr ? std::move(suggester)
                                      : MakeSuggester(spec.algorithm)),
      models_(std::make_shared<CurveModelCache>(spec.stopping_options)),
      policy_(spec.stopping_rule == StoppingRule::kNone
                  ? nullptr
                  : MakeStoppingPolicy(spec.stopping_rule,
                                       spec.stopping_options, models_)) {
  curves_.space = spec.parameters;
  curves_.goal = ObjectiveOf(spec).goal;
  curves_.seed = seed;
  study_.spec = std::make_shared<const StudySpec>(std::move(spec));
  study_.seed = seed;
  view_ = MakeStudyView(study_, nullptr);
  // Whoever has not asked yet may be adding trials from elsewhere, one by one,
  // and want no point before the last.
  last_count_ = 0;
}

absl::Status AskTellStudy::CheckSpace(const StudySpec& spec) {
  return CheckNotEmpty(spec.parameters, spec.parameter_constraints);
}

const StudyView& AskTellStudy::Taught(std::optional<StudyView>* copy) const {
  if (reports_.empty()) return view_;
  *copy = view_;
  LearnFromCurves(curves_, models_.get(), &**copy);
  return **copy;
}

absl::StatusOr<std::vector<Suggestion>> AskTellStudy::Choose(int count) const {
  if (IsBlind(study_.spec->algorithm, *study_.spec)) {
    StudyView blind = MakeStudyViewFor(study_.spec->algorithm, study_, nullptr);
    blind.trials_created = view_.trials_created;
    return suggester_->Suggest(blind, count);
  }
  std::optional<StudyView> copy;
  return suggester_->Suggest(Taught(&copy), count);
}

void AskTellStudy::ReportedCurve::Add(const CurvePoint& point) {
  const bool is_next =
      reports_.empty() || reports_.rbegin()->first < point.step;
  reports_[point.step] = point.value;
  if (is_next) {
    sample_.Add(point);
    return;
  }
  sample_ = CurveSample(goal_);
  for (const auto& [step, value] : reports_) sample_.Add({step, value});
}

// Brings the trial's curve up to date with its record and its reports.
void AskTellStudy::UpdateCurve(TrialId id) {
  const auto reported = reports_.find(id);
  if (reported == reports_.end()) return;
  const TrialRecord& trial = study_.trials.Get(id);
  TrialCurve curve;
  curve.trial = ToInt(id);
  curve.parameters = trial.parameters;
  curve.reports = reported->second.sample().Points();
  if (trial.state == TrialState::kCompleted) {
    curve.state = CurveState::kCompleted;
    curve.final_value = trial.final_measurement->value;
  } else if (trial.state == TrialState::kStopped) {
    curve.state = CurveState::kStoppedEarly;
  } else if (IsTerminal(trial.state)) {
    // It failed, so its curve says nothing about its end.
    DropCurve(ToInt(id), &curves_);
    return;
  }
  PutCurve(std::move(curve), &curves_);
}

// Returns the value with which the trial ends if that is not finite; nullopt
// otherwise.
std::optional<double> AskTellStudy::NotFinite(
    TrialId id, const TrialOutcome& outcome) const {
  if (outcome.objective.has_value()) {
    if (!std::isfinite(*outcome.objective)) return outcome.objective;
    for (const MetricValue& value : outcome.others) {
      if (!std::isfinite(value.value)) return value.value;
    }
    return std::nullopt;
  }
  const auto last = not_finite_last_.find(id);
  if (!outcome.is_stopped_early || last == not_finite_last_.end()) {
    return std::nullopt;
  }
  return last->second;
}

void AskTellStudy::EndTrial(TrialId id, const TrialOutcome* outcome) {
  auto trial = std::make_shared<TrialRecord>(study_.trials.Get(id));
  trial->ended_at = Timestamp{std::chrono::microseconds{++num_ends_}};
  if (outcome == nullptr) {
    trial->state = TrialState::kFailed;
    trial->end_cause = TrialEndCause::kInfrastructure;
  } else if (const auto value = NotFinite(id, *outcome)) {
    trial->state = TrialState::kInfeasible;
    trial->end_cause = TrialEndCause::kNotFinite;
    trial->message = absl::StrCat("its last value was ", NumberText(*value));
  } else if (outcome->objective.has_value()) {
    trial->state = TrialState::kCompleted;
    trial->end_cause = TrialEndCause::kSuccess;
    trial->final_measurement = FinalMeasurement{0, *outcome->objective};
    if (!outcome->others.empty()) {
      trial->final_report.emplace();
      trial->final_report->metrics = outcome->others;
    }
  } else if (outcome->is_stopped_early) {
    trial->state = TrialState::kStopped;
    trial->end_cause = TrialEndCause::kStoppedEarly;
    const CurvePoint last = reports_.at(id).sample().last();
    trial->final_measurement = FinalMeasurement{last.step, last.value};
  } else {
    trial->state = TrialState::kInfeasible;
    trial->end_cause = TrialEndCause::kInfeasible;
  }
  ForgetAhead();
  const auto open = std::find(study_.open.begin(), study_.open.end(), id);
  if (open != study_.open.end()) {
    view_.pending.erase(view_.pending.begin() + (open - study_.open.begin()));
    study_.open.erase(open);
    const auto source =
        std::find(view_.pending_sources.begin(), view_.pending_sources.end(),
                  SourceOf(*trial));
    if (source != view_.pending_sources.end()) {
      view_.pending_sources.erase(source);
    }
  }
  const TrialState state = trial->state;
  study_.trials.Put(std::move(trial));
  UpdateCurve(id);
  const std::size_t before = view_.completed.size();
  AppendEnd(study_, id, &view_);
  if (outcome == nullptr || view_.completed.size() == before) return;
  Observation& observation = view_.completed.back();
  observation.source = SourceOf(study_.trials.Get(id));
  // A TrialRecord has no fields for these.
  if (state == TrialState::kCompleted) {
    observation.variance = outcome->variance;
  }
  observation.duration = outcome->duration;
}

// Ends the leases that are over. They end in the order in which they began,
// because all have the same length.
void AskTellStudy::EndLeases() {
  if (!lease_.has_value()) return;
  const SteadyTime now = lease_->clock->Steady();
  while (!leases_.empty() && now - leases_.front().second >= lease_->length) {
    const TrialId id = leases_.front().first;
    leases_.pop_front();
    if (!IsTerminal(study_.trials.Brief(id).state)) EndTrial(id, nullptr);
  }
}

void AskTellStudy::ForgetAhead() {
  for (const auto& trial : ahead_) {
    if (SourceOf(*trial).empty()) continue;
    view_.pending_sources.pop_back();
    --view_.trials_proposed;
  }
  ahead_.clear();
  view_.pending.resize(study_.open.size());
  view_.trials_created = static_cast<std::int64_t>(study_.trials.size());
  has_nothing_ahead_ = false;
}

// Chooses points until `count` are ahead. A batch gives the same points as
// single calls, each with the points before it pending.
absl::Status AskTellStudy::ChooseAhead(int count) {
  const int missing = count - static_cast<int>(ahead_.size());
  if (missing <= 0) return absl::OkStatus();
  VERNIER_ASSIGN_OR_RETURN(std::vector<Suggestion> suggestions,
                           Choose(missing));
  for (Suggestion& suggestion : suggestions) {
    view_.pending.push_back(suggestion.parameters);
    if (!suggestion.record.source.empty()) {
      view_.pending_sources.push_back(suggestion.record.source);
      ++view_.trials_proposed;
    }
    ++view_.trials_created;
    ahead_.push_back(MakeTrial(static_cast<std::size_t>(view_.trials_created),
                               std::move(suggestion)));
  }
  return absl::OkStatus();
}

bool AskTellStudy::Prepare() {
  EndLeases();
  const int wanted = std::min(last_count_, kMostAhead);
  const int chosen = static_cast<int>(ahead_.size());
  if (has_nothing_ahead_ || chosen >= wanted) return false;
  // The next Ask returns the error, if there is one.
  has_nothing_ahead_ = !ChooseAhead(chosen + 1).ok();
  return !has_nothing_ahead_ && chosen + 1 < wanted;
}

void AskTellStudy::SetPriors(
    std::shared_ptr<const std::vector<PriorStudy>> priors) {
  view_.priors = std::move(priors);
  ForgetAhead();
}

void AskTellStudy::SetTimeBudgetLeft(double part) {
  if (study_.spec->is_per_cost || view_.cost_weight == part) return;
  view_.cost_weight = part;
  ForgetAhead();
}

absl::StatusOr<std::vector<std::shared_ptr<const TrialRecord>>>
AskTellStudy::Ask(int count) {
  EndLeases();
  const absl::Status status = ChooseAhead(count);
  // An exhausted space is an error only once no chosen trial is left to give.
  const bool is_used_up = absl::IsResourceExhausted(status);
  if (!status.ok() && (ahead_.empty() || !is_used_up)) return status;
  last_count_ = count;
  std::vector<std::shared_ptr<const TrialRecord>> asked;
  while (!ahead_.empty() && std::ssize(asked) < count) {
    const TrialId id = ahead_.front()->id;
    asked.push_back(std::move(ahead_.front()));
    ahead_.pop_front();
    std::erase_if(view_.proposals, [&](const Proposal& proposal) {
      return proposal.source == SourceOf(*asked.back()) &&
             proposal.parameters == asked.back()->parameters;
    });
    study_.trials.Put(asked.back());
    study_.open.push_back(id);
    if (lease_.has_value()) leases_.emplace_back(id, lease_->clock->Steady());
  }
  return asked;
}

absl::Status AskTellStudy::Tell(TrialId id, const TrialOutcome& outcome) {
  VERNIER_ASSIGN_OR_RETURN(const TrialRecord* const trial, Find(id));
  if (HasOutcome(*trial)) {
    return absl::FailedPreconditionError(
        absl::StrCat("trial ", ToInt(id), " has been told already"));
  }
  VERNIER_RETURN_IF_ERROR(CheckOutcome(outcome));
  if (outcome.is_stopped_early && !reports_.contains(id) &&
      !not_finite_last_.contains(id)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "trial ", ToInt(id),
        " has reported nothing: give its value, or \"infeasible\": true"));
  }
  EndTrial(id, &outcome);
  return absl::OkStatus();
}

absl::StatusOr<std::string> AskTellStudy::Report(TrialId id, std::int64_t step,
                                                 double value) {
  VERNIER_ASSIGN_OR_RETURN(const TrialRecord* const trial, Find(id));
  if (HasOutcome(*trial)) {
    return absl::FailedPreconditionError(
        absl::StrCat("trial ", ToInt(id), " has been told already"));
  }
  if (!std::isfinite(value)) {
    not_finite_last_[id] = value;
    return std::string();
  }
  not_finite_last_.erase(id);
  reports_.try_emplace(id, curves_.goal).first->second.Add({step, value});
  UpdateCurve(id);
  if (policy_ == nullptr) return std::string();
  for (StoppingVerdict& verdict : policy_->Judge(curves_, 0)) {
    if (verdict.trial == ToInt(id)) return std::move(verdict.reason);
  }
  return std::string();
}

absl::Status AskTellStudy::Abandon(TrialId id) {
  VERNIER_ASSIGN_OR_RETURN(const TrialRecord* const trial, Find(id));
  if (HasOutcome(*trial)) {
    return absl::FailedPreconditionError(
        absl::StrCat("trial ", ToInt(id), " has its outcome"));
  }
  if (!IsTerminal(trial->state)) EndTrial(id, nullptr);
  return absl::OkStatus();
}

absl::StatusOr<TrialId> AskTellStudy::Add(Parameters parameters,
                                          const TrialOutcome& outcome) {
  VERNIER_RETURN_IF_ERROR(CheckFitsSpace(study_.spec->parameters, parameters));
  VERNIER_RETURN_IF_ERROR(
      CheckMeetsConstraints(study_.spec->parameter_constraints, parameters));
  VERNIER_RETURN_IF_ERROR(CheckOutcome(outcome));
  Suggestion suggestion{std::move(parameters), {}};
  suggestion.record.method = SuggestionMethod::kUser;
  ForgetAhead();
  const auto trial = MakeTrial(study_.trials.size() + 1, std::move(suggestion));
  study_.trials.Put(trial);
  EndTrial(trial->id, &outcome);
  return trial->id;
}

absl::Status AskTellStudy::Propose(std::string source, Parameters parameters) {
  VERNIER_RETURN_IF_ERROR(CheckTakesProposals(study_.spec->algorithm));
  VERNIER_RETURN_IF_ERROR(CheckSource(source));
  VERNIER_RETURN_IF_ERROR(CheckFitsSpace(study_.spec->parameters, parameters));
  VERNIER_RETURN_IF_ERROR(
      CheckMeetsConstraints(study_.spec->parameter_constraints, parameters));
  if (view_.proposals.size() >= kMostProposedPoints) {
    return absl::ResourceExhaustedError(
        absl::StrCat(kMostProposedPoints, " proposals wait already"));
  }
  view_.proposals.push_back({std::move(source), std::move(parameters)});
  ForgetAhead();
  return absl::OkStatus();
}

absl::StatusOr<const TrialRecord*> AskTellStudy::Find(TrialId id) const {
  if (ToInt(id) < 1 || ToInt(id) > std::ssize(study_.trials)) {
    return absl::NotFoundError(absl::StrCat("there is no trial ", ToInt(id),
                                            "; the last is ",
                                            study_.trials.size()));
  }
  return &study_.trials.Get(id);
}

absl::StatusOr<std::optional<AskTellStudy::Best>> AskTellStudy::FindBest()
    const {
  std::optional<StudyView> copy;
  const StudyView& view = Taught(&copy);
  const std::optional<Recommendation> seen = BestObserved(view);
  if (!seen.has_value()) return std::nullopt;
  VERNIER_ASSIGN_OR_RETURN(const std::optional<Recommendation> recommended,
                           suggester_->Recommend(view));
  const auto trial = [&](const Recommendation& of) {
    return &study_.trials.Get(TrialId{view.completed[of.completed].trial});
  };
  const Recommendation best = recommended.value_or(*seen);
  return Best{trial(*seen), trial(best), best.prediction,
              PointMeanOf(study_, trial(*seen)->id),
              PointMeanOf(study_, trial(best)->id)};
}

ResultModels::InsightsAnswer AskTellStudy::Examine(
    const InsightsRequest& request, std::size_t metric) {
  return insights_.Examine(study_, request, metric);
}

std::optional<Front> AskTellStudy::FindFront() const { return FrontOf(study_); }

}  // namespace vernier
