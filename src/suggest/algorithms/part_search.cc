#include "suggest/algorithms/part_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "suggest/acquisition/acquisition_function.h"
#include "suggest/acquisition/acquisition_optimizer.h"
#include "suggest/algorithms/avoided_places.h"
#include "suggest/gp/hyperparameter_fit.h"
#include "suggest/gp/user_units.h"

namespace vernier {
namespace {

// A part shrinks as the search comes nearer to the best, by many powers of ten.
// The priors of a model suit a whole space, so hyperparameters are fitted to a
// part that is stretched to the size of one.

using Eigen::Index;
using Eigen::RowVectorXd;

constexpr int kPartEvaluations = 30;  // Of a fit.

// Steps from the centres are at most a fifth of this, times the extent.
constexpr double kReach = 3;
// Distances between stretched points would round badly below this.
constexpr double kLeastExtent = 1e-5;

// Returns the part's extent in each column. That of a category counts as whole,
// and so does that of a column with one value, which says nothing about others.
RowVectorXd ExtentOf(const RegressionData& part) {
  RowVectorXd extent =
      part.inputs.colwise().maxCoeff() - part.inputs.colwise().minCoeff();
  for (Index j = 0; j < extent.size(); ++j) {
    const Index group =
        part.groups.group_of_column[static_cast<std::size_t>(j)];
    const bool is_whole =
        part.groups.is_categorical[static_cast<std::size_t>(group)] ||
        extent[j] == 0;
    extent[j] = is_whole ? 1 : std::max(extent[j], kLeastExtent);
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

AcquisitionBudget BudgetOfPart(const RowVectorXd& extent) {
  AcquisitionBudget budget;
  budget.num_sobol = 8;
  budget.num_spray = 64;
  budget.spray_steps = (kReach * extent).cwiseMin(1);
  budget.num_starts = 2;
  budget.max_rounds = 12;
  budget.max_discrete_rounds = 2;
  return budget;
}

}  // namespace

absl::StatusOr<LogHyperparameters> FitPart(
    const StudyView& part, const SearchSpaceEncoding& encoding) {
  TrainingData data = MakeTrainingData(part, encoding, part.completed.size());
  RegressionData& regression = data.regression;
  const RowVectorXd extent = ExtentOf(regression);
  regression.inputs.array().rowwise() /= extent.array();
  const HyperparameterPrior prior = MakeHyperparameterPrior(regression.groups);
  const LogHyperparameters start = StartingPoints(prior).front();
  if (data.is_constant) return start;
  HyperparameterFitOptions options;
  options.max_evaluations = kPartEvaluations;
  return FitHyperparameters(regression, prior, {start}, options);
}

absl::StatusOr<SurrogateModel> ModelOfPart(const StudyView& part,
                                           const SearchSpaceEncoding& encoding,
                                           const LogHyperparameters& stretched,
                                           std::int64_t num_fitted) {
  TrainingData data = MakeTrainingData(part, encoding, part.completed.size());
  VERNIER_ASSIGN_OR_RETURN(
      GaussianProcess gp,
      GaussianProcess::Create(data.regression,
                              Unstretched(stretched, data.regression.groups,
                                          ExtentOf(data.regression))));
  return SurrogateModel{std::move(data), std::move(gp), num_fitted};
}

absl::StatusOr<NoiseEvidence> FindNoiseInPart(const SurrogateModel& part) {
  RegressionData regression = part.data.regression;
  const RowVectorXd extent = ExtentOf(regression);
  regression.inputs.array().rowwise() /= extent.array();
  return FindNoise(regression);
}

absl::StatusOr<std::optional<Suggestion>> SuggestInPart(
    const StudyView& part, const SearchSpaceEncoding& encoding,
    const LogHyperparameters& stretched, std::int64_t num_fitted,
    std::int64_t trial, const TriedPoints& tried, std::mt19937_64& rng) {
  VERNIER_ASSIGN_OR_RETURN(SurrogateModel model,
                           ModelOfPart(part, encoding, stretched, num_fitted));
  const RowVectorXd extent = ExtentOf(model.data.regression);
  AvoidedPlaces avoided(part, encoding);
  avoided.Condition({&model.gp});
  const auto maximize = [&](const AcquisitionFunction& function) {
    return MaximizeAcquisition(encoding, function, SprayCentres(model), tried,
                               BudgetOfPart(extent), rng);
  };
  const bool is_bound = avoided.num_pending() > 0;
  const std::optional<ScoredPoint> best =
      is_bound
          ? maximize(UpperConfidenceBound(model.gp, BoundDeviations(trial)))
          : maximize(LogEiAcquisition(model.gp));
  if (!best.has_value()) return std::nullopt;
  Suggestion suggestion;
  suggestion.parameters = encoding.Decode(best->row);
  SuggestionRecord& record = suggestion.record;
  record.method = is_bound ? SuggestionMethod::kConfidenceBound
                           : SuggestionMethod::kImprovement;
  record.num_fitted = num_fitted;
  record.acquisition = best->value;
  if (model.data.warp.knots.size() > 1) {
    record.prediction = PredictInUserUnits(
        model, part.goal, encoding.Encode(suggestion.parameters));
  }
  return suggestion;
}

}  // namespace vernier
