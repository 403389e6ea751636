#include "suggest/insights/predicted_best.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "suggest/acquisition/acquisition_function.h"
#include "suggest/acquisition/acquisition_optimizer.h"
#include "suggest/acquisition/log_expected_improvement.h"
#include "suggest/acquisition/weighted_gain.h"
#include "suggest/gp/normal_distribution.h"
#include "suggest/space/tried_points.h"

namespace vernier {
namespace {

using Eigen::Index;

// Streams of the study's random generator; trials have 1, 2, ...
constexpr std::uint64_t kBestStream = (std::uint64_t{5} << 60) + 1;
constexpr std::uint64_t kNextStream = (std::uint64_t{5} << 60) + 2;

constexpr std::size_t kNumCentres = 5;

class PosteriorMean final : public AcquisitionFunction {
 public:
  // Borrows `gp`.
  explicit PosteriorMean(const GaussianProcess& gp) : gp_(gp) {}

  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override {
    Posterior posterior = gp_.PredictMean(points, gradients != nullptr);
    *values = std::move(posterior.mean);
    if (gradients != nullptr) *gradients = std::move(posterior.mean_gradient);
  }

 private:
  const GaussianProcess& gp_;
};

Eigen::MatrixXd Centres(const SurrogateModel& model) {
  std::vector<Index> rows = BestRowsFirst(model);
  rows.resize(std::min(rows.size(), kNumCentres));
  return model.data.regression.inputs(rows, Eigen::all);
}

// Returns the best of the results and of the points that a search finds.
Eigen::RowVectorXd SearchFromResults(const ExaminedStudy& study,
                                     const AcquisitionFunction& function) {
  const Eigen::MatrixXd centres = Centres(study.model);
  Eigen::VectorXd values;
  function.Evaluate(centres, &values, nullptr);
  Index highest = 0;
  const double best = values.maxCoeff(&highest);
  // A point that was tried may be the best one, so no point counts as tried.
  StudyView nothing_tried;
  nothing_tried.space = study.view.space;
  nothing_tried.parameter_constraints = study.view.parameter_constraints;
  std::mt19937_64 rng = MakeRng(study.view.seed, kBestStream);
  const std::optional<ScoredPoint> found =
      MaximizeAcquisition(study.encoding, function, centres,
                          TriedPoints(nothing_tried, study.encoding),
                          BudgetFor(study.model.gp.size()), rng);
  if (found.has_value() && found->value > best) return found->row;
  return centres.row(highest);
}

// Returns the largest gain over the target `best` that is named. As in a
// prediction, none leads beyond what the data support.
double MostGain(const WarpedObjectives& warp, double best) {
  if (warp.knots.empty()) return 0;
  return std::max(warp.Furthest() - warp.Unwarp(best), 0.0);
}

}  // namespace

Eigen::RowVectorXd FindPredictedBest(const ExaminedStudy& study) {
  const PosteriorMean mean(study.model.gp);
  if (study.feasibility == nullptr) return SearchFromResults(study, mean);
  return SearchFromResults(
      study, WeightedBound(mean, LogWeightOf(*study.feasibility),
                           study.model.data.regression.targets.minCoeff(),
                           kUsualCaution));
}

NextGain FindNextGain(const ExaminedStudy& study) {
  const SurrogateModel& model = study.model;
  StudyView results = study.view;
  results.pending.clear();
  std::mt19937_64 rng = MakeRng(study.view.seed, kNextStream);
  const LogEiAcquisition gain(model.gp);
  const auto maximize = [&](const AcquisitionFunction& function) {
    return MaximizeAcquisition(study.encoding, function, Centres(model),
                               TriedPoints(results, study.encoding),
                               BudgetFor(model.gp.size()), rng);
  };
  const std::optional<ScoredPoint> next =
      study.feasibility == nullptr
          ? maximize(gain)
          : maximize(WeightedLogGain(gain, LogWeightOf(*study.feasibility),
                                     kUsualCaution));
  if (!next.has_value()) return {};
  double feasible = 1;
  if (study.feasibility != nullptr) {
    Eigen::VectorXd log_probability;
    study.feasibility->LogProbability(next->row, &log_probability, nullptr);
    feasible = std::exp(log_probability[0]);
  }
  const Posterior posterior = model.gp.Predict(next->row, false);
  const double mean = posterior.mean[0];
  const double variance = posterior.variance[0];
  const double best = model.gp.fitted_means().maxCoeff();
  return {
      feasible * std::min(ExpectedGain(model.data.warp, mean, variance, best),
                          MostGain(model.data.warp, best)),
      feasible * NormalCumulative((mean - best) / std::sqrt(variance))};
}

// E[max(0, U(f) - U(best))] is the integral over t > best of U'(t) P(f > t),
// and U' is constant between knots, where P integrates to a difference of
// expected improvements.
double ExpectedGain(const WarpedObjectives& warp, double mean, double variance,
                    double best) {
  const auto& knots = warp.knots;
  if (knots.size() < 2) return 0;
  const auto improvement = [&](double target) {
    return std::exp(
        ComputeLogExpectedImprovement(mean, variance, target).value);
  };
  double gain = 0;
  for (std::size_t i = 1; i < knots.size(); ++i) {
    const bool is_last = i + 1 == knots.size();  // It extends forever.
    if (!is_last && knots[i].second <= best) continue;
    const double from = std::max(best, knots[i - 1].second);
    const double above = is_last ? 0 : improvement(knots[i].second);
    // Values are halved first, because differences of huge numbers overflow.
    const double slope = (knots[i].first / 2 - knots[i - 1].first / 2) /
                         (knots[i].second / 2 - knots[i - 1].second / 2);
    gain += slope * std::max(0.0, improvement(from) - above);
  }
  return std::min(gain, std::numeric_limits<double>::max());
}

}  // namespace vernier
