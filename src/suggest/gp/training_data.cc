#include "suggest/gp/training_data.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "base/median.h"
#include "suggest/gp/descending_order.h"
#include "suggest/gp/output_warp.h"

namespace vernier {
namespace {

// All observations at one point become one row (Replicates), because the rows
// of RegressionData must be distinct. Of the values at a point, complete
// trainings count; without any, estimates of the end do; without these, the row
// is censored at its last value. The objectives are then warped, and known
// variances are scaled by the slope of the warp.

using Eigen::Index;

// The upper bound of a known noise variance: such a value carries no
// information. The lower one is about the size of rounding.
constexpr double kMaxKnownNoise = 10;
constexpr double kMaxSharedNoise = 3;  // A standard deviation.
constexpr double kMostDeviation = 3;   // Of a repeated measurement.

// With fewer full results than this, the others cannot be imputed.
constexpr std::size_t kMinUncensored = 3;

// All observations at one point.
struct Replicates {
  Eigen::RowVectorXd row;
  std::vector<double> objectives;  // Feasible ones; larger is better.
  std::vector<double> cut_short;   // Likewise, of trainings stopped early.
  std::vector<FinalEstimate> estimates;  // Likewise, if their end is estimated.
  double sum_of_variances = 0;           // Of `objectives`.
  std::vector<double> sum_of_shared;     // Their shared errors.
  bool all_variances_known = true;
  bool is_estimated = false;  // `objectives` are estimates.
  double slope = 0;           // d target / d objective, for their errors.
  int num_observations = 0;
  bool is_mean = false;  // The target is of the mean, and not of the median.

  bool IsCensored() const { return objectives.empty() && !cut_short.empty(); }

  // Returns the number of values that the row's target summarizes.
  double NumMeasured() const {
    if (!objectives.empty()) return static_cast<double>(objectives.size());
    if (!cut_short.empty()) return static_cast<double>(cut_short.size());
    return num_observations;
  }
};

// If no training came to its end, estimates of the final value are used, with
// their variances as noise.
void UseEstimates(Replicates* replicates) {
  if (!replicates->objectives.empty()) return;
  replicates->is_estimated = !replicates->estimates.empty();
  for (const FinalEstimate& estimate : replicates->estimates) {
    replicates->objectives.push_back(estimate.mean);
    replicates->sum_of_variances += estimate.variance;
    std::vector<double>& shared = replicates->sum_of_shared;
    shared.resize(std::max(shared.size(), estimate.shared_errors.size()));
    for (std::size_t i = 0; i < estimate.shared_errors.size(); ++i) {
      shared[i] += estimate.shared_errors[i];
    }
  }
}

std::vector<Replicates> MergeReplicates(const StudyView& view,
                                        const SearchSpaceEncoding& encoding,
                                        std::size_t num_results,
                                        std::vector<Index>* row_of_result) {
  const double sign = view.goal == Goal::kMaximize ? 1 : -1;
  std::vector<Replicates> merged;
  std::map<std::vector<double>, std::size_t> index_of_row;
  for (std::size_t i = 0; i < num_results; ++i) {
    const Observation& observation = view.completed[i];
    const Eigen::RowVectorXd row = encoding.Encode(observation.parameters);
    const auto [place, is_new] = index_of_row.try_emplace(
        std::vector<double>(row.begin(), row.end()), merged.size());
    if (is_new) {
      merged.emplace_back().row = row;
      merged.back().is_mean = IsRepeating(view.repeats);
    }
    row_of_result->push_back(static_cast<Index>(place->second));
    Replicates& replicates = merged[place->second];
    ++replicates.num_observations;
    if (!observation.objective.has_value()) continue;
    if (observation.estimate.has_value()) {
      // The sign applies to all means alike, so products of shared errors do
      // not change.
      replicates.estimates.push_back({sign * observation.estimate->mean,
                                      observation.estimate->variance,
                                      observation.estimate->shared_errors});
      continue;
    }
    if (observation.is_stopped_early) {
      replicates.cut_short.push_back(sign * *observation.objective);
      continue;
    }
    replicates.objectives.push_back(sign * *observation.objective);
    replicates.sum_of_variances += observation.variance.value_or(0);
    replicates.all_variances_known &= observation.variance.has_value();
  }
  for (Replicates& replicates : merged) UseEstimates(&replicates);
  return merged;
}

std::optional<double> ObjectiveIfAny(const Replicates& replicates) {
  const std::vector<double>& values = replicates.objectives;
  if (values.empty()) return std::nullopt;
  // The mean of two is their median, which does not overflow.
  if (!replicates.is_mean || values.size() < 3) return Median(values);
  double mean = 0;
  for (const double value : values) {
    mean += value / static_cast<double>(values.size());
  }
  return mean;
}

// True if the noise of the row follows from reported variances.
bool HasKnownNoise(const Replicates& replicates) {
  return !replicates.objectives.empty() && replicates.all_variances_known;
}

// Sets the slopes of the rows whose noise is known. The warp is steep where
// many bad values lie together. There the error of an estimate would look
// larger than its distance from the best measured value, as if a trial that was
// given up might still win. So the mean slope between the two is used if it is
// smaller.
void SetSlopes(const WarpedObjectives& warp, std::vector<Replicates>* merged) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Replicates& replicates : *merged) {
    if (replicates.is_estimated || replicates.objectives.empty()) continue;
    best = std::max(best, *ObjectiveIfAny(replicates));
  }
  for (Replicates& replicates : *merged) {
    if (!HasKnownNoise(replicates)) continue;
    const double objective = *ObjectiveIfAny(replicates);
    replicates.slope = warp.Slope(objective);
    if (!replicates.is_estimated || !(objective < best)) continue;
    const double to_best = (warp.Warp(best) - warp.Warp(objective)) / 2 /
                           (best / 2 - objective / 2);
    if (to_best > 0) replicates.slope = std::min(replicates.slope, to_best);
  }
}

