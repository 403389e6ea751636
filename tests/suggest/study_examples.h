#ifndef VERNIER_TESTS_SUGGEST_STUDY_EXAMPLES_H_
#define VERNIER_TESTS_SUGGEST_STUDY_EXAMPLES_H_

#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "suggest/algorithms/suggester.h"

namespace vernier {

inline ParameterSpec DoubleParameter(std::string name, double low, double high,
                                     ScaleType scale = ScaleType::kNone) {
  ParameterSpec spec;
  spec.name = std::move(name);
  spec.min_value = low;
  spec.max_value = high;
  spec.scale = scale;
  return spec;
}

inline ParameterSpec IntegerParameter(std::string name, double low, double high,
                                      ScaleType scale = ScaleType::kNone) {
  ParameterSpec spec = DoubleParameter(std::move(name), low, high, scale);
  spec.type = ParameterType::kInteger;
  return spec;
}

inline ParameterSpec CategoricalParameter(std::string name, int num_values) {
  ParameterSpec spec;
  spec.name = std::move(name);
  spec.type = ParameterType::kCategorical;
  for (int i = 0; i < num_values; ++i) {
    spec.categorical_values.push_back(absl::StrCat("c", i));
  }
  return spec;
}

inline ParameterSpec DiscreteParameter(std::string name,
                                       std::vector<double> values,
                                       ScaleType scale = ScaleType::kNone) {
  ParameterSpec spec;
  spec.name = std::move(name);
  spec.type = ParameterType::kDiscrete;
  spec.discrete_values = std::move(values);
  spec.scale = scale;
  return spec;
}

/// Returns `spec`, active while the parameter at `parent` has one of `values`.
inline ParameterSpec Below(ParameterSpec spec, std::size_t parent,
                           std::vector<ParameterValue> values) {
  spec.condition = ParameterCondition{parent, std::move(values)};
  return spec;
}

inline ParameterValue Text(const char* text) { return std::string(text); }

/// Returns a space of two optimizers with a rate in common and each with
/// parameters of its own, of 1 to 3 layers with widths, and of a dropout. With
/// `finite` each DOUBLE is a DISCRETE with two values.
inline std::vector<ParameterSpec> ConditionalSpace(bool finite = false) {
  const auto range = [&](const char* name, double low, double high) {
    return finite ? DiscreteParameter(name, {low, high})
                  : DoubleParameter(name, low, high);
  };
  return {CategoricalParameter("optimizer", 2),
          Below(range("rate", 0.1, 0.4), 0, {Text("c0")}),
          Below(range("momentum", 0, 1), 0, {Text("c0")}),
          Below(range("rate", 0.1, 0.4), 0, {Text("c1")}),
          Below(CategoricalParameter("amsgrad", 2), 0, {Text("c1")}),
          Below(range("beta", 0.5, 0.9), 4, {Text("c1")}),
          IntegerParameter("layers", 1, 3),
          Below(IntegerParameter("width2", 1, 2), 6,
                {std::int64_t{2}, std::int64_t{3}}),
          Below(IntegerParameter("width3", 1, 2), 6, {std::int64_t{3}}),
          range("dropout", 0, 0.5)};
}

/// A parameter of each type and scale.
inline std::vector<ParameterSpec> MixedSpace() {
  return {DoubleParameter("rate", 1e-5, 1e-1, ScaleType::kLog),
          DoubleParameter("decay", 0.9, 0.9999, ScaleType::kReverseLog),
          IntegerParameter("units", 1, 512, ScaleType::kLog),
          DiscreteParameter("batch", {16, 32, 64, 128}),
          CategoricalParameter("optimizer", 3)};
}

inline double NumberOf(const Parameters& parameters, std::size_t i) {
  if (const auto* x = std::get_if<double>(&parameters[i].value)) return *x;
  return static_cast<double>(std::get<std::int64_t>(parameters[i].value));
}

/// Appends `parameters` as the study's next trial, finished.
inline void Complete(StudyView* view, const Parameters& parameters,
                     std::optional<double> objective) {
  view->completed.push_back({parameters, objective});
  ++view->trials_created;
}

/// Returns the points of a suggester's answer, without their records.
inline absl::StatusOr<std::vector<Parameters>> PointsOf(
    absl::StatusOr<std::vector<Suggestion>> suggestions) {
  if (!suggestions.ok()) return suggestions.status();
  std::vector<Parameters> points;
  for (Suggestion& suggestion : *suggestions) {
    points.push_back(std::move(suggestion.parameters));
  }
  return points;
}

/// Runs `num_trials` trials one after the other; `objective(parameters)`
/// returns an optional<double>.
template <typename Objective>
StudyView RunStudy(const Suggester& suggester, StudyView view, int num_trials,
                   const Objective& objective) {
  for (int i = 0; i < num_trials; ++i) {
    auto points = PointsOf(suggester.Suggest(view, 1));
    if (!points.ok()) break;
    Complete(&view, points->front(), objective(points->front()));
  }
  return view;
}

/// Branin (1972) on [-5, 10] x [0, 15]; three minima of 0.397887.
inline double Branin(const Parameters& parameters) {
  constexpr double kPi = std::numbers::pi;
  const double x = NumberOf(parameters, 0);
  const double y = NumberOf(parameters, 1);
  const double a = y - 5.1 / (4 * kPi * kPi) * x * x + 5 / kPi * x - 6;
  return a * a + 10 * (1 - 1 / (8 * kPi)) * std::cos(x) + 10;
}

inline std::vector<ParameterSpec> BraninSpace() {
  return {DoubleParameter("x", -5, 10), DoubleParameter("y", 0, 15)};
}

/// Hartmann (1973) in six dimensions on the unit cube; minimum -3.32237.
inline double Hartmann6(const Parameters& parameters) {
  static constexpr double kAlpha[4] = {1.0, 1.2, 3.0, 3.2};
  static constexpr double kA[4][6] = {{10, 3, 17, 3.5, 1.7, 8},
                                      {0.05, 10, 17, 0.1, 8, 14},
                                      {3, 3.5, 1.7, 10, 17, 8},
                                      {17, 8, 0.05, 10, 0.1, 14}};
  static constexpr double kP[4][6] = {
      {0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
      {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
      {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
      {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}};
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    double exponent = 0;
    for (std::size_t j = 0; j < 6; ++j) {
      const double gap = NumberOf(parameters, j) - kP[i][j];
      exponent += kA[i][j] * gap * gap;
    }
    sum += kAlpha[i] * std::exp(-exponent);
  }
  return -sum;
}

inline std::vector<ParameterSpec> UnitCubeSpace(int d) {
  std::vector<ParameterSpec> space;
  for (int i = 0; i < d; ++i) {
    space.push_back(DoubleParameter(absl::StrCat("x", i), 0, 1));
  }
  return space;
}

}  // namespace vernier

#endif  // VERNIER_TESTS_SUGGEST_STUDY_EXAMPLES_H_
