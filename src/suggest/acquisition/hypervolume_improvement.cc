#include "suggest/acquisition/hypervolume_improvement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "suggest/acquisition/log_expected_improvement.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The number of points per matrix product, as in EvaluateInBatches.
constexpr Index kBatchSize = 64;

// A sum below this has lost its digits; then the largest box is used in place
// of all.
constexpr double kLeastSum = 1e-250;

// The expected improvements of one metric over its levels, in units of the
// first, which is the largest.
struct LevelGains {
  std::vector<double> logs;   // Of the improvements.
  std::vector<double> gains;  // One more: 0 over the infinite level.
  std::vector<double> d_mean;
  std::vector<double> d_variance;
  std::vector<double> weights;  // d sum / d gains.
};

void SetGains(const std::vector<double>& levels, double mean, double variance,
              LevelGains* result) {
  const std::size_t count = levels.size();
  result->logs.resize(count);
  result->gains.assign(count + 1, 0);
  result->d_mean.resize(count);
  result->d_variance.resize(count);
  result->weights.assign(count + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const MarginalScore score =
        ComputeLogExpectedImprovement(mean, variance, levels[i]);
    result->logs[i] = score.value;
    result->gains[i] = std::exp(score.value - result->logs[0]);
    result->d_mean[i] = score.d_mean;
    result->d_variance[i] = score.d_variance;
  }
}

// Sums the boxes' products and, if wanted, the products' derivatives.
template <std::size_t num_metrics>
double SumOfBoxes(const FreeBoxes& boxes, bool with_weights,
                  std::vector<LevelGains>* metrics) {
  std::array<const double*, num_metrics> gains;
  std::array<double*, num_metrics> weights;
  for (std::size_t k = 0; k < num_metrics; ++k) {
    gains[k] = (*metrics)[k].gains.data();
    weights[k] = (*metrics)[k].weights.data();
  }
  double sum = 0;
  std::array<double, num_metrics> parts;
  const std::size_t* lower = boxes.bounds.data();
  const std::size_t* const end = lower + boxes.num_boxes() * 2 * num_metrics;
  for (; lower != end; lower += 2 * num_metrics) {
    const std::size_t* const upper = lower + num_metrics;
    double product = 1;
    for (std::size_t k = 0; k < num_metrics; ++k) {
      parts[k] = std::max(gains[k][lower[k]] - gains[k][upper[k]], 0.0);
      product *= parts[k];
    }
    sum += product;
    if (!with_weights) continue;
    for (std::size_t k = 0; k < num_metrics; ++k) {
      double others = 1;
      for (std::size_t j = 0; j < num_metrics; ++j) {
        if (j != k) others *= parts[j];
      }
      weights[k][lower[k]] += others;
      weights[k][upper[k]] -= others;
    }
  }
  return sum;
}

double SumOfBoxes(const FreeBoxes& boxes, bool with_weights,
                  std::vector<LevelGains>* metrics) {
  static_assert(kMostFrontMetrics == 4);
  switch (boxes.num_metrics()) {
    case 1:
      return SumOfBoxes<1>(boxes, with_weights, metrics);
    case 2:
      return SumOfBoxes<2>(boxes, with_weights, metrics);
    case 3:
      return SumOfBoxes<3>(boxes, with_weights, metrics);
    default:
      return SumOfBoxes<4>(boxes, with_weights, metrics);
  }
}

// Returns the score if all boxes are far beyond reach: that of the nearest box
// as if it had no upper end, at most `limit`.
JointScore FarScore(const FreeBoxes& boxes,
                    const std::vector<LevelGains>& metrics, double limit) {
  const std::size_t m = boxes.num_metrics();
  double best = -std::numeric_limits<double>::infinity();
  const std::size_t* nearest = nullptr;
  for (std::size_t box = 0; box < boxes.num_boxes(); ++box) {
    const std::size_t* const lower = &boxes.bounds[box * 2 * m];
    double sum = 0;
    for (std::size_t k = 0; k < m; ++k) sum += metrics[k].logs[lower[k]];
    if (nearest != nullptr && !(sum > best)) continue;
    best = sum;
    nearest = lower;
  }
  JointScore score(m);
  score.value = std::min(best, limit);
  for (std::size_t k = 0; k < m; ++k) {
    score.d_mean[k] = metrics[k].d_mean[nearest[k]];
    score.d_variance[k] = metrics[k].d_variance[nearest[k]];
  }
  return score;
}

