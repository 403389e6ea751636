#include "suggest/algorithms/gaussian_process_suggester.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
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
#include "suggest/acquisition/weighted_gain.h"
#include "suggest/algorithms/auto_repeat.h"
#include "suggest/algorithms/avoided_places.h"
#include "suggest/algorithms/failure_caution.h"
#include "suggest/algorithms/front_search.h"
#include "suggest/algorithms/instruction_set.h"
#include "suggest/algorithms/large_study.h"
#include "suggest/algorithms/reliable_result.h"
#include "suggest/algorithms/study_models.h"
#include "suggest/algorithms/study_parts.h"
#include "suggest/algorithms/suggestion_loop.h"
#include "suggest/algorithms/traded_metrics.h"
#include "suggest/algorithms/unseen_first.h"
#include "suggest/design/initial_design.h"
#include "suggest/design/thinned_design.h"
#include "suggest/gp/feasibility_model.h"
#include "suggest/gp/fit_schedule.h"
#include "suggest/gp/noise_evidence.h"
#include "suggest/gp/surrogate_model.h"
#include "suggest/gp/user_units.h"
#include "suggest/insights/make_insights.h"
#include "suggest/memory/memory_model.h"
#include "suggest/space/belief_prior.h"
#include "suggest/space/constrained_space.h"
#include "suggest/space/point_results.h"

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

// If the search over-exploits one place, every fifth trial uses the exploration
// model, where only improvements by more than the margin count.
constexpr std::size_t kStagnationResults = 5;
constexpr double kStagnation = 0.003;
constexpr std::int64_t kExplorePeriod = 5;
constexpr double kMargin = 0.05;  // In targets, whose range is about 1.

// From this many results on, earlier studies that seem unrelated are ignored.
constexpr std::int64_t kResultsToJudge = 4;
constexpr std::int64_t kControlTrial = 3;
// If the trials up to that one failed, what earlier studies found good may be
// what fails here, and one of this many trials is of the design until some
// lives.
constexpr std::int64_t kDoubtPeriod = 2;
// In nats: so much more must speak against them before there could be a model
// without them.
constexpr double kEarlyDoubt = 4;
// What one result may say for or against them. A bad result far below the
// others is off by much on any scale that suits the good ones.
constexpr double kMostEvidence = 2;

// Where trials are stopped early, one of this many trials beside pending ones
// is chosen by its gain per training. It replaces the smallest bound, since
// both refine (bench/duel/RESULTS.md).
constexpr std::int64_t kGainPeriod = std::size(kBoundDeviations);

// True if the space can be modelled at all.
bool HasModel(const SearchSpaceEncoding& encoding) {
  return encoding.num_columns() > 0 && encoding.num_columns() <= kMaxColumns;
}

