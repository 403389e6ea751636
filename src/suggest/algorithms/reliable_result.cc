#include "suggest/algorithms/reliable_result.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "suggest/gp/training_data.h"
#include "suggest/gp/user_units.h"
#include "suggest/space/point_results.h"

namespace vernier {
namespace {

using Eigen::Index;

// What noise explains: of the difference of two results, and of one result
// (bench/duel/RESULTS.md).
constexpr double kExplainedDeviations = 2;
constexpr double kOutlierDeviations = 3;

// A model that takes everything for noise would name any result, so one of the
// best quarter is.
constexpr std::size_t kBestPart = 4;

// The results at one point of the model.
struct MeasuredPoint {
  std::size_t completed = 0;  // Position in the view of the first of them.
  Index row = 0;              // Of the model's data.
  double noise_variance = 0;  // Of the row's target.
};

// Returns the variance of the noise in the target of a row.
double NoiseOf(const SurrogateModel& model, Index row, NoiseEvidence noise) {
  const RegressionData& data = model.data.regression;
  double variance = data.known_noise.size() > 0 ? data.known_noise[row] : 0;
  if (variance <= kMinKnownNoise) variance = 0;
  if (noise != NoiseEvidence::kNone) {
    variance += data.noise_scale[row] * model.gp.noise_variance();
  }
  return variance;
}

// Returns one candidate for each row of the model that has a full result which
// may be relied on. A point where a trial failed is not (PointResults).
std::vector<MeasuredPoint> MeasuredPointsOf(const StudyView& view,
                                            const SearchSpaceEncoding& encoding,
                                            const SurrogateModel& model,
                                            NoiseEvidence noise) {
  const Eigen::MatrixXd& inputs = model.data.regression.inputs;
  std::map<std::vector<double>, Index> rows;  // Those without a candidate yet.
  for (Index row = 0; row < inputs.rows(); ++row) {
    rows.emplace(
        std::vector<double>(inputs.row(row).begin(), inputs.row(row).end()),
        row);
  }
  PointTable points;
  if (IsRepeating(view.repeats)) points = PointsOf(view);
  std::vector<MeasuredPoint> candidates;
  for (std::size_t i = 0; i < view.completed.size(); ++i) {
    const Observation& result = view.completed[i];
    if (!FullObjective(result, view.goal) || !MeetsConstraints(result)) {
      continue;
    }
    const auto point = points.Find(result.parameters);
    if (point.has_value() && points.points()[*point].is_ruled_out) continue;
    const Eigen::RowVectorXd encoded = encoding.Encode(result.parameters);
    const auto found =
        rows.find(std::vector<double>(encoded.begin(), encoded.end()));
    if (found == rows.end()) continue;
    candidates.push_back(
        {i, found->second, NoiseOf(model, found->second, noise)});
    rows.erase(found);
  }
  return candidates;
}

// Keeps the best quarter by measurement.
void KeepBestPart(const SurrogateModel& model,
                  std::vector<MeasuredPoint>* candidates) {
  const Eigen::VectorXd& targets = model.data.regression.targets;
  std::vector<double> best;
  best.reserve(candidates->size());
  for (const MeasuredPoint& candidate : *candidates) {
    best.push_back(targets[candidate.row]);
  }
  const auto last =
      best.begin() + static_cast<std::ptrdiff_t>((best.size() - 1) / kBestPart);
  std::nth_element(best.begin(), last, best.end(), std::greater<>());
  std::erase_if(*candidates, [&](const MeasuredPoint& candidate) {
    return targets[candidate.row] < *last;
  });
}

// Drops the candidates whose values are too good to be true. Those of several
// results, or with a known variance, seldom are.
void DropOutliers(const SurrogateModel& model,
                  std::vector<MeasuredPoint>* candidates) {
  const Eigen::VectorXd& targets = model.data.regression.targets;
  const double reach =
      kOutlierDeviations * std::sqrt(model.gp.noise_variance());
  std::vector<MeasuredPoint> others;
  std::copy_if(candidates->begin(), candidates->end(),
               std::back_inserter(others), [&](const MeasuredPoint& candidate) {
                 return targets[candidate.row] -
                            model.gp.fitted_means()[candidate.row] <=
                        reach;
               });
  if (!others.empty()) *candidates = std::move(others);
}

// Drops the candidates that were measured worse than the best by more than
// noise explains.
void DropClearlyWorse(const SurrogateModel& model,
                      std::vector<MeasuredPoint>* candidates) {
  const Eigen::VectorXd& targets = model.data.regression.targets;
  const MeasuredPoint best =
      *std::max_element(candidates->begin(), candidates->end(),
                        [&](const MeasuredPoint& a, const MeasuredPoint& b) {
                          return targets[a.row] < targets[b.row];
                        });
  std::erase_if(*candidates, [&](const MeasuredPoint& candidate) {
    return targets[best.row] - targets[candidate.row] >
           kExplainedDeviations *
               std::sqrt(best.noise_variance + candidate.noise_variance);
  });
}

// Returns the candidate with the highest lower confidence bound; the first of
// ties.
MeasuredPoint HighestBound(const SurrogateModel& model,
                           const std::vector<MeasuredPoint>& candidates) {
  const Eigen::MatrixXd& inputs = model.data.regression.inputs;
  std::vector<Index> rows;
  rows.reserve(candidates.size());
  for (const MeasuredPoint& candidate : candidates) {
    rows.push_back(candidate.row);
  }
  const Posterior posterior = model.gp.Predict(inputs(rows, Eigen::all), false);
  const Eigen::VectorXd bounds =
      posterior.mean - posterior.variance.cwiseSqrt();
  Index highest = 0;
  bounds.maxCoeff(&highest);
  return candidates[static_cast<std::size_t>(highest)];
}

Recommendation WithPrediction(std::size_t completed, const StudyView& view,
                              const SearchSpaceEncoding& encoding,
                              const SurrogateModel& model) {
  const Eigen::RowVectorXd row =
      encoding.Encode(view.completed[completed].parameters);
  return {completed, PredictInUserUnits(model, view.goal, row)};
}

}  // namespace

std::optional<Recommendation> ReliableResult(
    const StudyView& view, const SearchSpaceEncoding& encoding,
    const SurrogateModel& model, NoiseEvidence noise) {
  std::vector<MeasuredPoint> candidates =
      MeasuredPointsOf(view, encoding, model, noise);
  const bool is_exact =
      std::all_of(candidates.begin(), candidates.end(),
                  [](const MeasuredPoint& c) { return c.noise_variance == 0; });
  if (is_exact) {
    const std::optional<Recommendation> best = BestObserved(view);
    if (!best.has_value()) return std::nullopt;
    return WithPrediction(best->completed, view, encoding, model);
  }
  KeepBestPart(model, &candidates);
  if (noise == NoiseEvidence::kStrong) DropOutliers(model, &candidates);
  DropClearlyWorse(model, &candidates);
  return WithPrediction(HighestBound(model, candidates).completed, view,
                        encoding, model);
}

}  // namespace vernier
