#include "suggest/algorithms/gaussian_process_suggester.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "suggest/acquisition/acquisition_function.h"
#include "suggest/acquisition/acquisition_optimizer.h"
#include "suggest/acquisition/feasible_acquisition.h"
#include "suggest/acquisition/gain_per_cost.h"
#include "suggest/algorithms/avoided_places.h"
#include "suggest/algorithms/front_search.h"
#include "suggest/algorithms/instruction_set.h"
#include "suggest/algorithms/suggestion_loop.h"
#include "suggest/design/initial_design.h"
#include "suggest/gp/feasibility_model.h"
#include "suggest/gp/study_models.h"
#include "suggest/gp/surrogate_model.h"
#include "suggest/gp/user_units.h"
#include "suggest/insights/make_insights.h"

namespace vernier {
namespace {

using Eigen::Index;

#if defined(VERNIER_X86_64_V3)
constexpr std::string_view kInstructionSet = kX8664V3;
#else
constexpr std::string_view kInstructionSet = kBaseline;
#endif

// A model with more columns would take gigabytes and minutes.
constexpr Index kMaxColumns = 10000;

constexpr Index kNumSprayCentres = 5;
constexpr std::size_t kPredictedAtOnce = 256;

// If the search over-exploits one place, every fifth trial uses the exploration
// model, where only improvements by more than the margin count.
constexpr std::size_t kStagnationResults = 5;
constexpr double kStagnation = 0.003;
constexpr std::int64_t kExplorePeriod = 5;
constexpr double kMargin = 0.05;  // In targets, whose range is about 1.

// Standard deviations of the confidence bound, by trial number, so that
// parallel workers divide refining and exploring among them.
constexpr double kDeviations[] = {0.3, 1.0, 1.8};

// Where trials are stopped early, one of this many trials beside pending ones
// is chosen by its gain per training. It replaces the smallest bound, since
// both refine (bench/duel/RESULTS.md).
constexpr std::int64_t kGainPeriod = std::size(kDeviations);

// True if the space can be modelled at all.
bool HasModel(const SearchSpaceEncoding& encoding) {
  return encoding.num_columns() > 0 && encoding.num_columns() <= kMaxColumns;
}

// Returns the data points with the highest posterior means.
Eigen::MatrixXd SprayCentres(const SurrogateModel& model) {
  const Eigen::VectorXd& means = model.gp.fitted_means();
  std::vector<Index> order(static_cast<std::size_t>(means.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return means[a] > means[b]; });
  order.resize(
      std::min(order.size(), static_cast<std::size_t>(kNumSprayCentres)));
  return model.data.regression.inputs(order, Eigen::all);
}

// Returns the position in `view.completed` of the full result with the highest
// posterior mean that meets the constraints; the first of ties.
std::optional<std::size_t> HighestPosteriorMean(
    const SurrogateModel& model, const StudyView& view,
    const SearchSpaceEncoding& encoding) {
  std::vector<std::size_t> full;
  for (std::size_t i = 0; i < view.completed.size(); ++i) {
    if (FullObjective(view.completed[i], view.goal) &&
        MeetsConstraints(view.completed[i])) {
      full.push_back(i);
    }
  }
  std::optional<std::size_t> best;
  double best_mean = 0;
  for (std::size_t first = 0; first < full.size(); first += kPredictedAtOnce) {
    const std::size_t count = std::min(kPredictedAtOnce, full.size() - first);
    Eigen::MatrixXd rows(static_cast<Index>(count), encoding.num_columns());
    for (std::size_t k = 0; k < count; ++k) {
      rows.row(static_cast<Index>(k)) =
          encoding.Encode(view.completed[full[first + k]].parameters);
    }
    Index highest = 0;
    const double mean = model.gp.Predict(rows, false).mean.maxCoeff(&highest);
    if (best.has_value() && !(mean > best_mean)) continue;
    best = full[first + static_cast<std::size_t>(highest)];
    best_mean = mean;
  }
  return best;
}

bool HasFeasible(const StudyView& view) {
  return std::any_of(view.completed.begin(), view.completed.end(),
                     [](const Observation& observation) {
                       return observation.objective.has_value();
                     });
}

// Returns the number of results of full trainings. Failures do not count,
// because a model of two values would be worthless.
std::int64_t NumValues(const StudyView& view) {
  return std::count_if(
      view.completed.begin(), view.completed.end(),
      [&](const Observation& observation) {
        return FullObjective(observation, view.goal).has_value();
      });
}

// Returns the reason why there is no model to examine; empty if there may be
// one.
std::string WhyNoModel(const StudyView& view,
                       const SearchSpaceEncoding& encoding) {
  if (encoding.num_columns() == 0) return "no parameter has a second value";
  if (!HasModel(encoding)) {
    return absl::StrCat("the search space has ", encoding.num_columns(),
                        " dimensions, and a model at most ", kMaxColumns);
  }
  const std::int64_t num_values = NumValues(view);
  const int needed = InitialDesignSize(encoding);
  if (num_values >= needed) return "";
  return absl::StrCat(
      "a model needs ", needed, " results of trials that ran to their end, ",
      num_values == 0 ? "and there is none"
                      : absl::StrCat("and there are only ", num_values));
}

// True if the last results improved the best by next to nothing, compared with
// the distance from the median to the best.
bool Stagnates(const StudyView& view) {
  // Trainings that were stopped only show that they would not have improved the
  // best.
  std::vector<std::optional<double>> ended;
  for (const Observation& result : view.completed) {
    if (result.is_stopped_early) continue;
    ended.push_back(FullObjective(result, view.goal));
  }
  std::vector<double> values;
  double best_before = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < ended.size(); ++i) {
    if (!ended[i].has_value()) continue;
    values.push_back(*ended[i]);
    if (i + kStagnationResults < ended.size()) {
      best_before = std::max(best_before, values.back());
    }
  }
  if (!std::isfinite(best_before)) return false;
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const double median = *middle;
  const double best = *std::max_element(values.begin(), values.end());
  // Values are halved first, because differences of huge numbers overflow.
  return best / 2 - best_before / 2 < kStagnation * (best / 2 - median / 2);
}

// Returns the objective's model. If failures have a model of their own, they
// are left out of this one.
absl::StatusOr<SurrogateModel*> ObjectiveModel(
    const StudyView& view, const SearchSpaceEncoding& encoding,
    SurrogateCache* history) {
  if (!ModelsFailures(view)) return history->Get(view, encoding);
  return history->Get(WithoutFailures(view), encoding);
}

// One call of Suggest. While it lives, pending trials may be hallucinated into
// the history's model.
class SuggestionSession {
 public:
  SuggestionSession(const StudyView& view, const SearchSpaceEncoding& encoding,
                    StudyModels* models)
      : view_(view),
        encoding_(encoding),
        models_(models),
        avoided_(view, encoding) {}

