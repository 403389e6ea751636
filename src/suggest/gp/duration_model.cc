#include "suggest/gp/duration_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "base/rng.h"
#include "base/status_macros.h"
#include "suggest/gp/hyperparameter_fit.h"
#include "suggest/gp/result_digest.h"
#include "suggest/gp/training_data.h"

namespace vernier {
namespace {

using Eigen::Index;

// If the logarithms of durations have a smaller standard deviation, the
// durations differ only by the machine's load.
constexpr double kMinSpread = 0.1;

constexpr Index kMaxPoints = 300;
constexpr int kEvaluations = 40;

bool IsKnown(const Observation& observation) {
  return observation.duration.has_value() && !observation.is_stopped_early &&
         observation.objective.has_value();
}

std::uint64_t Digest(const StudyView& view) {
  std::uint64_t digest = DigestResults(view).back();
  for (const Observation& observation : view.completed) {
    digest = MixBits(digest ^ std::bit_cast<std::uint64_t>(
                                  observation.duration.value_or(-1)));
  }
  return digest;
}

// Returns logarithms of durations in place of the targets; repetitions of a
// point become one row with their mean.
RegressionData MakeDurations(const StudyView& view,
                             const SearchSpaceEncoding& encoding) {
  TrainingData data = MakeTrainingData(view, encoding, view.completed.size());
  RegressionData& all = data.regression;
  Eigen::VectorXd count = Eigen::VectorXd::Zero(all.inputs.rows());
  all.targets.setZero();
  for (std::size_t i = 0; i < view.completed.size(); ++i) {
    if (!IsKnown(view.completed[i])) continue;
    const Index row = data.row_of_result[i];
    all.targets[row] += std::log(*view.completed[i].duration);
    ++count[row];
  }
  std::vector<Index> known;
  for (Index row = 0; row < count.size(); ++row) {
    if (count[row] == 0) continue;
    all.targets[row] /= count[row];
    all.noise_scale[row] = 1 / count[row];
    all.known_noise[row] = 0;
    known.push_back(row);
  }
  return TakeRows(all, known);
}

}  // namespace

void DurationModel::LogDuration(const Eigen::Ref<const Eigen::MatrixXd>& points,
                                Eigen::VectorXd* values,
                                Eigen::MatrixXd* gradients) const {
  Posterior posterior = gp_.PredictMean(points, gradients != nullptr);
  *values = unit_ * posterior.mean;
  if (gradients != nullptr) *gradients = unit_ * posterior.mean_gradient;
}

absl::StatusOr<const DurationModel*> DurationCache::Get(
    const StudyView& view, const SearchSpaceEncoding& encoding) {
  const std::uint64_t digest = Digest(view);
  if (has_digest_ && digest == digest_) {
    return model_.has_value() ? &*model_ : nullptr;
  }
  has_digest_ = false;
  model_.reset();
  if (std::count_if(view.completed.begin(), view.completed.end(), IsKnown) >=
      kFewestDurations) {
    RegressionData durations = MakeDurations(view, encoding);
    durations = TakeRows(durations, ChooseSubset(durations, kMaxPoints));
    const double mean = durations.targets.mean();
    durations.targets.array() -= mean;
    const double spread =
        std::sqrt(durations.targets.squaredNorm() /
                  static_cast<double>(durations.targets.size()));
    if (spread >= kMinSpread) {
      durations.targets /= spread;
      const HyperparameterPrior prior =
          MakeHyperparameterPrior(durations.groups);
      HyperparameterFitOptions options;
      options.max_evaluations = kEvaluations;
      VERNIER_ASSIGN_OR_RETURN(
          const LogHyperparameters theta,
          FitHyperparameters(durations, prior, StartingPoints(prior), options));
      VERNIER_ASSIGN_OR_RETURN(GaussianProcess gp,
                               GaussianProcess::Create(durations, theta));
      model_.emplace(std::move(gp), spread);
    }
  }
  digest_ = digest;
  has_digest_ = true;
  return model_.has_value() ? &*model_ : nullptr;
}

}  // namespace vernier
