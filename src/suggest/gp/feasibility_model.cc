#include "suggest/gp/feasibility_model.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/status_macros.h"
#include "suggest/gp/fit_schedule.h"
#include "suggest/gp/hyperparameter_fit.h"
#include "suggest/gp/marginal_score.h"
#include "suggest/gp/normal_distribution.h"
#include "suggest/gp/result_digest.h"
#include "suggest/gp/training_data.h"

namespace vernier {
namespace {

using Eigen::Index;

constexpr std::size_t kMinFailures = 1;
constexpr std::size_t kMinSuccesses = 3;

// The least noise variance: no label is certain.
constexpr double kMinNoiseVariance = 0.05;

// A probability so small that its logarithm is just finite.
constexpr double kMinProbability = 1e-300;

constexpr Index kMaxFeasibilityFitPoints = 300;
constexpr Index kMaxFeasibilityPoints = 2000;

// Counts of failures and successes among the first `num_results` observations.
struct Outcomes {
  std::size_t failures = 0;
  std::size_t successes = 0;
  double first_value = 0;
  bool values_differ = false;

  void Add(const Observation& observation) {
    if (!observation.objective.has_value()) {
      ++failures;
      return;
    }
    if (successes++ == 0) first_value = *observation.objective;
    values_differ |= *observation.objective != first_value;
  }
  bool AreEnough() const {
    return failures >= kMinFailures && successes >= kMinSuccesses &&
           values_differ;
  }
};

// Returns the smallest number of first results that suffices; more than all if
// none does.
std::size_t FewestEnough(const StudyView& view) {
  Outcomes outcomes;
  for (std::size_t i = 0; i < view.completed.size(); ++i) {
    outcomes.Add(view.completed[i]);
    if (outcomes.AreEnough()) return i + 1;
  }
  return view.completed.size() + 1;
}

// Returns the first `num_results` observations with labels. Repetitions of a
// point become one row with their mean.
RegressionData MakeLabels(const StudyView& view,
                          const SearchSpaceEncoding& encoding,
                          std::size_t num_results) {
  TrainingData data = MakeTrainingData(view, encoding, num_results);
  RegressionData& labels = data.regression;
  labels.targets.setZero();
  labels.noise_scale.setZero();
  labels.known_noise.setZero();
  labels.shared_noise.resize(0, 0);
  for (std::size_t i = 0; i < num_results; ++i) {
    const Index row = data.row_of_result[i];
    labels.targets[row] += view.completed[i].objective.has_value() ? 1 : -1;
    labels.noise_scale[row] += 1;
  }
  labels.noise_scale = labels.noise_scale.cwiseInverse();
  labels.targets.array() *= labels.noise_scale.array();
  return std::move(labels);
}

HyperparameterPrior MakePrior(const LengthScaleGroups& groups) {
  HyperparameterPrior prior = MakeHyperparameterPrior(groups);
  const Index noise = prior.mean.size() - 1;
  prior.lower[noise] = std::log(kMinNoiseVariance);
  prior.mean[noise] = std::max(prior.mean[noise], prior.lower[noise]);
  return prior;
}

}  // namespace

bool ModelsFailures(const StudyView& view) {
  return FewestEnough(view) <= view.completed.size();
}

StudyView WithoutFailures(const StudyView& view) {
  StudyView successes = view;
  std::erase_if(successes.completed, [](const Observation& observation) {
    return !observation.objective.has_value();
  });
  return successes;
}

void FeasibilityModel::LogProbability(
    const Eigen::Ref<const Eigen::MatrixXd>& points, Eigen::VectorXd* values,
    Eigen::MatrixXd* gradients) const {
  const auto score = [](double mean, double variance) {
    const double deviation = std::sqrt(variance);
    const double z = mean / deviation;
    const double probability = std::max(NormalCumulative(z), kMinProbability);
    const double d_z = NormalDensity(z) / probability;
    return MarginalScore{std::log(probability), d_z / deviation,
                         -d_z * z / (2 * variance)};
  };
  EvaluateInBatches(gp_, points, score, values, gradients);
}

absl::StatusOr<const FeasibilityModel*> FeasibilityCache::Get(
    const StudyView& view, const SearchSpaceEncoding& encoding) {
  const std::vector<std::uint64_t> digests = DigestResults(view);
  if (model_.has_value() && model_->digest == digests.back()) {
    return &model_->model;
  }
  const std::size_t num_fitted = std::max(
      FewestEnough(view),
      static_cast<std::size_t>(LastColdFit(std::ssize(view.completed))));
  if (!fit_.has_value() || fit_->num_results != num_fitted ||
      fit_->digest != digests[num_fitted]) {
    RegressionData labels = MakeLabels(view, encoding, num_fitted);
    labels = TakeRows(labels, ChooseSubset(labels, kMaxFeasibilityFitPoints));
    const HyperparameterPrior prior = MakePrior(labels.groups);
    VERNIER_ASSIGN_OR_RETURN(
        LogHyperparameters theta,
        FitHyperparameters(labels, prior, StartingPoints(prior), {}));
    fit_ = Fit{num_fitted, digests[num_fitted], std::move(theta)};
  }
  RegressionData labels = MakeLabels(view, encoding, view.completed.size());
  labels = TakeRows(labels, ChooseSubset(labels, kMaxFeasibilityPoints));
  VERNIER_ASSIGN_OR_RETURN(GaussianProcess gp,
                           GaussianProcess::Create(labels, fit_->theta));
  model_ = Model{digests.back(), FeasibilityModel(std::move(gp))};
  return &model_->model;
}

}  // namespace vernier