  absl::StatusOr<Suggestion> Choose(std::int64_t trial,
                                    const TriedPoints& tried,
                                    std::mt19937_64& rng) {
    VERNIER_ASSIGN_OR_RETURN(Suggestion suggestion,
                             ChooseUnrecorded(trial, tried, rng));
    avoided_.Add(suggestion.parameters);
    return suggestion;
  }

 private:
  absl::StatusOr<Suggestion> ChooseUnrecorded(std::int64_t trial,
                                              const TriedPoints& tried,
                                              std::mt19937_64& rng) {
    if (!HasModel(encoding_) ||
        BelongsToInitialDesign(encoding_, view_.completed.size(),
                               avoided_.num_pending())) {
      return Design(trial, tried, rng);
    }
    if (model_ == nullptr) {
      VERNIER_ASSIGN_OR_RETURN(model_, Objective(&models_->objective));
      if (ModelsFailures(view_)) {
        VERNIER_ASSIGN_OR_RETURN(feasibility_,
                                 models_->feasibility.Get(view_, encoding_));
      }
      if (view_.cost_weight > 0) {
        VERNIER_ASSIGN_OR_RETURN(durations_,
                                 models_->durations.Get(view_, encoding_));
      }
    }
    // If all results are equal, no place is better, so the design continues.
    if (model_->data.is_constant && model_->data.has_feasible) {
      return Design(trial, tried, rng);
    }
    const SuggestionMethod method = Method(trial);
    avoided_.Condition({&model_->gp});
    const SurrogateModel* model = model_;
    if (method == SuggestionMethod::kExploration) {
      VERNIER_ASSIGN_OR_RETURN(model, Objective(&models_->exploration));
    }
    const std::optional<ScoredPoint> best =
        Maximize(*model, method, trial, tried, rng);
    if (!best.has_value()) return Design(trial, tried, rng);
    Suggestion suggestion;
    suggestion.parameters = encoding_.Decode(best->row);
    SuggestionRecord& record = suggestion.record;
    record.method = method;
    record.num_fitted = model->num_fitted;
    record.instruction_set = kInstructionSet;
    record.acquisition = best->value;
    if (IsGainPerTraining(method)) record.stopped_part = view_.stopped_part;
    if (model->data.has_feasible) {
      // The prediction is for the rounded values that the trial gets.
      record.prediction = PredictInUserUnits(
          *model, view_.goal, encoding_.Encode(suggestion.parameters));
    }
    return suggestion;
  }