// Returns the noise variance of the median target that follows from the
// variances reported with its replicates. If an infinite slope or sum times 0
// gives NaN, a result that was reported as exact stays exact, and any other is
// treated as pure noise.
double KnownNoise(const Replicates& replicates) {
  const auto count = static_cast<double>(replicates.objectives.size());
  const double noise = replicates.sum_of_variances / (count * count) *
                       replicates.slope * replicates.slope;
  if (std::isnan(noise)) {
    return replicates.sum_of_variances > 0 ? kMaxKnownNoise : kMinKnownNoise;
  }
  return std::clamp(noise, kMinKnownNoise, kMaxKnownNoise);
}

// Adds what repeated measurements say about the noise of a target. Points with
// known noise say nothing about the rest.
void AddRepeats(const Replicates& replicates, const WarpedObjectives& warp,
                RegressionData* regression) {
  const std::vector<double>& values = replicates.objectives;
  if (!replicates.is_mean || values.size() < 2 || replicates.is_estimated ||
      HasKnownNoise(replicates)) {
    return;
  }
  const double mean = *ObjectiveIfAny(replicates);
  const double slope = warp.Slope(mean);
  for (const double value : values) {
    const double deviation =
        std::clamp(slope * (value - mean), -kMostDeviation, kMostDeviation);
    if (std::isnan(deviation)) continue;  // Of an infinite slope times 0.
    regression->repeat_squares += deviation * deviation;
  }
  regression->repeat_degrees += static_cast<double>(values.size() - 1);
}

// Returns the noise of the rows' targets that estimates have in common.
Eigen::MatrixXd SharedNoise(const std::vector<Replicates>& merged) {
  std::size_t rank = 0;
  for (const Replicates& replicates : merged) {
    rank = std::max(rank, replicates.sum_of_shared.size());
  }
  Eigen::MatrixXd noise =
      Eigen::MatrixXd::Zero(std::ssize(merged), static_cast<Index>(rank));
  if (rank == 0) return {};
  for (std::size_t row = 0; row < merged.size(); ++row) {
    const Replicates& replicates = merged[row];
    if (replicates.sum_of_shared.empty()) continue;
    const double scale =
        replicates.slope / static_cast<double>(replicates.objectives.size());
    for (std::size_t i = 0; i < replicates.sum_of_shared.size(); ++i) {
      const double part = replicates.sum_of_shared[i] * scale;
      // As in KnownNoise, a part that cannot be computed is left to the row's
      // own noise.
      if (std::isnan(part)) continue;
      noise(static_cast<Index>(row), static_cast<Index>(i)) =
          std::clamp(part, -kMaxSharedNoise, kMaxSharedNoise);
    }
  }
  return noise;
}

}  // namespace

LengthScaleGroups MakeLengthScaleGroups(const SearchSpaceEncoding& encoding) {
  LengthScaleGroups groups;
  groups.num_active = static_cast<Index>(encoding.max_active());
  for (const Coordinate& coordinate : encoding.coordinates()) {
    for (Index j = 0; j < coordinate.num_columns; ++j) {
      groups.group_of_column.push_back(groups.size());
    }
    groups.is_categorical.push_back(coordinate.kind ==
                                    CoordinateKind::kCategorical);
  }
  return groups;
}

