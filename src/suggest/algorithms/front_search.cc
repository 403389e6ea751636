#include "suggest/algorithms/front_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "base/rng.h"
#include "base/status_macros.h"
#include "suggest/acquisition/acquisition_optimizer.h"
#include "suggest/acquisition/constrained_gain.h"
#include "suggest/acquisition/hypervolume_improvement.h"
#include "suggest/acquisition/weighted_gain.h"
#include "suggest/algorithms/avoided_places.h"
#include "suggest/algorithms/disasters.h"
#include "suggest/algorithms/failure_caution.h"
#include "suggest/algorithms/stale_values.h"
#include "suggest/algorithms/suggestion_loop.h"
#include "suggest/algorithms/unseen_first.h"
#include "suggest/design/initial_design.h"
#include "suggest/design/thinned_design.h"
#include "suggest/front/free_boxes.h"
#include "suggest/front/least_useful.h"
#include "suggest/front/pareto_front.h"
#include "suggest/gp/descending_order.h"
#include "suggest/gp/fit_schedule.h"
#include "suggest/gp/metric_levels.h"
#include "suggest/gp/user_units.h"
#include "suggest/space/point_results.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

// The largest number of places of the front around which candidates are drawn.
constexpr Index kMostCentres = 16;
constexpr std::size_t kMostNearly = 5;  // Used while there is no front.

// The largest number of rows of the front, by the number of metrics: more rows
// would make too many boxes.
constexpr Index kMostFrontRows[] = {0, 1, 400, 80, 32};

constexpr double kScalarizedDeviations = 1.8;
constexpr double kLeastWeight = 1e-3;