  // Without a feasible trial there is no value to improve on, and the
  // confidence bound amounts to the distance from everything known.
  SuggestionMethod Method(std::int64_t trial) const {
    if (!model_->data.has_feasible) return SuggestionMethod::kAwayFromFailures;
    // A bound is not a gain that could be divided by a cost.
    if (avoided_.num_pending() > 0 && durations_ == nullptr) {
      return SavesTrainings() && trial % kGainPeriod == 0
                 ? SuggestionMethod::kImprovement
                 : SuggestionMethod::kConfidenceBound;
    }
    return trial % kExplorePeriod == 0 && Stagnates(view_)
               ? SuggestionMethod::kExploration
               : SuggestionMethod::kImprovement;
  }

  bool SavesTrainings() const { return view_.stopped_part < 1; }

  bool IsGainPerTraining(SuggestionMethod method) const {
    return SavesTrainings() && (method == SuggestionMethod::kImprovement ||
                                method == SuggestionMethod::kExploration);
  }

  absl::StatusOr<SurrogateModel*> Objective(SurrogateCache* history) const {
    return ObjectiveModel(view_, encoding_, history);
  }

  std::optional<ScoredPoint> Maximize(const SurrogateModel& model,
                                      SuggestionMethod method,
                                      std::int64_t trial,
                                      const TriedPoints& tried,
                                      std::mt19937_64& rng) const {
    const Index size = std::max(
        model.gp.size(), feasibility_ == nullptr ? 0 : feasibility_->size());
    const auto maximize = [&](const AcquisitionFunction& function) {
      return MaximizeAcquisition(encoding_, function, SprayCentres(model),
                                 tried, BudgetFor(size), rng);
    };
    if (method == SuggestionMethod::kImprovement ||
        method == SuggestionMethod::kExploration) {
      const LogEiAcquisition gain(
          model.gp, method == SuggestionMethod::kExploration ? kMargin : 0,
          view_.stopped_part);
      const auto maximize_by_cost = [&](const AcquisitionFunction& log_gain) {
        if (durations_ == nullptr) return maximize(log_gain);
        return maximize(
            LogGainPerCost(log_gain, *durations_, view_.cost_weight));
      };
      if (feasibility_ == nullptr) return maximize_by_cost(gain);
      return maximize_by_cost(FeasibleLogGain(gain, *feasibility_));
    }
    const UpperConfidenceBound bound(
        model.gp,
        kDeviations[static_cast<std::size_t>(trial) % std::size(kDeviations)]);
    if (feasibility_ == nullptr) return maximize(bound);
    return maximize(FeasibleBound(bound, *feasibility_,
                                  model.data.regression.targets.minCoeff()));
  }

