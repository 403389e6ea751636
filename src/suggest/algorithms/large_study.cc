#include "suggest/algorithms/large_study.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>

#include "base/rng.h"
#include "base/status_macros.h"
#include "suggest/acquisition/acquisition_function.h"
#include "suggest/acquisition/acquisition_optimizer.h"
#include "suggest/algorithms/avoided_places.h"
#include "suggest/algorithms/study_parts.h"
#include "suggest/design/initial_design.h"
#include "suggest/gp/descending_order.h"
#include "suggest/gp/fit_schedule.h"
#include "suggest/gp/hyperparameter_fit.h"
#include "suggest/gp/result_digest.h"
#include "suggest/gp/surrogate_model.h"
#include "suggest/gp/user_units.h"
#include "suggest/space/finite_space.h"
#include "suggest/space/space_membership.h"
#include "suggest/space/tried_points.h"

namespace vernier {
namespace {

// A part shrinks as the search comes nearer to the best, by many powers of ten.
// The priors of a model suit a whole space, so hyperparameters are fitted to a
// part that is stretched to the size of one. They suit later parts, too, once
// these are stretched in the same way; so fits are rare.

using Eigen::Index;
using Eigen::RowVectorXd;

// One of so many trials does not look near the best result. In turn it is near
// another one, and among results at a distance from each other.
constexpr std::int64_t kElsewherePeriod = 5;
// One of so many looks anywhere.
constexpr std::int64_t kAnywherePeriod = 20;

// The decimal logarithms of the distances between results that are apart, as
// fractions of the diagonal of the space.
constexpr double kLeastApart = -2.5;
constexpr double kMostApart = -0.3;

constexpr int kPartEvaluations = 30;  // Of a fit.
constexpr std::size_t kPartCentres = 5;

// Standard deviations of the confidence bound, by trial number.
constexpr double kPartDeviations[] = {0.3, 1.0, 1.8};

// Steps from the centres are at most a fifth of this, times the extent.
constexpr double kReach = 3;
constexpr double kLeastExtent = 1e-9;

// Returns the part's extent in each column. That of a category counts as whole.
RowVectorXd ExtentOf(const RegressionData& part) {
  RowVectorXd extent =
      part.inputs.colwise().maxCoeff() - part.inputs.colwise().minCoeff();
  for (Index j = 0; j < extent.size(); ++j) {
    const Index group =
        part.groups.group_of_column[static_cast<std::size_t>(j)];
    extent[j] = part.groups.is_categorical[static_cast<std::size_t>(group)]
                    ? 1
                    : std::max(extent[j], kLeastExtent);
  }
  return extent;
}

// Returns the hyperparameters for the part as it is, from those for the
// stretched one. All columns of one group are stretched alike.
LogHyperparameters Unstretched(const LogHyperparameters& theta,
                               const LengthScaleGroups& groups,
                               const RowVectorXd& extent) {
  LogHyperparameters result = theta;
  std::vector<bool> is_done(static_cast<std::size_t>(groups.size()), false);
  for (Index j = 0; j < extent.size(); ++j) {
    const Index group = groups.group_of_column[static_cast<std::size_t>(j)];
    if (is_done[static_cast<std::size_t>(group)]) continue;
    is_done[static_cast<std::size_t>(group)] = true;
    result[group] += std::log(extent[j]);
  }
  return result;
}

double WidestOf(const RowVectorXd& extent, const LengthScaleGroups& groups) {
  double widest = kLeastExtent;
  for (Index j = 0; j < extent.size(); ++j) {
    const Index group = groups.group_of_column[static_cast<std::size_t>(j)];
    if (groups.is_categorical[static_cast<std::size_t>(group)]) continue;
    widest = std::max(widest, extent[j]);
  }
  return widest;
}

AcquisitionBudget BudgetOfPart(double widest) {
  AcquisitionBudget budget;
  budget.num_sobol = 8;
  budget.num_spray = 64;
  budget.spray_step = std::min(1.0, kReach * widest);
  budget.num_starts = 2;
  budget.max_rounds = 12;
  budget.max_discrete_rounds = 2;
  return budget;
}

// Brings the hyperparameters up to date: those of the part near the best of the
// results at the last cold fit of the schedule.
absl::Status FitParts(const StudyView& view,
                      const SearchSpaceEncoding& encoding,
                      const std::vector<double>& merits,
                      std::optional<PartFit>* fit) {
  const std::int64_t num_results = LastColdFit(std::ssize(merits));
  const std::span<const double> first =
      std::span(merits).first(static_cast<std::size_t>(num_results));
  const std::uint64_t digest = DigestMerits(view, first);
  if (fit->has_value() && (*fit)->num_results == num_results &&
      (*fit)->digest == digest) {
    return absl::OkStatus();
  }
  VERNIER_ASSIGN_OR_RETURN(const StudyParts parts,
                           StudyParts::Create(view, encoding, first));
  const StudyView part = parts.Part(parts.Near(0));
  TrainingData data = MakeTrainingData(part, encoding, part.completed.size());
  RegressionData& regression = data.regression;
  const RowVectorXd extent = ExtentOf(regression);
  regression.inputs.array().rowwise() /= extent.array();
  const HyperparameterPrior prior = MakeHyperparameterPrior(regression.groups);
  LogHyperparameters theta = StartingPoints(prior).front();
  if (!data.is_constant) {
    HyperparameterFitOptions options;
    options.max_evaluations = kPartEvaluations;
    VERNIER_ASSIGN_OR_RETURN(
        theta, FitHyperparameters(regression, prior, {theta}, options));
  }
  *fit = PartFit{num_results, digest, std::move(theta)};
  return absl::OkStatus();
}

absl::StatusOr<SurrogateModel> ModelOfPart(const StudyView& part,
                                           const SearchSpaceEncoding& encoding,
                                           const PartFit& fit) {
  TrainingData data = MakeTrainingData(part, encoding, part.completed.size());
  const RegressionData& regression = data.regression;
  VERNIER_ASSIGN_OR_RETURN(
      GaussianProcess gp,
      GaussianProcess::Create(
          regression,
          Unstretched(fit.theta, regression.groups, ExtentOf(regression))));
  return SurrogateModel{std::move(data), std::move(gp), fit.num_results};
}

// Chooses a point by the model of a part. There may be none that is untried.
absl::StatusOr<std::optional<Suggestion>> SuggestInPart(
    const StudyView& part, const SearchSpaceEncoding& encoding,
    const PartFit& fit, std::int64_t trial, const TriedPoints& tried,
    std::mt19937_64& rng) {
  VERNIER_ASSIGN_OR_RETURN(SurrogateModel model,
                           ModelOfPart(part, encoding, fit));
  AvoidedPlaces avoided(part, encoding);
  avoided.Condition({&model.gp});
  const RegressionData& data = model.data.regression;
  const Eigen::MatrixXd centres = data.inputs(
      DescendingOrder(model.gp.fitted_means(), kPartCentres), Eigen::all);
  const AcquisitionBudget budget =
      BudgetOfPart(WidestOf(ExtentOf(data), data.groups));
  const auto maximize = [&](const AcquisitionFunction& function) {
    return MaximizeAcquisition(encoding, function, centres, tried, budget, rng);
  };
  const bool is_bound = avoided.num_pending() > 0;
  const std::optional<ScoredPoint> best =
      is_bound ? maximize(UpperConfidenceBound(
                     model.gp, kPartDeviations[static_cast<std::size_t>(trial) %
                                               std::size(kPartDeviations)]))
               : maximize(LogEiAcquisition(model.gp));
  if (!best.has_value()) return std::nullopt;
  Suggestion suggestion;
  suggestion.parameters = encoding.Decode(best->row);
  SuggestionRecord& record = suggestion.record;
  record.method = is_bound ? SuggestionMethod::kConfidenceBound
                           : SuggestionMethod::kImprovement;
  record.num_fitted = fit.num_results;
  record.acquisition = best->value;
  if (model.data.warp.knots.size() > 1) {
    record.prediction = PredictInUserUnits(
        model, part.goal, encoding.Encode(suggestion.parameters));
  }
  return suggestion;
}

// Returns the results by which the trial is chosen.
StudyParts::Ranks RanksFor(std::int64_t trial, const StudyParts& parts,
                           const SearchSpaceEncoding& encoding,
                           std::mt19937_64& rng) {
  if (trial % kElsewherePeriod != 0) return parts.Near(0);
  const double diagonal =
      std::sqrt(static_cast<double>(encoding.coordinates().size()));
  const double exponent =
      kLeastApart + (kMostApart - kLeastApart) * UniformDouble(rng);
  StudyParts::Ranks apart = parts.Apart(diagonal * std::pow(10.0, exponent));
  if (trial % (2 * kElsewherePeriod) == 0) return apart;
  // One of the best quarter of them.
  return parts.Near(apart[UniformInt(rng, (apart.size() + 3) / 4)]);
}

}  // namespace

std::optional<std::vector<double>> MeritsForParts(
    const StudyView& view, const SearchSpaceEncoding& encoding) {
  if (view.completed.size() <= kMostModelled || !view.metrics.empty() ||
      IsRepeating(view.repeats) || view.cost_weight > 0 ||
      encoding.num_columns() == 0 ||
      UntriedConfigurations::Create(view.space).has_value()) {
    return std::nullopt;
  }
  // This is the only pass over the observations, which are far longer than
  // merits.
  std::vector<double> merits(view.completed.size());
  for (std::size_t i = 0; i < merits.size(); ++i) {
    if (view.completed[i].is_stopped_early) return std::nullopt;
    merits[i] = FullObjective(view.completed[i], view.goal)
                    .value_or(-std::numeric_limits<double>::infinity());
  }
  return merits;
}

absl::StatusOr<std::vector<Suggestion>> SuggestFromParts(
    const StudyView& view, const SearchSpaceEncoding& encoding,
    const std::vector<double>& merits, int count, std::optional<PartFit>* fit,
    std::string_view instruction_set) {
  VERNIER_RETURN_IF_ERROR(FitParts(view, encoding, merits, fit));
  VERNIER_ASSIGN_OR_RETURN(const StudyParts parts,
                           StudyParts::Create(view, encoding, merits));
  // The results of all parts were checked; these are in each of them.
  VERNIER_RETURN_IF_ERROR(CheckSuggestArguments(parts.Part({}), count));
  std::vector<Suggestion> suggestions;
  for (int k = 1; k <= count; ++k) {
    const std::int64_t trial = view.trials_created + k;
    std::mt19937_64 rng = MakeRng(view.seed, static_cast<std::uint64_t>(trial));
    StudyView part = parts.Part(RanksFor(trial, parts, encoding, rng));
    for (const Suggestion& chosen : suggestions) {
      part.pending.push_back(chosen.parameters);
    }
    const TriedPoints tried(part, encoding);
    std::optional<Suggestion> suggestion;
    if (trial % kAnywherePeriod != 1) {
      VERNIER_ASSIGN_OR_RETURN(
          suggestion, SuggestInPart(part, encoding, **fit, trial, tried, rng));
    }
    if (!suggestion.has_value()) {
      VERNIER_ASSIGN_OR_RETURN(suggestion,
                               DesignPoint(part, encoding, trial, tried, rng));
    }
    suggestion->record.num_completed = std::ssize(view.completed);
    suggestion->record.num_pending = std::ssize(view.pending) + k - 1;
    suggestion->record.instruction_set = instruction_set;
    suggestions.push_back(*std::move(suggestion));
  }
  return suggestions;
}

}  // namespace vernier