// Returns rows that are spread over the front: the best of each metric, and
// then each as far as possible from those taken before.
std::vector<Index> SpreadRows(const MatrixXd& front, Index count) {
  std::vector<Index> taken;
  if (front.rows() <= count) {
    for (Index row = 0; row < front.rows(); ++row) taken.push_back(row);
    return taken;
  }
  Eigen::VectorXd distance = Eigen::VectorXd::Constant(front.rows(), 1e300);
  const auto take = [&](Index row) {
    taken.push_back(row);
    distance = distance.cwiseMin(
        (front.rowwise() - front.row(row)).rowwise().squaredNorm());
  };
  for (Index k = 0; k < front.cols() && std::ssize(taken) < count; ++k) {
    Index best = 0;
    front.col(k).maxCoeff(&best);
    if (distance[best] > 0) take(best);
  }
  while (std::ssize(taken) < count) {
    Index farthest = 0;
    if (!(distance.maxCoeff(&farthest) > 0)) break;
    take(farthest);
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

// Returns a view for each constraint: two bounds on one metric are one.
std::vector<StudyView> ViewsOfSlacks(const StudyView& view) {
  std::vector<StudyView> views;
  auto band = view.bands.begin();
  for (std::size_t k = 0; k < view.num_constraints; ++k) {
    if (band != view.bands.end() && band->first == k) {
      views.push_back(ViewOfBand(view, *band));
      ++band;
      ++k;
    } else {
      views.push_back(ViewOfSlack(view, k));
    }
  }
  return views;
}

LogConstrainedGain::Constraint ConstraintOf(const SurrogateModel& slack) {
  return {&slack.gp, slack.data.warp.zero, slack.data.warp.upper};
}

// Returns by how much the targets meet the constraint that `warp` is about.
Eigen::ArrayXd SlacksOfTargets(const WarpedObjectives& warp,
                               const Eigen::VectorXd& targets) {
  return (targets.array() - warp.zero).min(warp.upper - targets.array());
}

// One call. While it lives, pending trials are hallucinated into the models.
class FrontSession {
 public:
  FrontSession(const StudyView& view, std::vector<std::size_t> traded,
               const SearchSpaceEncoding& encoding, StudyModels* models,
               std::string_view instruction_set)
      : view_(view),
        encoding_(encoding),
        history_(*models),
        instruction_set_(instruction_set),
        avoided_(view, encoding),
        unseen_(view, encoding),
        traded_(std::move(traded)) {
    // While nothing is known about gains, constraints alone may be learnt.
    if (!traded_.empty()) return;
    traded_.resize(view.metrics.size());
    std::iota(traded_.begin(), traded_.end(), std::size_t{0});
  }

  absl::StatusOr<Suggestion> Choose(std::int64_t trial,
                                    const TriedPoints& tried,
                                    std::mt19937_64& rng) {
    VERNIER_ASSIGN_OR_RETURN(Suggestion suggestion,
                             ChooseUnrecorded(trial, tried, rng));
    avoided_.Add(suggestion.parameters);
    unseen_.Add(suggestion.parameters);
    return suggestion;
  }

 private:
  absl::StatusOr<Suggestion> ChooseUnrecorded(std::int64_t trial,
                                              const TriedPoints& tried,
                                              std::mt19937_64& rng) {
    if (BelongsToInitialDesign(view_, encoding_, avoided_.num_pending())) {
      return DesignPoint(view_, encoding_, trial, tried, rng);
    }
    if (models_.empty()) VERNIER_RETURN_IF_ERROR(Learn());
    if (models_.empty() || KnowsNothing()) {
      return Spread(trial, tried, rng);
    }
    ConditionModels();
    SetFront();
    if (front_.rows() == 0 && IsInTheDark() && trial % kAwayPeriod != 0) {
      return Spread(trial, tried, rng);
    }
    const SuggestionMethod method = Method();
    seeks_unseen_ = IsForUnseenValue(trial, unseen_);
    const std::optional<ScoredPoint> best = MaximizeBy(method, tried, rng);
    if (!best.has_value()) {
      return DesignPoint(view_, encoding_, trial, tried, rng);
    }
    Suggestion suggestion;
    suggestion.parameters = encoding_.Decode(best->row);
    SuggestionRecord& record = suggestion.record;
    record.method = seeks_unseen_ && unseen_.IsIn(best->row)
                        ? SuggestionMethod::kUnseenValue
                        : method;
    record.num_fitted = models_.front()->num_fitted;
    record.instruction_set = instruction_set_;
    record.acquisition = best->value;
    if (traded_.front() == 0 && !models_.front()->data.warp.knots.empty()) {
      record.prediction =
          PredictInUserUnits(*models_.front(), view_.goal,
                             encoding_.Encode(suggestion.parameters));
    }
    return suggestion;
  }

  bool KnowsNothing() const {
    const auto is_constant = [](const SurrogateModel* model) {
      return model->data.is_constant;
    };
    return std::all_of(models_.begin(), models_.end(), is_constant) &&
           std::all_of(slacks_.begin(), slacks_.end(), is_constant);
  }

  // A constraint that was missed by the same margin everywhere: nothing shows
  // where it could be met.
  static bool IsMissedAlike(const SurrogateModel& slack) {
    return slack.data.is_constant &&
           SlacksOfTargets(slack.data.warp,
                           slack.data.regression.targets.head(1))[0] < 0;
  }
  bool IsInTheDark() const {
    return std::any_of(slacks_.begin(), slacks_.end(),
                       [](const auto* slack) { return IsMissedAlike(*slack); });
  }

  // Returns a point of the design, where trials probably do not fail and meet
  // the constraints of which something is known.
  absl::StatusOr<Suggestion> Spread(std::int64_t trial,
                                    const TriedPoints& tried,
                                    std::mt19937_64& rng) const {
    std::vector<LogConstrainedGain::Constraint> constraints;
    for (const SurrogateModel* model : slacks_) {
      if (model->data.is_constant) continue;
      constraints.push_back(ConstraintOf(*model));
    }
    if (feasibility_ == nullptr && constraints.empty()) {
      return DesignPoint(view_, encoding_, trial, tried, rng);
    }
    const LogConstrainedGain allowed(nullptr, std::move(constraints));
    const auto log_chance =
        [&](const Eigen::Ref<const MatrixXd>& rows) -> Eigen::VectorXd {
      Eigen::VectorXd logs;
      allowed.Evaluate(rows, &logs, nullptr);
      if (feasibility_ == nullptr) return logs;
      Eigen::VectorXd log_probabilities;
      feasibility_->LogProbability(rows, &log_probabilities, nullptr);
      return logs + log_probabilities;
    };
    return ThinnedDesignPoint(view_, encoding_, tried, log_chance, rng);
  }

  // While no place is expected to meet all constraints, there is no front.
  SuggestionMethod Method() const {
    if (front_.rows() == 0) return SuggestionMethod::kFeasibility;
    if (traded_.size() == 1) return SuggestionMethod::kImprovement;
    return HasFront() ? SuggestionMethod::kHypervolume
                      : SuggestionMethod::kScalarization;
  }

  // False if there are too many metrics for a volume.
  bool HasFront() const { return traded_.size() <= kMostFrontMetrics; }

  // Makes no models if some metric has too few results.
  absl::Status Learn() {
    if (ModelsFailures(view_)) {
      VERNIER_ASSIGN_OR_RETURN(feasibility_,
                               history_.feasibility.Get(view_, encoding_));
    }
    // A bound is not a gain that could be divided by a cost.
    if (view_.cost_weight > 0 && HasFront()) {
      VERNIER_ASSIGN_OR_RETURN(durations_,
                               history_.durations.Get(view_, encoding_));
    }
    // A study may come to have a front or lose it when a metric begins to vary.
    const WarpReference reference =
        HasFront() ? WarpReference::kUseful : WarpReference::kAll;
    if (!history_.metrics.empty() &&
        history_.metrics.front().reference() != reference) {
      history_.metrics.clear();
    }
    while (history_.metrics.size() < view_.metrics.size()) {
      history_.metrics.emplace_back(reference);
    }
    std::vector<SurrogateModel*> models;
    for (const std::size_t metric : traded_) {
      StudyView single = ViewWithUsefulRange(metric);
      least_useful_.push_back(LeastUsefulOf(single));
      VERNIER_ASSIGN_OR_RETURN(
          SurrogateModel* const model,
          ModelOf(std::move(single), &history_.metrics[metric]));
      if (model == nullptr) return absl::OkStatus();
      models.push_back(model);
    }
    std::vector<StudyView> views_of_slacks = ViewsOfSlacks(view_);
    while (history_.slacks.size() < views_of_slacks.size()) {
      history_.slacks.emplace_back(WarpReference::kSlack);
    }
    std::vector<SurrogateModel*> slacks;
    for (std::size_t k = 0; k < views_of_slacks.size(); ++k) {
      VERNIER_ASSIGN_OR_RETURN(
          SurrogateModel* const model,
          ModelOf(std::move(views_of_slacks[k]), &history_.slacks[k]));
      if (model == nullptr) return absl::OkStatus();
      slacks.push_back(model);
    }
    models_ = std::move(models);
    slacks_ = std::move(slacks);
    for (const Observation& observation : view_.completed) {
      if (IsComplete(observation)) {
        rows_.push_back(encoding_.Encode(observation.parameters));
        has_met_.push_back(MeetsConstraints(observation));
      }
    }
    return absl::OkStatus();
  }

  // Scalarizations of many metrics do better with ranks, which make them
  // comparable (tests/suggest/front_search_test.cc).
  StudyView ViewWithUsefulRange(std::size_t metric) const {
    const std::optional<StudyView> fresh = WithoutStaleValues(view_, metric);
    const StudyView& view = fresh ? *fresh : view_;
    if (!HasFront()) return ViewOfMetric(view, metric);
    return traded_.size() == 1
               ? ViewOfMetric(WithLeastUseful(view, metric), metric)
               : MetricWithLeastUseful(view, metric);
  }

  // Returns null if there are too few results.
  absl::StatusOr<SurrogateModel*> ModelOf(StudyView single,
                                          SurrogateCache* history) const {
    if (feasibility_ != nullptr) single = WithoutFailures(single);
    if (std::ssize(single.completed) < kFirstFit) return nullptr;
    VERNIER_ASSIGN_OR_RETURN(SurrogateModel* const model,
                             history->Get(single, encoding_));
    return model->data.has_feasible ? model : nullptr;
  }

  // Only whole results are on the front.
  bool IsComplete(const Observation& observation) const {
    return observation.objective.has_value() && !observation.is_stopped_early &&
           std::all_of(traded_.begin(), traded_.end(), [&](std::size_t metric) {
             return observation.values[metric].has_value();
           });
  }

  void ConditionModels() {
    std::vector<GaussianProcess*> processes;
    for (const auto* models : {&models_, &slacks_}) {
      for (SurrogateModel* model : *models) processes.push_back(&model->gp);
    }
    avoided_.Condition(processes);
  }

  // Sets the front of the posterior means at all known places (results and
  // trials without one) that are expected to meet the constraints.
  void SetFront() {
    std::vector<RowVectorXd> places = rows_;
    places.insert(places.end(), avoided_.rows().begin(), avoided_.rows().end());
    MatrixXd inputs(std::ssize(places), encoding_.num_columns());
    for (Index row = 0; row < inputs.rows(); ++row) {
      inputs.row(row) = places[static_cast<std::size_t>(row)];
    }
    const Eigen::VectorXd worst_slack = WorstSlacks(inputs);
    std::vector<Index> allowed;
    for (Index row = 0; row < inputs.rows(); ++row) {
      if (worst_slack[row] >= 0) allowed.push_back(row);
    }
    if (allowed.empty()) {
      front_.resize(0, std::ssize(models_));
      SetCentres(inputs, DescendingOrder(worst_slack, kMostNearly));
      return;
    }
    inputs = MatrixXd(inputs(allowed, Eigen::all));
    MatrixXd merits(inputs.rows(), std::ssize(models_));
    std::vector<MetricLevels> levels;
    for (Index k = 0; k < merits.cols(); ++k) {
      const SurrogateModel& model = *models_[static_cast<std::size_t>(k)];
      levels.emplace_back(model.data);
      merits.col(k) =
          levels.back().Nearest(model.gp.PredictMean(inputs, false).mean);
    }
    const std::vector<Index> front = NondominatedRows(merits);
    front_ = merits(front, Eigen::all);
    reference_ = Reference();
    for (Index k = 0; k < front_.cols(); ++k) {
      front_.col(k) =
          levels[static_cast<std::size_t>(k)].Exceeded(front_.col(k));
    }
    std::vector<Index> centres;
    for (const Index row : SpreadRows(front_, kMostCentres)) {
      centres.push_back(front[static_cast<std::size_t>(row)]);
    }
    SetCentres(inputs, centres);
  }

  // Returns by how much each of the places is expected to meet the constraints,
  // at most 0. A result that met a band which is narrower than its noise cannot
  // be expected to meet it again, but it is the best that there can be.
  Eigen::VectorXd WorstSlacks(const MatrixXd& places) const {
    Eigen::VectorXd worst = Eigen::VectorXd::Zero(places.rows());
    for (const SurrogateModel* model : slacks_) {
      const WarpedObjectives& warp = model->data.warp;
      Eigen::VectorXd slacks =
          SlacksOfTargets(warp, model->gp.PredictMean(places, false).mean);
      const double slip =
          std::isinf(warp.upper) ? 0.0 : std::sqrt(model->gp.noise_variance());
      for (std::size_t i = 0; i < rows_.size() && slip > 0; ++i) {
        if (has_met_[i]) slacks[static_cast<Index>(i)] += slip;
      }
      worst = worst.cwiseMin(slacks);
    }
    return worst;
  }

  void SetCentres(const MatrixXd& inputs, const std::vector<Index>& rows) {
    centres_ = inputs(rows, Eigen::all);
  }

  RowVectorXd Reference() const {
    RowVectorXd reference = InferReference(front_);
    for (std::size_t k = 0; k < models_.size(); ++k) {
      const WarpedObjectives& warp = models_[k]->data.warp;
      // If all values are equal, nothing can be converted to targets.
      if (warp.knots.empty()) continue;
      double& target = reference[static_cast<Index>(k)];
      const MetricAim& aim = view_.metrics[traded_[k]];
      if (aim.reference.has_value()) {
        target = warp.Warp(MeritOf(aim.goal, *aim.reference));
      } else if (least_useful_[k].has_value()) {
        // With a reference near a short front, what lies beyond its ends would
        // gain nothing.
        target = std::min(target, warp.Warp(*least_useful_[k]));
      }
    }
    return reference;
  }

  std::optional<ScoredPoint> MaximizeBy(SuggestionMethod method,
                                        const TriedPoints& tried,
                                        std::mt19937_64& rng) const {
    if (method == SuggestionMethod::kFeasibility) {
      return MaximizeGain(nullptr, tried, rng);
    }
    if (method == SuggestionMethod::kScalarization) {
      return MaximizeScalarized(tried, rng);
    }
    const std::vector<Index> rows =
        SpreadRows(front_, kMostFrontRows[traded_.size()]);
    const LogHypervolumeImprovement gain(
        ProcessesOf(models_),
        DecomposeFree(MatrixXd(front_(rows, Eigen::all)), reference_));
    return MaximizeGain(&gain, tried, rng);
  }

  // Without a gain, the constraints alone count.
  std::optional<ScoredPoint> MaximizeGain(const AcquisitionFunction* gain,
                                          const TriedPoints& tried,
                                          std::mt19937_64& rng) const {
    std::vector<LogConstrainedGain::Constraint> constraints;
    for (const SurrogateModel* model : slacks_) {
      constraints.push_back(ConstraintOf(*model));
    }
    const LogConstrainedGain allowed(gain, std::move(constraints));
    if (feasibility_ == nullptr) return MaximizeByCost(allowed, tried, rng);
    return MaximizeByCost(WeightedLogGain(allowed, LogWeightOf(*feasibility_),
                                          FailureCaution(view_, encoding_)),
                          tried, rng);
  }

  std::optional<ScoredPoint> MaximizeByCost(const AcquisitionFunction& gain,
                                            const TriedPoints& tried,
                                            std::mt19937_64& rng) const {
    if (durations_ == nullptr) return Maximize(gain, tried, rng);
    return Maximize(
        WeightedLogGain(gain, LogWeightOf(*durations_), -view_.cost_weight),
        tried, rng);
  }

  std::optional<ScoredPoint> MaximizeScalarized(const TriedPoints& tried,
                                                std::mt19937_64& rng) const {
    RowVectorXd weights(std::ssize(models_));
    for (double& weight : weights) {
      weight = std::max(std::abs(Normal(rng)), kLeastWeight);
    }
    const ScalarizedBound bound(ProcessesOf(models_), reference_,
                                weights.normalized(), kScalarizedDeviations);
    // The bound takes the place of the logarithm of a gain, although it is
    // none: below the reference point it is far from a useful value, and above
    // it one unit is a large difference.
    return MaximizeGain(&bound, tried, rng);
  }

  std::optional<ScoredPoint> Maximize(const AcquisitionFunction& function,
                                      const TriedPoints& tried,
                                      std::mt19937_64& rng) const {
    Index size = feasibility_ == nullptr ? 0 : feasibility_->size();
    for (const auto* models : {&models_, &slacks_}) {
      for (const SurrogateModel* model : *models) {
        size = std::max(size, model->gp.size());
      }
    }
    const UnseenFirst unseen_first(function, unseen_);
    return MaximizeAcquisition(encoding_,
                               seeks_unseen_ ? unseen_first : function,
                               centres_, tried, BudgetFor(size), rng);
  }

  static std::vector<const GaussianProcess*> ProcessesOf(
      const std::vector<SurrogateModel*>& models) {
    std::vector<const GaussianProcess*> processes;
    processes.reserve(models.size());
    for (const SurrogateModel* model : models) processes.push_back(&model->gp);
    return processes;
  }

  const StudyView& view_;
  const SearchSpaceEncoding& encoding_;
  StudyModels& history_;
  const std::string instruction_set_;
  AvoidedPlaces avoided_;
  UnseenValues unseen_;
  bool seeks_unseen_ = false;            // The trial that is being chosen.
  std::vector<std::size_t> traded_;      // The metrics that count.
  std::vector<SurrogateModel*> models_;  // Of these, or none yet.
  std::vector<SurrogateModel*> slacks_;  // One a constraint or band.
  const FeasibilityModel* feasibility_ = nullptr;  // Null: too few failures.
  const DurationModel* durations_ = nullptr;       // Null: costs do not count.
  std::vector<std::optional<double>> least_useful_;  // A merit for each model.
  std::vector<RowVectorXd> rows_;                    // Those of whole results.
  std::vector<bool> has_met_;                        // Of these: constraints.
  MatrixXd front_;                                   // In the models' targets.
  RowVectorXd reference_;                            // Likewise.
  MatrixXd centres_;  // Places of some of the front.
};

}  // namespace

absl::StatusOr<std::vector<Suggestion>> SuggestForFront(
    const StudyView& view, std::vector<std::size_t> traded,
    const SearchSpaceEncoding& encoding, int count, StudyModels* models,
    std::string_view instruction_set) {
  const std::optional<StudyView> known =
      view.metrics.size() > 1 ? DisastersAsFailures(view) : std::nullopt;
  FrontSession session(known ? *known : view, std::move(traded), encoding,
                       models, instruction_set);
  return SuggestOneByOne(
      view, encoding, count,
      [&](std::int64_t trial, const TriedPoints& tried, std::mt19937_64& rng) {
        return session.Choose(trial, tried, rng);
      });
}

}  // namespace vernier
