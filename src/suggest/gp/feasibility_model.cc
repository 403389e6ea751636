#include "suggest/gp/feasibility_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/status_macros.h"
#include "suggest/gp/fit_schedule.h"
#include "suggest/gp/hyperparameter_fit.h"
#include "suggest/gp/marginal_score.h"
#include "suggest/gp/normal_distribution.h"
#include "suggest/gp/probit_mode.h"
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

constexpr Index kMaxFitLabels = 150;
constexpr Index kMaxLabels = 200;
constexpr Index kMaxLinearColumns = 200;

// The standard deviations of the latent process and of the linear part's
// weights, among which the evidence decides.
constexpr double kAmplitudes[] = {0.1, 0.5, 1, 2, 4};
constexpr double kSteepnesses[] = {0, 1, 3, 10};

// Counts of failures and successes among the first `num_results` observations.
struct Outcomes {
  std::size_t failures = 0;
  std::size_t successes = 0;

  void Add(const Observation& observation) {
    ++(observation.objective.has_value() ? successes : failures);
  }
  bool AreEnough() const {
    return failures >= kMinFailures && successes >= kMinSuccesses;
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

// What happened at the points of the first results.
struct Labels {
  SuccessCounts counts;
  RegressionData regression;  // Of the mean labels, with 1 / count as noise.
};

// Returns at most `most` points: the best, those near them, and some of the
// others.
Labels MakeLabels(const StudyView& view, const SearchSpaceEncoding& encoding,
                  std::size_t num_results, Index most) {
  const TrainingData data = MakeTrainingData(view, encoding, num_results);
  const Index n = data.regression.inputs.rows();
  Eigen::VectorXd good = Eigen::VectorXd::Zero(n);
  Eigen::VectorXd bad = Eigen::VectorXd::Zero(n);
  for (std::size_t i = 0; i < num_results; ++i) {
    const bool is_good = view.completed[i].objective.has_value();
    (is_good ? good : bad)[data.row_of_result[i]] += 1;
  }
  const std::vector<Index> rows = ChooseSubset(data.regression, most);
  Labels labels;
  labels.counts = {data.regression.inputs(rows, Eigen::all), good(rows),
                   bad(rows), data.regression.groups};
  const SuccessCounts& counts = labels.counts;
  RegressionData& regression = labels.regression;
  regression.inputs = counts.inputs;
  regression.groups = counts.groups;
  regression.noise_scale = (counts.good + counts.bad).cwiseInverse();
  regression.targets =
      (counts.good - counts.bad).cwiseProduct(regression.noise_scale);
  return labels;
}

HyperparameterPrior MakePrior(const LengthScaleGroups& groups) {
  HyperparameterPrior prior = MakeHyperparameterPrior(groups);
  const Index noise = prior.mean.size() - 1;
  prior.lower[noise] = std::log(kMinNoiseVariance);
  prior.mean[noise] = std::max(prior.mean[noise], prior.lower[noise]);
  return prior;
}

struct LatentFit {
  LogHyperparameters theta;
  double steepness = 0;
};

// Takes the length scales from a regression on the labels, which is smooth in
// them, or from the prior, and the rest by the evidence.
absl::StatusOr<LatentFit> FitLatent(const Labels& labels) {
  const HyperparameterPrior prior = MakePrior(labels.regression.groups);
  VERNIER_ASSIGN_OR_RETURN(
      const LogHyperparameters fitted,
      FitHyperparameters(labels.regression, prior, StartingPoints(prior), {}));
  const bool is_linear = labels.counts.inputs.cols() <= kMaxLinearColumns;
  LatentFit best{fitted, 0};
  double best_evidence = -std::numeric_limits<double>::infinity();
  for (LogHyperparameters theta : {fitted, prior.mean}) {
    for (const double amplitude : kAmplitudes) {
      theta[theta.size() - 2] = 2 * std::log(amplitude);
      for (const double steepness : kSteepnesses) {
        if (steepness > 0 && !is_linear) continue;
        VERNIER_ASSIGN_OR_RETURN(
            const ProbitMode mode,
            FindProbitMode(labels.counts, theta, steepness));
        if (!(mode.log_evidence > best_evidence)) continue;
        best_evidence = mode.log_evidence;
        best = {theta, steepness};
      }
    }
  }
  return best;
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
  const auto predict = [&](const auto& rows, bool with_gradients) {
    Posterior posterior = gp_.Predict(rows, with_gradients);
    posterior.mean += LinearColumns(rows) * slope_;
    posterior.mean.array() += kProbitMean;
    if (with_gradients) posterior.mean_gradient.rowwise() += slope_.transpose();
    return posterior;
  };
  const auto score = [](double mean, double variance) {
    const double deviation = std::sqrt(1 + variance);
    const double z = mean / deviation;
    const double probability = std::max(NormalCumulative(z), kMinProbability);
    const double d_z = NormalDensity(z) / probability;
    return MarginalScore{std::log(probability), d_z / deviation,
                         -d_z * z / (2 * (1 + variance))};
  };
  ScoreInBatches(predict, points, score, values, gradients);
}

absl::StatusOr<const FeasibilityModel*> FeasibilityCache::Get(
    const StudyView& view, const SearchSpaceEncoding& encoding) {
  const std::vector<std::uint64_t> digests = DigestResults(view);
  if (model_.has_value() && model_->digest == digests.back()) {
    return &model_->model;
  }
  const std::size_t num_results = view.completed.size();
  const std::size_t num_fitted = std::max(
      FewestEnough(view),
      static_cast<std::size_t>(LastColdFit(std::ssize(view.completed))));
  if (!fit_.has_value() || fit_->num_results != num_fitted ||
      fit_->digest != digests[num_fitted]) {
    VERNIER_ASSIGN_OR_RETURN(
        LatentFit fit,
        FitLatent(MakeLabels(view, encoding, num_fitted, kMaxFitLabels)));
    fit_ = Fit{num_fitted, digests[num_fitted], std::move(fit.theta),
               fit.steepness};
  }
  const Labels labels = MakeLabels(view, encoding, num_results, kMaxLabels);
  const double steepness = fit_->steepness;
  VERNIER_ASSIGN_OR_RETURN(
      const ProbitMode mode,
      FindProbitMode(labels.counts, fit_->theta, steepness));
  VERNIER_ASSIGN_OR_RETURN(GaussianProcess gp,
                           GaussianProcess::Create(mode.data, fit_->theta));
  Eigen::VectorXd slope =
      steepness * steepness *
      (LinearColumns(labels.counts.inputs).transpose() * gp.alpha());
  model_ =
      Model{digests.back(), FeasibilityModel(std::move(gp), std::move(slope))};
  return &model_->model;
}

}  // namespace vernier
