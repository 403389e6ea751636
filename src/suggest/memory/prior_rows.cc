#include "suggest/memory/prior_rows.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include "base/median.h"
#include "suggest/gp/output_warp.h"
#include "suggest/gp/training_data.h"

namespace vernier {
namespace {

using Eigen::Index;

constexpr std::size_t kFewestValues = 3;

// Larger is better; the lowest of all is a failure.
double MeritOfTrial(const PriorTrial& trial, Goal goal) {
  return trial.objective.has_value() ? MeritOf(goal, *trial.objective)
                                     : -std::numeric_limits<double>::infinity();
}

// Returns the positions of the trials that stand for all, ascending.
std::vector<std::size_t> ChooseTrials(const PriorStudy& study,
                                      std::size_t most) {
  const std::size_t count = study.trials.size();
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (count <= most) return order;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) {
                     return MeritOfTrial(study.trials[a], study.goal) >
                            MeritOfTrial(study.trials[b], study.goal);
                   });
  const std::size_t best = most / 2;
  std::vector<std::size_t> chosen(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(best));
  for (std::size_t i = 0; best + i < most; ++i) {
    chosen.push_back(order[best + i * (count - best) / (most - best)]);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

RegressionData MakePriorRows(const PriorStudy& study,
                             const SearchSpaceEncoding& encoding,
                             std::size_t most_trials) {
  std::map<std::vector<double>, std::vector<double>> values_at;
  for (const std::size_t i : ChooseTrials(study, most_trials)) {
    const PriorTrial& trial = study.trials[i];
    const Eigen::RowVectorXd row = EncodePrior(trial.parameters, encoding);
    std::vector<double>& values =
        values_at[std::vector<double>(row.begin(), row.end())];
    if (trial.objective.has_value()) {
      values.push_back(MeritOf(study.goal, *trial.objective));
    }
  }
  RegressionData data;
  data.inputs.resize(std::ssize(values_at), encoding.num_columns());
  data.noise_scale = Eigen::VectorXd::Ones(std::ssize(values_at));
  std::vector<std::optional<double>> medians;
  std::size_t num_values = 0;
  for (const auto& [row, values] : values_at) {
    const Index i = std::ssize(medians);
    data.inputs.row(i) =
        Eigen::Map<const Eigen::RowVectorXd>(row.data(), std::ssize(row));
    medians.emplace_back();
    if (values.empty()) continue;
    medians.back() = Median(values);
    data.noise_scale[i] = 1 / static_cast<double>(values.size());
    ++num_values;
  }
  if (num_values < kFewestValues) return {};
  const WarpedObjectives warp = WarpObjectives(medians);
  if (warp.is_constant) return {};
  data.targets = warp.targets;
  data.groups = MakeLengthScaleGroups(encoding);
  return data;
}

}  // namespace vernier
