// Makes random search spaces and hostile histories. Every suggester answers
// with points that fit the space, or with a clear status.

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "study/algorithm_name.h"
#include "study/constraint_parser.h"
#include "study/job_spec.h"
#include "suggest/algorithms/suggester.h"
#include "suggest/space/parameter_levels.h"
#include "suggest/space/space_membership.h"
#include "suggest/suggester_factory.h"

namespace vernier {
namespace {

ParameterSpec TakeSpec(FuzzedDataProvider& data, std::size_t index) {
  ParameterSpec spec;
  spec.name = "p" + std::to_string(index);
  spec.type = data.PickValueInArray(
      {ParameterType::kDouble, ParameterType::kInteger,
       ParameterType::kCategorical, ParameterType::kDiscrete});
  const auto number = [&] {
    return data.ConsumeBool()
               ? data.ConsumeFloatingPointInRange<double>(-1e3, 1e3)
               : data.ConsumeFloatingPointInRange<double>(-1e150, 1e150);
  };
  double low = number();
  double high = number();
  if (low > high) std::swap(low, high);
  switch (spec.type) {
    case ParameterType::kDouble:
      break;
    case ParameterType::kInteger:
      low = std::clamp(std::floor(low), -0x1p53, 0x1p53);
      high = std::clamp(std::floor(high), -0x1p53, 0x1p53);
      break;
    case ParameterType::kCategorical: {
      const int count = data.ConsumeIntegralInRange(1, 30);
      for (int i = 0; i < count; ++i) {
        spec.categorical_values.push_back(std::to_string(i));
      }
      return spec;
    }
    case ParameterType::kDiscrete: {
      const int count = data.ConsumeIntegralInRange(1, 30);
      for (int i = 0; i < count; ++i) spec.discrete_values.push_back(number());
      std::sort(spec.discrete_values.begin(), spec.discrete_values.end());
      spec.discrete_values.erase(
          std::unique(spec.discrete_values.begin(), spec.discrete_values.end()),
          spec.discrete_values.end());
      low = spec.discrete_values.front();
      break;
    }
  }
  if (spec.type != ParameterType::kDiscrete) {
    spec.min_value = low;
    spec.max_value = high;
  }
  spec.scale =
      low > 0 ? data.PickValueInArray({ScaleType::kNone, ScaleType::kLinear,
                                       ScaleType::kLog, ScaleType::kReverseLog})
              : ScaleType::kNone;
  return spec;
}

// Returns the possible parents of a parameter that follows `space`, which is in
// depth-first order: the last parameter, its parent, and so on.
std::vector<std::size_t> PossibleParents(
    const std::vector<ParameterSpec>& space) {
  std::vector<std::size_t> parents;
  if (space.empty()) return parents;
  parents.push_back(space.size() - 1);
  while (space[parents.back()].condition.has_value()) {
    parents.push_back(space[parents.back()].condition->parent);
  }
  return parents;
}

std::vector<ParameterSpec> TakeSpace(FuzzedDataProvider& data) {
  std::vector<ParameterSpec> space;
  const auto size = data.ConsumeIntegralInRange<std::size_t>(1, 8);
  for (std::size_t i = 0; i < size; ++i) {
    ParameterSpec spec = TakeSpec(data, i);
    const std::vector<std::size_t> parents = PossibleParents(space);
    if (!parents.empty() && data.ConsumeBool()) {
      const std::size_t parent =
          parents[data.ConsumeIntegralInRange<std::size_t>(0,
                                                           parents.size() - 1)];
      const std::int64_t levels = CountLevels(space[parent]);
      if (levels > 0) {
        spec.condition = ParameterCondition{
            parent,
            {ValueAtLevel(
                space[parent],
                data.ConsumeIntegralInRange<std::int64_t>(0, levels - 1))}};
      }
    }
    space.push_back(std::move(spec));
  }
  return space;
}

void Require(bool holds) {
  if (!holds) std::abort();
}

std::optional<double> TakeValue(FuzzedDataProvider& data) {
  const double value = data.ConsumeFloatingPoint<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// Adds further metrics and constraints to a study that has its results.
void TakeMetrics(FuzzedDataProvider& data, StudyView* view) {
  view->metrics.push_back({view->goal, TakeValue(data)});
  const int others = data.ConsumeIntegralInRange(0, 5);
  for (int k = 0; k < others; ++k) {
    view->metrics.push_back(
        {data.ConsumeBool() ? Goal::kMaximize : Goal::kMinimize,
         TakeValue(data)});
  }
  view->num_constraints = data.ConsumeIntegralInRange<std::size_t>(0, 2);
  if (view->num_constraints == 2 && data.ConsumeBool()) {
    view->bands.push_back({0, std::abs(TakeValue(data).value_or(0))});
  }
  for (Observation& observation : view->completed) {
    if (!observation.objective.has_value()) continue;
    observation.values.push_back(observation.objective);
    for (int k = 0; k < others; ++k) {
      observation.values.push_back(TakeValue(data));
    }
    for (std::size_t k = 0; k < view->num_constraints; ++k) {
      observation.slacks.push_back(TakeValue(data));
    }
  }
}

// Makes texts of the names of the space and of other parts; those that are
// valid constraints are added.
void TakeConstraints(FuzzedDataProvider& data, StudyView* view) {
  const int count = data.ConsumeIntegralInRange(0, 4);
  for (int i = 0; i < count; ++i) {
    std::string text;
    const int parts = data.ConsumeIntegralInRange(1, 8);
    for (int k = 0; k < parts; ++k) {
      text += data.PickValueInArray<const char*>(
          {"p0",   "p1",   "p2",  "p3",  " + ",   " - ",   " * ", " / ",
           " <= ", " >= ", " < ", " = ", " != ",  "not (", ")",   " and ",
           " or ", "(",    "1",   "0.5", "1e300", "v0"});
    }
    if (data.ConsumeProbability<float>() < 0.2f) {
      text = data.ConsumeRandomLengthString(40);
    }
    auto constraint = ParseParameterConstraint(text, view->space);
    if (constraint.ok()) {
      view->parameter_constraints.push_back(*std::move(constraint));
    }
  }
}

void TryAll(FuzzedDataProvider& data) {
  StudyView view;
  view.space = TakeSpace(data);
  if (data.ConsumeProbability<float>() < 0.3f) TakeConstraints(data, &view);
  view.goal = data.ConsumeBool() ? Goal::kMaximize : Goal::kMinimize;
  view.seed = data.ConsumeIntegral<std::uint64_t>();
  const auto random = MakeSuggester(Algorithm::kRandomSearch);
  const int num_trials = data.ConsumeIntegralInRange(0, 30);
  for (int i = 0; i < num_trials; ++i) {
    auto points = random->Suggest(view, 1);
    if (!points.ok()) break;
    Parameters parameters = std::move(points->front().parameters);
    if (!view.completed.empty() && data.ConsumeProbability<float>() < 0.2f) {
      parameters = view.completed.front().parameters;
    }
    ++view.trials_created;
    if (data.ConsumeProbability<float>() < 0.2f) {
      view.pending.push_back(std::move(parameters));
      continue;
    }
    Observation observation{std::move(parameters), std::nullopt};
    if (data.ConsumeProbability<float>() < 0.8f) {
      const double value = data.ConsumeFloatingPoint<double>();
      if (std::isfinite(value)) observation.objective = value;
    }
    observation.is_stopped_early = data.ConsumeProbability<float>() < 0.2f;
    if (data.ConsumeProbability<float>() < 0.2f) {
      observation.variance =
          std::abs(data.ConsumeFloatingPointInRange<double>(-1e300, 1e300));
    }
    view.completed.push_back(std::move(observation));
  }
  const int count = data.ConsumeIntegralInRange(1, 3);
  if (data.ConsumeBool()) TakeMetrics(data, &view);
  for (const Algorithm algorithm :
       {Algorithm::kDefault, Algorithm::kGridSearch,
        Algorithm::kQuasiRandomSearch, Algorithm::kShuffledGridSearch}) {
    const auto suggester = MakeSuggester(algorithm);
    const auto suggestions = suggester->Suggest(view, count);
    if (!suggestions.ok()) {
      const absl::StatusCode code = suggestions.status().code();
      Require(
          code == absl::StatusCode::kResourceExhausted ||
          (code == absl::StatusCode::kFailedPrecondition &&
           !view.parameter_constraints.empty()) ||
          (code == absl::StatusCode::kInvalidArgument && IsGrid(algorithm)));
      continue;
    }
    Require(!suggestions->empty() &&
            suggestions->size() <= static_cast<std::size_t>(count));
    for (const Suggestion& suggestion : *suggestions) {
      Require(CheckFitsSpace(view.space, suggestion.parameters).ok());
      Require(FirstViolated(view.parameter_constraints,
                            suggestion.parameters) == nullptr);
      const auto& prediction = suggestion.record.prediction;
      if (prediction.has_value()) {
        Require(prediction->low <= prediction->mean &&
                prediction->mean <= prediction->high);
      }
    }
    Require(suggester->Recommend(view).ok());
  }
}

}  // namespace
}  // namespace vernier

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes,
                                      std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  vernier::TryAll(data);
  return 0;
}
