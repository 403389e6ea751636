#include "suggest/curves/report_noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace vernier {
namespace {

// The number of reports that a report is compared with, on both sides together.
constexpr std::size_t kNeighbours = 4;

// The median absolute deviation of a normal distribution with variance 1.
constexpr double kMedianOfAbsolute = 0.6745;

// Returns the distance of reports[i] from the cubic through its neighbours (in
// Lagrange's form), in standard deviations of one report's noise.
double Residual(const Curve& reports, std::size_t i) {
  const std::array<std::size_t, kNeighbours> at = {i - 2, i - 1, i + 1, i + 2};
  const auto step = [&](std::size_t j) {
    return static_cast<double>(reports[j].step);
  };
  double residual = reports[i].value;
  double squared_weights = 1;
  for (const std::size_t j : at) {
    double weight = 1;
    for (const std::size_t k : at) {
      if (k != j) weight *= (step(i) - step(k)) / (step(j) - step(k));
    }
    residual -= weight * reports[j].value;
    squared_weights += weight * weight;
  }
  return std::abs(residual) / std::sqrt(squared_weights);
}

}  // namespace

double NoiseOfReports(const CurveStudy& study) {
  std::vector<double> residuals;
  for (const TrialCurve& trial : study.trials) {
    if (trial.state != CurveState::kCompleted || trial.reports.empty()) {
      continue;
    }
    const Curve& reports = trial.reports;
    for (std::size_t i = 2; i + 2 < reports.size(); ++i) {
      if (reports[i - 2].step < reports.back().step / 2) continue;
      residuals.push_back(Residual(reports, i));
    }
  }
  if (residuals.empty()) return 0;
  const auto middle =
      residuals.begin() + static_cast<std::ptrdiff_t>(residuals.size() / 2);
  std::nth_element(residuals.begin(), middle, residuals.end());
  return std::isfinite(*middle) ? *middle / kMedianOfAbsolute : 0;
}

}  // namespace vernier
