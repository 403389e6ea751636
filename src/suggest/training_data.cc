#include "suggest/training_data.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "suggest/output_warp.h"

namespace vernier {
namespace {

using Eigen::Index;

// All observations at one point.
struct Replicates {
  Eigen::RowVectorXd row;
  std::vector<double> objectives;  // Feasible ones; larger is better.
  int count = 0;
};

std::vector<Replicates> MergeReplicates(const StudyView& view,
                                        const SearchSpaceEncoding& encoding) {
  const double sign = view.goal == Goal::kMaximize ? 1 : -1;
  std::vector<Replicates> merged;
  std::map<std::vector<double>, std::size_t> index_of_row;
  for (const Observation& observation : view.completed) {
    const Eigen::RowVectorXd row = encoding.Encode(observation.parameters);
    const auto [place, is_new] = index_of_row.try_emplace(
        std::vector<double>(row.begin(), row.end()), merged.size());
    if (is_new) merged.push_back({row, {}, 0});
    Replicates& replicates = merged[place->second];
    ++replicates.count;
    if (observation.objective.has_value()) {
      replicates.objectives.push_back(sign * *observation.objective);
    }
  }
  return merged;
}

std::optional<double> Median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const std::size_t upper = values.size() / 2;
  const std::size_t lower = (values.size() - 1) / 2;
  return values[lower] / 2 + values[upper] / 2;  // The sum may overflow.
}

LengthScaleGroups MakeGroups(const SearchSpaceEncoding& encoding) {
  LengthScaleGroups groups;
  for (const Coordinate& coordinate : encoding.coordinates()) {
    for (Index j = 0; j < coordinate.num_columns; ++j) {
      groups.group_of_column.push_back(groups.size());
    }
    groups.is_categorical.push_back(coordinate.kind ==
                                    CoordinateKind::kCategorical);
  }
  return groups;
}

}  // namespace

TrainingData MakeTrainingData(const StudyView& view,
                              const SearchSpaceEncoding& encoding) {
  const std::vector<Replicates> merged = MergeReplicates(view, encoding);
  TrainingData data;
  RegressionData& regression = data.regression;
  regression.groups = MakeGroups(encoding);
  regression.inputs.resize(std::ssize(merged), encoding.num_columns());
  regression.noise_scale.resize(std::ssize(merged));
  std::vector<std::optional<double>> objectives;
  for (std::size_t i = 0; i < merged.size(); ++i) {
    const auto row = static_cast<Index>(i);
    regression.inputs.row(row) = merged[i].row;
    regression.noise_scale[row] = 1.0 / merged[i].count;
    objectives.push_back(Median(merged[i].objectives));
    data.has_feasible = data.has_feasible || objectives.back().has_value();
  }
  WarpedObjectives warped = WarpObjectives(objectives);
  regression.targets = std::move(warped.targets);
  data.is_constant = warped.is_constant;
  return data;
}

std::vector<Index> ChooseSubset(const RegressionData& data, Index size) {
  const Index n = data.inputs.rows();
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  if (n <= size) return order;
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return data.targets[a] > data.targets[b];
  });
  std::vector<bool> is_taken(static_cast<std::size_t>(n), false);
  std::vector<Index> taken;
  // Squared distance to the nearest point taken so far.
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
  return {data.inputs(rows, Eigen::all), data.targets(rows),
          data.noise_scale(rows), data.groups};
}

}  // namespace vernier