double LowestTarget(const SurrogateModel& model) {
  const Eigen::VectorXd& targets = model.data.regression.targets;
  return targets.size() == 0 ? -1 : targets.minCoeff();
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
  const int needed = ResultsToTrustModel(encoding);
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
  if (IsRepeating(view.repeats)) {
    // The luckiest result says nothing about progress; means of points do.
    const PointTable points = PointsOf(view);
    for (const PointResults& point : points.points()) {
      if (point.count() > 0) ended.push_back(point.mean);
    }
  }
  for (const Observation& result : view.completed) {
    if (IsRepeating(view.repeats)) break;
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

// Returns the exponent of the beliefs after the study's results. A failure is
// the worst of all, and a training that was stopped early says nothing.
double MakeBeliefExponent(const StudyView& view,
                          const SearchSpaceEncoding& encoding,
                          const BeliefPrior& beliefs) {
  if (beliefs.is_empty()) return 0;
  Eigen::MatrixXd rows(std::ssize(view.completed), encoding.num_columns());
  Eigen::VectorXd merits(rows.rows());
  Index size = 0;
  for (const Observation& result : view.completed) {
    if (result.is_stopped_early) continue;
    rows.row(size) = encoding.Encode(result.parameters);
    merits[size++] = MeritOf(result, view.goal);
  }
  Eigen::VectorXd log_densities;
  beliefs.LogDensity(rows.topRows(size), &log_densities, nullptr);
  return BeliefExponent(merits.head(size), log_densities);
}

// One call of Suggest. While it lives, pending trials may be hallucinated into
// the history's model.
class SuggestionSession {
 public:
  // `view` is `whole`, or the only one of its metrics that counts.
  SuggestionSession(const StudyView& view, const StudyView& whole,
                    const SearchSpaceEncoding& encoding, StudyModels* models)
      : view_(view),
        whole_(whole),
        encoding_(encoding),
        models_(models),
        avoided_(view, encoding),
        unseen_(view, encoding),
        beliefs_(view.beliefs, encoding),
        exponent_of_beliefs_(MakeBeliefExponent(view, encoding, beliefs_)) {}

  absl::StatusOr<Suggestion> Choose(std::int64_t trial,
                                    const TriedPoints& tried,
                                    std::mt19937_64& rng) {
    VERNIER_ASSIGN_OR_RETURN(Suggestion suggestion,
                             ChooseUnrecorded(trial, tried, rng));
    avoided_.Add(suggestion.parameters);
    unseen_.Add(suggestion.parameters);
    return suggestion;
  }

  // Adds the repeats that pay most where a finite space has no untried point
  // left.
  absl::StatusOr<std::vector<Suggestion>> WithRepeats(
      int count, absl::StatusOr<std::vector<Suggestion>> points) {
    std::vector<Suggestion> all;
    if (points.ok()) all = *points;
    while (std::ssize(all) < count && HasModel(encoding_) &&
           std::ssize(view_.completed) >= kFirstFit) {
      if (model_ == nullptr) {
        VERNIER_ASSIGN_OR_RETURN(model_, Objective(&models_->objective));
      }
      avoided_.Condition({&model_->gp});
      std::optional<Suggestion> repeat = Repeat(std::nullopt);
      if (!repeat.has_value()) break;
      repeat->record.num_completed = std::ssize(view_.completed);
      repeat->record.num_pending = std::ssize(view_.pending) + std::ssize(all);
      avoided_.Add(repeat->parameters);
      all.push_back(*std::move(repeat));
    }
    if (all.empty()) return points;
    return all;
  }

 private:
  absl::StatusOr<Suggestion> ChooseUnrecorded(std::int64_t trial,
                                              const TriedPoints& tried,
                                              std::mt19937_64& rng) {
    VERNIER_RETURN_IF_ERROR(Remember());
    if (memory_ != nullptr) {
      return IsControl(trial) ? Design(trial, tried, rng)
                              : FromModel(trial, tried, rng);
    }
    if (!HasModel(encoding_) ||
        BelongsToInitialDesign(whole_, encoding_, avoided_.num_pending())) {
      return Design(trial, tried, rng);
    }
    if (model_ == nullptr) {
      VERNIER_ASSIGN_OR_RETURN(model_, Objective(&models_->objective));
      VERNIER_RETURN_IF_ERROR(FetchFailuresAndDurations());
    }
    // If all results are equal, no place is better, so the design continues.
    if (model_->data.is_constant && model_->data.has_feasible) {
      return DesignThatLives(trial, tried, rng);
    }
    // The places farthest from all failures are corners and edges. What lives
    // may as well be in between.
    if (!model_->data.has_feasible && trial % kAwayPeriod != 0) {
      return Design(trial, tried, rng);
    }
    return FromModel(trial, tried, rng);
  }

  // Makes the model of this study and of earlier ones, if there are any that
  // may be followed.
  absl::Status Remember() {
    if (has_remembered_) return absl::OkStatus();
    has_remembered_ = true;
    if (!HasModel(encoding_) || view_.priors == nullptr ||
        std::ssize(view_.completed) > kMostResultsWithMemory) {
      return absl::OkStatus();
    }
    // WithoutFailures makes a copy that does not outlive the call.
    const StudyView* view = &view_;
    std::optional<StudyView> successes;
    if (ModelsFailures(view_)) {
      successes = WithoutFailures(view_);
      view = &*successes;
    }
    VERNIER_ASSIGN_OR_RETURN(MemoryModel* const found,
                             models_->memory.Get(*view, encoding_));
    if (found == nullptr) return absl::OkStatus();
    if (NumValues(view_) >= kResultsToJudge) {
      VERNIER_ASSIGN_OR_RETURN(const bool is_better, IsBetterAlone(*found));
      if (is_better) return absl::OkStatus();
    }
    memory_ = found;
    model_ = &found->surrogate;
    return FetchFailuresAndDurations();
  }

  absl::Status FetchFailuresAndDurations() {
    if (ModelsFailures(view_)) {
      VERNIER_ASSIGN_OR_RETURN(feasibility_,
                               models_->feasibility.Get(view_, encoding_));
    }
    if (view_.cost_weight > 0) {
      VERNIER_ASSIGN_OR_RETURN(durations_,
                               models_->durations.Get(view_, encoding_));
    }
    return absl::OkStatus();
  }

  // True if the results by themselves predict each other better than the
  // earlier studies and they do together.
  absl::StatusOr<bool> IsBetterAlone(const MemoryModel& memory) {
    VERNIER_ASSIGN_OR_RETURN(const SurrogateModel* const alone,
                             Objective(&models_->objective));
    if (alone->data.is_constant) return false;
    const Eigen::VectorXd densities = OwnDensities(
        alone->gp, alone->data.regression.targets, UncensoredRows(alone->data));
    const bool is_early = NumValues(view_) < ResultsToTrustModel(encoding_);
    return (densities - memory.densities)
               .cwiseMax(-kMostEvidence)
               .cwiseMin(kMostEvidence)
               .sum() > (is_early ? kEarlyDoubt : 0);
  }

  // True for a trial of the design among those that follow memory. The good
  // places of earlier studies alone would not show whether these are good here.
  bool IsControl(std::int64_t trial) const {
    if (std::ssize(view_.completed) < kControlTrial) {
      return trial == kControlTrial;
    }
    return trial % kDoubtPeriod == 0 && !HasFeasible(view_);
  }

  absl::StatusOr<Suggestion> FromModel(std::int64_t trial,
                                       const TriedPoints& tried,
                                       std::mt19937_64& rng) {
    const SuggestionMethod method = Method(trial);
    avoided_.Condition({&model_->gp});
    const SurrogateModel* model = model_;
    if (method == SuggestionMethod::kExploration && memory_ == nullptr) {
      VERNIER_ASSIGN_OR_RETURN(model, Objective(&models_->exploration));
    }
    const std::optional<ScoredPoint> best =
        Maximize(*model, method, trial, tried, rng);
    if (!best.has_value()) return Design(trial, tried, rng);
    if (std::optional<Suggestion> repeat = Repeat(best->row)) {
      return *std::move(repeat);
    }
    Suggestion suggestion;
    suggestion.parameters = encoding_.Decode(best->row);
    SuggestionRecord& record = suggestion.record;
    record.method = SeeksUnseen(trial) && unseen_.IsIn(best->row)
                        ? SuggestionMethod::kUnseenValue
                        : method;
    record.num_fitted = model->num_fitted;
    record.instruction_set = kInstructionSet;
    record.acquisition = best->value;
    if (IsGainPerTraining(method)) record.stopped_part = view_.stopped_part;
    record.follows_beliefs = ExponentOfBeliefs(method) > 0;
    if (memory_ != nullptr) record.learned_from = memory_->Followed();
    if (feasibility_ != nullptr) {
      Eigen::VectorXd log_probability(1);
      feasibility_->LogProbability(encoding_.Encode(suggestion.parameters),
                                   &log_probability, nullptr);
      record.success_probability = std::exp(log_probability(0));
    }
    if (model->data.has_feasible && model->data.warp.knots.size() > 1) {
      // The prediction is for the rounded values that the trial gets.
      record.prediction = PredictInUserUnits(
          *model, view_.goal, encoding_.Encode(suggestion.parameters));
    }
    return suggestion;
  }

  // Returns the repeat that pays more than a trial at `row`, if the study
  // leaves repeats to the engine.
  std::optional<Suggestion> Repeat(
      const std::optional<Eigen::RowVectorXd>& row) {
    if (view_.repeats.policy != RepeatPolicy::kAuto || model_ == nullptr ||
        !model_->data.has_feasible || model_->data.warp.knots.empty()) {
      return std::nullopt;  // If all results are equal, nothing is predicted.
    }
    if (!points_.has_value()) {
      points_ = PointsOf(view_);
      running_ = RunningAt(*points_, view_.pending);
    }
    std::optional<Suggestion> repeat = RepeatThatPays(
        *points_, running_, view_.repeats.trials, encoding_, model_->gp, row);
    if (!repeat.has_value()) return std::nullopt;
    ++running_[*points_->Find(repeat->parameters)];
    repeat->record.num_fitted = model_->num_fitted;
    repeat->record.instruction_set = kInstructionSet;
    repeat->record.prediction = PredictInUserUnits(
        *model_, view_.goal, encoding_.Encode(repeat->parameters));
    return repeat;
  }

  // Without a feasible trial there is no value to improve on, and the
  // confidence bound amounts to the distance from everything known.
  SuggestionMethod Method(std::int64_t trial) const {
    if (!model_->data.has_feasible) {
      return memory_ != nullptr ? SuggestionMethod::kConfidenceBound
                                : SuggestionMethod::kAwayFromFailures;
    }
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

  // What earlier studies have seen is known.
  bool SeeksUnseen(std::int64_t trial) const {
    return memory_ == nullptr && IsForUnseenValue(trial, unseen_);
  }

  bool SavesTrainings() const { return view_.stopped_part < 1; }

  bool IsGainPerTraining(SuggestionMethod method) const {
    return SavesTrainings() && (method == SuggestionMethod::kImprovement ||
                                method == SuggestionMethod::kExploration);
  }

  // Exploration looks for what nobody expects, and a place far from failures
  // may be anywhere.
  double ExponentOfBeliefs(SuggestionMethod method) const {
    if (beliefs_.is_empty() || (method != SuggestionMethod::kImprovement &&
                                method != SuggestionMethod::kConfidenceBound)) {
      return 0;
    }
    return exponent_of_beliefs_;
  }

  // Returns the points around which candidates are tried.
  Eigen::MatrixXd CentresFor(const SurrogateModel& model,
                             double exponent_of_beliefs) const {
    Eigen::MatrixXd centres =
        memory_ != nullptr ? memory_->centres : SprayCentres(model);
    if (exponent_of_beliefs > 0) {
      centres.conservativeResize(centres.rows() + 1, encoding_.num_columns());
      centres.bottomRows(1) = beliefs_.Centre();
    }
    return centres;
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
    const double exponent = ExponentOfBeliefs(method);
    const auto maximize = [&](const AcquisitionFunction& function) {
      const UnseenFirst unseen_first(function, unseen_);
      return MaximizeAcquisition(
          encoding_, SeeksUnseen(trial) ? unseen_first : function,
          CentresFor(model, exponent), tried, BudgetFor(size), rng);
    };
    if (method == SuggestionMethod::kImprovement ||
        method == SuggestionMethod::kExploration) {
      const LogEiAcquisition gain(
          model.gp, method == SuggestionMethod::kExploration ? kMargin : 0,
          view_.stopped_part);
      const auto maximize_believed = [&](const AcquisitionFunction& log_gain) {
        if (exponent == 0) return maximize(log_gain);
        return maximize(
            WeightedLogGain(log_gain, LogWeightOf(beliefs_), exponent));
      };
      const auto maximize_by_cost = [&](const AcquisitionFunction& log_gain) {
        if (durations_ == nullptr) return maximize_believed(log_gain);
        return maximize_believed(WeightedLogGain(
            log_gain, LogWeightOf(*durations_), -view_.cost_weight));
      };
      if (feasibility_ == nullptr) return maximize_by_cost(gain);
      return maximize_by_cost(WeightedLogGain(
          gain, LogWeightOf(*feasibility_), FailureCaution(view_, encoding_)));
    }
    // Before the first result, what earlier studies found best comes first.
    const UpperConfidenceBound bound(model.gp, model.data.has_feasible
                                                   ? BoundDeviations(trial)
                                                   : kBoundDeviations[0]);
    const auto maximize_believed = [&](const AcquisitionFunction& function) {
      if (exponent == 0) return maximize(function);
      return maximize(WeightedBound(function, LogWeightOf(beliefs_),
                                    LowestTarget(model), exponent));
    };
    if (feasibility_ == nullptr) return maximize_believed(bound);
    return maximize_believed(WeightedBound(bound, LogWeightOf(*feasibility_),
                                           LowestTarget(model),
                                           FailureCaution(view_, encoding_)));
  }

  absl::StatusOr<Suggestion> Design(std::int64_t trial,
                                    const TriedPoints& tried,
                                    std::mt19937_64& rng) const {
    return DesignPoint(whole_, encoding_, trial, tried, rng);
  }

  // The same where trials probably do not fail.
  absl::StatusOr<Suggestion> DesignThatLives(std::int64_t trial,
                                             const TriedPoints& tried,
                                             std::mt19937_64& rng) const {
    if (feasibility_ == nullptr) return Design(trial, tried, rng);
    const auto log_chance =
        [&](const Eigen::Ref<const Eigen::MatrixXd>& rows) -> Eigen::VectorXd {
      Eigen::VectorXd logs;
      feasibility_->LogProbability(rows, &logs, nullptr);
      return logs;
    };
    return ThinnedDesignPoint(whole_, encoding_, tried, log_chance, rng);
  }

  const StudyView& view_;
  const StudyView& whole_;  // Whose design is followed.
  const SearchSpaceEncoding& encoding_;
  StudyModels* const models_;
  AvoidedPlaces avoided_;
  UnseenValues unseen_;
  const BeliefPrior beliefs_;
  const double exponent_of_beliefs_;  // By all results so far.
  bool has_remembered_ = false;
  const MemoryModel* memory_ = nullptr;            // Null: there is none.
  SurrogateModel* model_ = nullptr;                // Fetched when first needed.
  const FeasibilityModel* feasibility_ = nullptr;  // Null: too few failures.
  const DurationModel* durations_ = nullptr;       // Null: costs do not count.
  // Made when a repeat is first considered.
  std::optional<PointTable> points_;
  std::vector<int> running_;  // As NextRepeat has it.
};

// Suggests points for a study of several metrics of which one alone varies, as
// for a study of that metric.
absl::StatusOr<std::vector<Suggestion>> SuggestForMetric(
    const StudyView& view, std::size_t metric,
    const SearchSpaceEncoding& encoding, int count, StudyModels* models) {
  const StudyView single = ViewOfMetric(view, metric);
  SuggestionSession session(single, view, encoding, models);
  return SuggestOneByOne(
      view, encoding, count,
      [&](std::int64_t trial, const TriedPoints& tried, std::mt19937_64& rng) {
        absl::StatusOr<Suggestion> point = session.Choose(trial, tried, rng);
        // A record's prediction is about the first metric.
        if (point.ok() && metric > 0) point->record.prediction.reset();
        return point;
      });
}

}  // namespace

GaussianProcessSuggester::GaussianProcessSuggester()
    : models_(std::make_unique<StudyModels>()) {}

GaussianProcessSuggester::~GaussianProcessSuggester() = default;

absl::StatusOr<std::vector<Suggestion>> GaussianProcessSuggester::Suggest(
    const StudyView& view, int count) const {
  VERNIER_RETURN_IF_ERROR(CheckSuggestRequest(view, count));
  const SearchSpaceEncoding encoding =
      EncodingWithin(view.space, view.parameter_constraints);
  const MutexLock lock(mu_);
  if (const auto merits = MeritsForParts(view, encoding)) {
    return SuggestFromParts(view, encoding, *merits, count, &models_->parts,
                            kInstructionSet);
  }
  VERNIER_RETURN_IF_ERROR(CheckSuggestArguments(view, count));
  if (!view.metrics.empty() && HasModel(encoding) && HasFeasible(view)) {
    std::vector<std::size_t> traded = TradedMetrics(view);
    return traded.size() == 1 && view.num_constraints == 0
               ? SuggestForMetric(view, traded.front(), encoding, count,
                                  models_.get())
               : SuggestForFront(view, std::move(traded), encoding, count,
                                 models_.get(), kInstructionSet);
  }
  SuggestionSession session(view, view, encoding, models_.get());
  absl::StatusOr<std::vector<Suggestion>> points = SuggestOneByOne(
      view, encoding, count,
      [&](std::int64_t trial, const TriedPoints& tried, std::mt19937_64& rng) {
        return session.Choose(trial, tried, rng);
      });
  if (view.repeats.policy != RepeatPolicy::kAuto ||
      (!points.ok() && !absl::IsResourceExhausted(points.status()))) {
    return points;
  }
  return session.WithRepeats(count, std::move(points));
}

absl::StatusOr<std::optional<Recommendation>>
GaussianProcessSuggester::Recommend(const StudyView& view) const {
  VERNIER_RETURN_IF_ERROR(CheckSuggestRequest(view, 1));
  const SearchSpaceEncoding encoding =
      EncodingWithin(view.space, view.parameter_constraints);
  const MutexLock lock(mu_);
  if (const auto merits = MeritsForParts(view, encoding)) {
    return RecommendFromPart(view, encoding, *merits, &models_->parts);
  }
  VERNIER_RETURN_IF_ERROR(CheckSuggestArguments(view, 1));
  if (!HasModel(encoding) || NumValues(view) < ResultsToTrustModel(encoding)) {
    return BestObserved(view);
  }
  VERNIER_ASSIGN_OR_RETURN(SurrogateModel* const model,
                           ObjectiveModel(view, encoding, &models_->objective));
  if (model->data.is_constant) return BestObserved(view);
  VERNIER_ASSIGN_OR_RETURN(const NoiseEvidence noise,
                           FindNoise(model->data.regression));
  return ReliableResult(view, encoding, *model, noise);
}

absl::StatusOr<std::vector<Prediction>> GaussianProcessSuggester::Predict(
    const StudyView& view, const std::vector<Parameters>& points) const {
  const SearchSpaceEncoding encoding =
      EncodingWithin(view.space, view.parameter_constraints);
  std::vector<Prediction> predictions;
  if (points.empty() || !view.metrics.empty() || !HasModel(encoding) ||
      NumValues(view) < ResultsToTrustModel(encoding)) {
    return predictions;
  }
  const MutexLock lock(mu_);
  if (MeritsForParts(view, encoding).has_value()) return predictions;
  VERNIER_RETURN_IF_ERROR(CheckSuggestArguments(view, 1));
  VERNIER_ASSIGN_OR_RETURN(const SurrogateModel* const model,
                           ObjectiveModel(view, encoding, &models_->objective));
  if (model->data.is_constant || model->data.warp.knots.size() < 2) {
    return predictions;
  }
  for (const Parameters& point : points) {
    predictions.push_back(
        PredictInUserUnits(*model, view.goal, encoding.Encode(point)));
  }
  return predictions;
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
  // The answers are about the declared ranges, so that within constraints the
  // models of suggestions do not serve.
  StudyModels of_declared;
  StudyModels& models =
      view.parameter_constraints.empty() ? *models_ : of_declared;
  VERNIER_ASSIGN_OR_RETURN(const SurrogateModel* const model,
                           ObjectiveModel(view, encoding, &models.objective));
  // With one value and failures, the model could only describe failures.
  if (model->data.is_constant || model->data.warp.knots.size() < 2) {
    nothing.reason = "all results are equal";
    return nothing;
  }
  const FeasibilityModel* feasibility = nullptr;
  if (ModelsFailures(view)) {
    VERNIER_ASSIGN_OR_RETURN(feasibility,
                             models.feasibility.Get(view, encoding));
  }
  return MakeInsights({view, encoding, *model, feasibility}, request);
}

}  // namespace vernier