TrainingData MakeTrainingData(const StudyView& view,
                              const SearchSpaceEncoding& encoding,
                              std::size_t num_results,
                              WarpReference reference) {
  TrainingData data;
  std::vector<Replicates> merged =
      MergeReplicates(view, encoding, num_results, &data.row_of_result);
  const auto num_censored = static_cast<std::size_t>(
      std::count_if(merged.begin(), merged.end(),
                    [](const Replicates& r) { return r.IsCensored(); }));
  if (num_censored > 0 && merged.size() - num_censored < kMinUncensored) {
    for (Replicates& replicates : merged) {
      if (!replicates.IsCensored()) continue;
      replicates.objectives = std::move(replicates.cut_short);
      replicates.cut_short.clear();
      replicates.all_variances_known = false;
    }
  }

  std::vector<std::optional<double>> full;  // Of the rows not censored.
  for (std::size_t i = 0; i < merged.size(); ++i) {
    if (merged[i].IsCensored()) {
      data.censored.push_back(static_cast<Index>(i));
    } else {
      full.push_back(ObjectiveIfAny(merged[i]));
      data.has_feasible = data.has_feasible || full.back().has_value();
    }
  }
  data.warp = WarpObjectives(full, reference,
                             num_results > 0
                                 ? view.completed[num_results - 1].least_useful
                                 : std::nullopt,
                             view.half_band);
  data.is_constant = data.warp.is_constant;

  RegressionData& regression = data.regression;
  const Index n = std::ssize(merged);
  regression.groups = MakeLengthScaleGroups(encoding);
  regression.inputs.resize(n, encoding.num_columns());
  regression.targets.resize(n);
  regression.noise_scale.resize(n);
  regression.known_noise = Eigen::VectorXd::Zero(n);
  SetSlopes(data.warp, &merged);
  Index next_full = 0;
  for (Index row = 0; row < n; ++row) {
    const Replicates& replicates = merged[static_cast<std::size_t>(row)];
    regression.inputs.row(row) = replicates.row;
    regression.noise_scale[row] = 1 / replicates.NumMeasured();
    if (replicates.IsCensored()) {
      const double last = Median(replicates.cut_short);
      regression.targets[row] =
          data.warp.knots.empty() ? 0 : data.warp.Warp(last);
      continue;
    }
    regression.targets[row] = data.warp.targets[next_full++];
    if (replicates.is_estimated) data.estimated.push_back(row);
    AddRepeats(replicates, data.warp, &regression);
    if (!HasKnownNoise(replicates)) continue;
    regression.noise_scale[row] = 0;
    regression.known_noise[row] = KnownNoise(replicates);
  }
  regression.shared_noise = SharedNoise(merged);
  return data;
}

std::vector<Index> UncensoredRows(const TrainingData& data) {
  std::vector<Index> rows;
  auto censored = data.censored.begin();
  for (Index i = 0; i < data.regression.inputs.rows(); ++i) {
    if (censored != data.censored.end() && *censored == i) {
      ++censored;
    } else {
      rows.push_back(i);
    }
  }
  return rows;
}

std::vector<Index> MeasuredRows(const TrainingData& data) {
  const std::vector<Index> rows = UncensoredRows(data);
  std::vector<Index> measured;
  std::set_difference(rows.begin(), rows.end(), data.estimated.begin(),
                      data.estimated.end(), std::back_inserter(measured));
  return measured;
}

std::vector<Index> ChooseSubset(const RegressionData& data, Index size) {
  const Index n = data.inputs.rows();
  if (n <= size) {
    std::vector<Index> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), Index{0});
    return all;
  }
  std::vector<Index> order = DescendingOrder(data.targets);
  std::vector<bool> is_taken(static_cast<std::size_t>(n), false);
  std::vector<Index> taken;
  // The squared distance to the nearest point taken so far.
  Eigen::VectorXd distance =
      Eigen::VectorXd::Constant(n, std::numeric_limits<double>::infinity());
  const auto take = [&](Index i) {
    is_taken[static_cast<std::size_t>(i)] = true;
    taken.push_back(i);
    distance = distance.cwiseMin(
        (data.inputs.rowwise() - data.inputs.row(i)).rowwise().squaredNorm());
  };
  for (Index i = 0; i < size * 4 / 10; ++i) {
    take(order[static_cast<std::size_t>(i)]);
  }
  const Eigen::VectorXd from_best =
      (data.inputs.rowwise() - data.inputs.row(order.front()))
          .rowwise()
          .squaredNorm();
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return from_best[a] < from_best[b];
  });
  for (const Index i : order) {
    if (std::ssize(taken) >= size * 7 / 10) break;
    if (!is_taken[static_cast<std::size_t>(i)]) take(i);
  }
  while (std::ssize(taken) < size) {
    Index farthest = 0;
    distance.maxCoeff(&farthest);  // A point already taken is at distance 0,
    take(farthest);                // and rows are distinct.
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

RegressionData TakeRows(const RegressionData& data,
                        const std::vector<Index>& rows) {
  RegressionData taken{data.inputs(rows, Eigen::all), data.targets(rows),
                       data.noise_scale(rows), data.groups};
  if (data.known_noise.size() > 0) taken.known_noise = data.known_noise(rows);
  if (data.shared_noise.size() > 0) {
    taken.shared_noise = data.shared_noise(rows, Eigen::all);
  }
  taken.repeat_squares = data.repeat_squares;
  taken.repeat_degrees = data.repeat_degrees;
  return taken;
}

}  // namespace vernier
