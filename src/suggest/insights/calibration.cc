#include "suggest/insights/calibration.h"

#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "suggest/gp/leave_one_out.h"
#include "suggest/gp/user_units.h"

namespace vernier {
namespace {

using Eigen::Index;

// A full result and its row of the model.
struct Result {
  std::size_t completed = 0;
  Index row = 0;
  double objective = 0;  // Larger is better.
};

std::vector<Result> FullResults(const ExaminedStudy& study) {
  const Eigen::MatrixXd& inputs = study.model.data.regression.inputs;
  // The model may contain only some of the rows, which are distinct.
  std::map<std::vector<double>, Index> row_of_point;
  for (Index i = 0; i < inputs.rows(); ++i) {
    const Eigen::RowVectorXd row = inputs.row(i);
    row_of_point.emplace(std::vector<double>(row.begin(), row.end()), i);
  }
  std::vector<Result> results;
  for (std::size_t i = 0; i < study.view.completed.size(); ++i) {
    const Observation& observation = study.view.completed[i];
    const std::optional<double> objective =
        FullObjective(observation, study.view.goal);
    if (!objective.has_value()) continue;
    const Eigen::RowVectorXd row =
        study.encoding.Encode(observation.parameters);
    const auto found =
        row_of_point.find(std::vector<double>(row.begin(), row.end()));
    if (found == row_of_point.end()) continue;
    results.push_back({i, found->second, *objective});
  }
  return results;
}

}  // namespace

Calibration Calibrate(const ExaminedStudy& study) {
  const SurrogateModel& model = study.model;
  const LeaveOneOut left_out =
      LeaveOutEach(model.gp, model.data.regression.targets);
  const std::vector<Result> results = FullResults(study);
  Eigen::VectorXd repetitions = Eigen::VectorXd::Zero(left_out.mean.size());
  for (const Result& result : results) repetitions[result.row] += 1;

  Calibration calibration;
  double within = 0;
  double log_density = 0;
  for (const Result& result : results) {
    const double mean = left_out.mean[result.row];
    // The row's noise is that of the median of its repetitions, which is
    // smaller.
    const double more_noise =
        (repetitions[result.row] - 1) * model.gp.noise_variances()[result.row];
    const double variance = left_out.variance[result.row] + more_noise;
    const double error = model.data.warp.Warp(result.objective) - mean;
    within += error * error <= variance ? 1 : 0;
    log_density -= 0.5 * (std::log(2 * std::numbers::pi * variance) +
                          error * error / variance);
    calibration.points.push_back(
        {result.completed, *study.view.completed[result.completed].objective,
         InUserUnits(model.data.warp, study.view.goal, mean, variance)});
  }
  if (!results.empty()) {
    const auto count = static_cast<double>(results.size());
    calibration.coverage = within / count;
    calibration.log_score = log_density / count;
  }
  return calibration;
}

}  // namespace vernier
