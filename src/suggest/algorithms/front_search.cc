#include "suggest/algorithms/front_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
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
#include "suggest/algorithms/failure_caution.h"
#include "suggest/algorithms/suggestion_loop.h"
#include "suggest/algorithms/unseen_first.h"
#include "suggest/design/initial_design.h"
#include "suggest/design/thinned_design.h"
#include "suggest/front/free_boxes.h"
#include "suggest/front/least_useful.h"
#include "suggest/front/pareto_front.h"
#include "suggest/gp/descending_order.h"
#include "suggest/gp/fit_schedule.h"
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

// One call. While it lives, pending trials are hallucinated into the models.
class FrontSession {
 public:
  FrontSession(const StudyView& view, const SearchSpaceEncoding& encoding,
               StudyModels* models, std::string_view instruction_set)
      : view_(view),
        encoding_(encoding),
        history_(*models),
        instruction_set_(instruction_set),
        avoided_(view, encoding),
        unseen_(view, encoding) {}

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
    if (!models_.front()->data.warp.knots.empty()) {
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
           slack.data.regression.targets[0] < slack.data.warp.zero;
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
      constraints.push_back({&model->gp, model->data.warp.zero});
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
    if (metrics().size() == 1) return SuggestionMethod::kImprovement;
    return metrics().size() <= kMostFrontMetrics
               ? SuggestionMethod::kHypervolume
               : SuggestionMethod::kScalarization;
  }

  // Makes no models if some metric has too few results.
  absl::Status Learn() {
    if (ModelsFailures(view_)) {
      VERNIER_ASSIGN_OR_RETURN(feasibility_,
                               history_.feasibility.Get(view_, encoding_));
    }
    // A bound is not a gain that could be divided by a cost.
    if (view_.cost_weight > 0 && metrics().size() <= kMostFrontMetrics) {
      VERNIER_ASSIGN_OR_RETURN(durations_,
                               history_.durations.Get(view_, encoding_));
    }
    while (history_.metrics.size() < metrics().size()) {
      history_.metrics.emplace_back(metrics().size() <= kMostFrontMetrics
                                        ? WarpReference::kUseful
                                        : WarpReference::kAll);
    }
    while (history_.slacks.size() < view_.num_constraints) {
      history_.slacks.emplace_back(WarpReference::kSlack);
    }
    std::vector<SurrogateModel*> models;
    for (std::size_t k = 0; k < metrics().size(); ++k) {
      StudyView single = ViewWithUsefulRange(k);
      least_useful_.push_back(LeastUsefulOf(single));
      VERNIER_ASSIGN_OR_RETURN(
          SurrogateModel* const model,
          ModelOf(std::move(single), &history_.metrics[k]));
      if (model == nullptr) return absl::OkStatus();
      models.push_back(model);
    }
    std::vector<SurrogateModel*> slacks;
    for (std::size_t k = 0; k < view_.num_constraints; ++k) {
      VERNIER_ASSIGN_OR_RETURN(
          SurrogateModel* const model,
          ModelOf(ViewOfSlack(view_, k), &history_.slacks[k]));
      if (model == nullptr) return absl::OkStatus();
      slacks.push_back(model);
    }
    models_ = std::move(models);
    slacks_ = std::move(slacks);
    for (const Observation& observation : view_.completed) {
      if (IsComplete(observation)) {
        rows_.push_back(encoding_.Encode(observation.parameters));
      }
    }
    return absl::OkStatus();
  }

  // Scalarizations of many metrics do better with ranks, which make them
  // comparable (tests/suggest/front_search_test.cc).
  StudyView ViewWithUsefulRange(std::size_t metric) const {
    if (metrics().size() > kMostFrontMetrics) {
      return ViewOfMetric(view_, metric);
    }
    return metrics().size() == 1 ? ViewOfMetric(WithLeastUseful(view_), metric)
                                 : MetricWithLeastUseful(view_, metric);
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
  static bool IsComplete(const Observation& observation) {
    return observation.objective.has_value() && !observation.is_stopped_early &&
           std::all_of(observation.values.begin(), observation.values.end(),
                       [](const auto& value) { return value.has_value(); });
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
    Eigen::VectorXd worst_slack = Eigen::VectorXd::Zero(inputs.rows());
    for (const SurrogateModel* model : slacks_) {
      worst_slack = worst_slack.cwiseMin(
          (model->gp.PredictMean(inputs, false).mean.array() -
           model->data.warp.zero)
              .matrix());
    }
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
    for (Index k = 0; k < merits.cols(); ++k) {
      const GaussianProcess& gp = models_[static_cast<std::size_t>(k)]->gp;
      merits.col(k) = gp.PredictMean(inputs, false).mean;
    }
    const std::vector<Index> front = NondominatedRows(merits);
    front_ = merits(front, Eigen::all);
    reference_ = Reference();
    std::vector<Index> centres;
    for (const Index row : SpreadRows(front_, kMostCentres)) {
      centres.push_back(front[static_cast<std::size_t>(row)]);
    }
    SetCentres(inputs, centres);
  }

  void SetCentres(const MatrixXd& inputs, const std::vector<Index>& rows) {
    centres_ = inputs(rows, Eigen::all);
  }

  RowVectorXd Reference() const {
    RowVectorXd reference = InferReference(front_);
    for (std::size_t k = 0; k < metrics().size(); ++k) {
      const WarpedObjectives& warp = models_[k]->data.warp;
      // If all values are equal, nothing can be converted to targets.
      if (warp.knots.empty()) continue;
      double& target = reference[static_cast<Index>(k)];
      const MetricAim& aim = metrics()[k];
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
        SpreadRows(front_, kMostFrontRows[metrics().size()]);
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
      constraints.push_back({&model->gp, model->data.warp.zero});
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
    RowVectorXd weights(std::ssize(metrics()));
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

  const std::vector<MetricAim>& metrics() const { return view_.metrics; }

  const StudyView& view_;
  const SearchSpaceEncoding& encoding_;
  StudyModels& history_;
  const std::string instruction_set_;
  AvoidedPlaces avoided_;
  UnseenValues unseen_;
  bool seeks_unseen_ = false;            // The trial that is being chosen.
  std::vector<SurrogateModel*> models_;  // One a metric, or none yet.
  std::vector<SurrogateModel*> slacks_;  // One a constraint.
  const FeasibilityModel* feasibility_ = nullptr;  // Null: too few failures.
  const DurationModel* durations_ = nullptr;       // Null: costs do not count.
  std::vector<std::optional<double>> least_useful_;  // A merit for each metric.
  std::vector<RowVectorXd> rows_;                    // Those of whole results.
  MatrixXd front_;                                   // In the models' targets.
  RowVectorXd reference_;                            // Likewise.
  MatrixXd centres_;  // Places of some of the front.
};

}  // namespace

absl::StatusOr<std::vector<Suggestion>> SuggestForFront(
    const StudyView& view, const SearchSpaceEncoding& encoding, int count,
    StudyModels* models, std::string_view instruction_set) {
  FrontSession session(view, encoding, models, instruction_set);
  return SuggestOneByOne(
      view, encoding, count,
      [&](std::int64_t trial, const TriedPoints& tried, std::mt19937_64& rng) {
        return session.Choose(trial, tried, rng);
      });
}

}  // namespace vernier