// Without `with_gradient` the score has its value alone, which most of the
// points need that are compared.
JointScore Score(const FreeBoxes& boxes, const double* means,
                 const double* variances, bool with_gradient,
                 std::vector<LevelGains>* metrics) {
  const std::size_t m = boxes.num_metrics();
  double log_unit = 0;
  for (std::size_t k = 0; k < m; ++k) {
    SetGains(boxes.levels[k], means[k], variances[k], &(*metrics)[k]);
    log_unit += (*metrics)[k].logs[0];
  }
  const double sum = SumOfBoxes(boxes, with_gradient, metrics);
  if (!(sum > kLeastSum)) {
    return FarScore(boxes, *metrics, log_unit + std::log(kLeastSum));
  }
  JointScore score(m);
  score.value = log_unit + std::log(sum);
  if (!with_gradient) return score;
  for (std::size_t k = 0; k < m; ++k) {
    const LevelGains& metric = (*metrics)[k];
    for (std::size_t i = 0; i < metric.logs.size(); ++i) {
      const double weight = metric.weights[i] * metric.gains[i] / sum;
      score.d_mean[k] += weight * metric.d_mean[i];
      score.d_variance[k] += weight * metric.d_variance[i];
    }
  }
  return score;
}

// Applies `score`, (means, variances, with gradient or not) -> JointScore, to
// the posteriors of all metrics at each point: EvaluateInBatches of several
// processes.
template <typename ScoreFunction>
void EvaluateJointly(const std::vector<const GaussianProcess*>& metrics,
                     const Eigen::Ref<const MatrixXd>& points,
                     const ScoreFunction& score, VectorXd* values,
                     MatrixXd* gradients) {
  values->resize(points.rows());
  if (gradients != nullptr) gradients->setZero(points.rows(), points.cols());
  std::vector<double> means(metrics.size());
  std::vector<double> variances(metrics.size());
  std::vector<Posterior> posteriors(metrics.size());
  for (Index first = 0; first < points.rows(); first += kBatchSize) {
    const Index count = std::min(kBatchSize, points.rows() - first);
    for (std::size_t k = 0; k < metrics.size(); ++k) {
      posteriors[k] = metrics[k]->Predict(points.middleRows(first, count),
                                          gradients != nullptr);
    }
    for (Index i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < metrics.size(); ++k) {
        means[k] = posteriors[k].mean[i];
        variances[k] = posteriors[k].variance[i];
      }
      const JointScore s =
          score(means.data(), variances.data(), gradients != nullptr);
      (*values)[first + i] = s.value;
      if (gradients == nullptr) continue;
      for (std::size_t k = 0; k < metrics.size(); ++k) {
        gradients->row(first + i) +=
            s.d_mean[k] * posteriors[k].mean_gradient.row(i) +
            s.d_variance[k] * posteriors[k].variance_gradient.row(i);
      }
    }
  }
}

}  // namespace

JointScore ComputeLogHypervolumeImprovement(const FreeBoxes& boxes,
                                            const double* means,
                                            const double* variances) {
  std::vector<LevelGains> metrics(boxes.num_metrics());
  return Score(boxes, means, variances, /*with_gradient=*/true, &metrics);
}

LogHypervolumeImprovement::LogHypervolumeImprovement(
    std::vector<const GaussianProcess*> metrics, FreeBoxes boxes)
    : metrics_(std::move(metrics)), boxes_(std::move(boxes)) {}

void LogHypervolumeImprovement::Evaluate(
    const Eigen::Ref<const MatrixXd>& points, VectorXd* values,
    MatrixXd* gradients) const {
  std::vector<LevelGains> gains(metrics_.size());
  const auto score = [&](const double* means, const double* variances,
                         bool with_gradient) {
    return Score(boxes_, means, variances, with_gradient, &gains);
  };
  EvaluateJointly(metrics_, points, score, values, gradients);
}

ScalarizedBound::ScalarizedBound(std::vector<const GaussianProcess*> metrics,
                                 Eigen::RowVectorXd reference,
                                 Eigen::RowVectorXd weights, double deviations)
    : metrics_(std::move(metrics)),
      reference_(std::move(reference)),
      weights_(std::move(weights)),
      deviations_(deviations) {}

void ScalarizedBound::Evaluate(const Eigen::Ref<const MatrixXd>& points,
                               VectorXd* values, MatrixXd* gradients) const {
  const auto score = [this](const double* means, const double* variances,
                            bool /*with_gradient*/) {
    JointScore result(metrics_.size());
    result.value = std::numeric_limits<double>::infinity();
    std::size_t at = 0;
    for (std::size_t k = 0; k < metrics_.size(); ++k) {
      const auto column = static_cast<Index>(k);
      const double bound = means[k] + deviations_ * std::sqrt(variances[k]);
      const double height = (bound - reference_[column]) / weights_[column];
      if (!(height < result.value)) continue;
      result.value = height;
      at = k;
    }
    const double weight = weights_[static_cast<Index>(at)];
    result.d_mean[at] = 1 / weight;
    result.d_variance[at] =
        deviations_ / (2 * std::sqrt(variances[at])) / weight;
    return result;
  };
  EvaluateJointly(metrics_, points, score, values, gradients);
}

}  // namespace vernier