  absl::StatusOr<Suggestion> Design(std::int64_t trial,
                                    const TriedPoints& tried,
                                    std::mt19937_64& rng) const {
    return DesignPoint(view_, encoding_, trial, tried, rng);
  }

  const StudyView& view_;
  const SearchSpaceEncoding& encoding_;
  StudyModels* const models_;
  AvoidedPlaces avoided_;
  SurrogateModel* model_ = nullptr;                // Fetched when first needed.
  const FeasibilityModel* feasibility_ = nullptr;  // Null: too few failures.
  const DurationModel* durations_ = nullptr;       // Null: costs do not count.
};

}  // namespace

GaussianProcessSuggester::GaussianProcessSuggester()
    : models_(std::make_unique<StudyModels>()) {}

GaussianProcessSuggester::~GaussianProcessSuggester() = default;

absl::StatusOr<std::vector<Suggestion>> GaussianProcessSuggester::Suggest(
    const StudyView& view, int count) const {
  VERNIER_RETURN_IF_ERROR(CheckSuggestArguments(view, count));
  const SearchSpaceEncoding encoding(view.space);
  const MutexLock lock(mu_);
  if (!view.metrics.empty() && HasModel(encoding) && HasFeasible(view)) {
    return SuggestForFront(view, encoding, count, models_.get(),
                           kInstructionSet);
  }
  SuggestionSession session(view, encoding, models_.get());
  return SuggestOneByOne(
      view, encoding, count,
      [&](std::int64_t trial, const TriedPoints& tried, std::mt19937_64& rng) {
        return session.Choose(trial, tried, rng);
      });
}

absl::StatusOr<std::optional<Recommendation>>
GaussianProcessSuggester::Recommend(const StudyView& view) const {
  VERNIER_RETURN_IF_ERROR(CheckSuggestArguments(view, 1));
  const SearchSpaceEncoding encoding(view.space);
  if (!HasModel(encoding) || NumValues(view) < InitialDesignSize(encoding)) {
    return BestObserved(view);
  }
  const MutexLock lock(mu_);
  VERNIER_ASSIGN_OR_RETURN(SurrogateModel* const model,
                           ObjectiveModel(view, encoding, &models_->objective));
  if (model->data.is_constant) return BestObserved(view);
  const std::optional<std::size_t> best =
      HighestPosteriorMean(*model, view, encoding);
  if (!best.has_value()) return std::nullopt;
  const Eigen::RowVectorXd row =
      encoding.Encode(view.completed[*best].parameters);
  return Recommendation{*best, PredictInUserUnits(*model, view.goal, row)};
}

absl::StatusOr<Insights> GaussianProcessSuggester::Examine(
    const StudyView& view, const InsightsRequest& request) const {
  VERNIER_RETURN_IF_ERROR(CheckSuggestArguments(view, 1));
  const SearchSpaceEncoding encoding(view.space);
  VERNIER_RETURN_IF_ERROR(CheckContours(encoding, request));
  Insights nothing;
  nothing.num_observations = NumValues(view);
  nothing.reason = WhyNoModel(view, encoding);
  if (!nothing.reason.empty()) return nothing;
  const MutexLock lock(mu_);
  VERNIER_ASSIGN_OR_RETURN(const SurrogateModel* const model,
                           ObjectiveModel(view, encoding, &models_->objective));
  // With one value and failures, the model could only describe failures.
  if (model->data.is_constant || model->data.warp.knots.size() < 2) {
    nothing.reason = "all results are equal";
    return nothing;
  }
  const FeasibilityModel* feasibility = nullptr;
  if (ModelsFailures(view)) {
    VERNIER_ASSIGN_OR_RETURN(feasibility,
                             models_->feasibility.Get(view, encoding));
  }
  return MakeInsights({view, encoding, *model, feasibility}, request);
}

}  // namespace vernier
