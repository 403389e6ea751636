#include "cli/imports/optuna_space.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "cli/imports/foreign_study.h"

namespace vernier {
namespace {

constexpr std::size_t kMostSteps = 1000;
constexpr std::size_t kMostReadTexts = 100'000;
// Sums of steps differ from Optuna's in the last digits.
constexpr double kStepTolerance = 1e-9;

bool IsStepped(const OptunaDistribution& distribution) {
  const double step = distribution.step.value_or(0);
  return distribution.kind == OptunaDistribution::Kind::kInt ? step > 1
                                                             : step > 0;
}

// 0.1 + 2 * 0.1 as people write it.
double RoundedTo12Digits(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.12g", value);
  return std::strtod(text, nullptr);
}

// The values low, low + step, ..., high; empty if they are too many for a list.
std::vector<double> StepsOf(const OptunaDistribution& distribution) {
  const double step = distribution.step.value_or(0);
  const double count = std::floor((distribution.high - distribution.low) /
                                      step * (1 + kStepTolerance) +
                                  kStepTolerance) +
                       1;
  if (!(count >= 1) || count > static_cast<double>(kMostSteps)) return {};
  std::vector<double> values(static_cast<std::size_t>(count));
  for (int i = 0; double& value : values) {
    value = RoundedTo12Digits(distribution.low + i++ * step);
  }
  const bool is_increasing =
      std::adjacent_find(values.begin(), values.end(), [](double a, double b) {
        return !(a < b);
      }) == values.end();
  return is_increasing ? values : std::vector<double>();
}

// Returns the listed value that a sum of steps stands for.
double NearestStep(const std::vector<double>& steps, double value) {
  auto above = std::lower_bound(steps.begin(), steps.end(), value);
  if (above == steps.end()) --above;
  if (above != steps.begin() &&
      std::fabs(*std::prev(above) - value) < std::fabs(*above - value)) {
    --above;
  }
  const double tolerance = kStepTolerance * std::fmax(1, std::fabs(value));
  return std::fabs(*above - value) <= tolerance ? *above : value;
}

}  // namespace

absl::Status OptunaSpace::Add(const OptunaTrial& trial) {
  for (const auto& [name, param] : trial.params) {
    auto read = read_.find(param.distribution);
    if (read == read_.end()) {
      auto distribution = ReadDistribution(param.distribution);
      if (!distribution.ok()) {
        return absl::InvalidArgumentError(
            absl::StrCat("trial ", trial.number, ": parameter ", ShowText(name),
                         ": ", std::string(distribution.status().message())));
      }
      if (read_.size() >= kMostReadTexts) read_.clear();
      read = read_.emplace(param.distribution, *std::move(distribution)).first;
    }
    const auto [found, is_new] = declared_.try_emplace(name);
    Declared& declared = found->second;
    if (is_new) {
      if (declared_.size() > kMostForeignParameters) {
        return absl::ResourceExhaustedError(absl::StrCat(
            "there are more than ", kMostForeignParameters, " parameters"));
      }
      order_.push_back(name);
      declared.joined = read->second;
    } else {
      Join(read->second, &declared);
    }
    Settle(name, &declared);
  }
  return absl::OkStatus();
}

void OptunaSpace::Join(const OptunaDistribution& other, Declared* declared) {
  OptunaDistribution& joined = declared->joined;
  if (!AreCompatible(joined, other)) {
    declared->is_compatible = false;
    return;
  }
  if (joined.kind == OptunaDistribution::Kind::kCategorical) return;
  const double step = joined.step.value_or(0);
  const double apart = step > 0 ? (other.low - joined.low) / step : 0;
  if (step != other.step.value_or(0) ||
      std::fabs(apart - std::round(apart)) > kStepTolerance) {
    declared->is_one_step = false;
  }
  joined.low = std::fmin(joined.low, other.low);
  joined.high = std::fmax(joined.high, other.high);
}

void OptunaSpace::Settle(const std::string& name, Declared* declared) {
  declared->is_usable = false;
  if (!declared->is_compatible) return;
  const std::optional<ParameterSpec> spec = ParameterOf(name, declared->joined);
  if (!spec.has_value()) return;
  declared->spec = *spec;
  declared->is_usable = true;
  if (!IsStepped(declared->joined) || !declared->is_one_step) return;
  std::vector<double> steps = StepsOf(declared->joined);
  if (steps.empty()) return;
  declared->spec.type = ParameterType::kDiscrete;
  declared->spec.min_value = 0;
  declared->spec.max_value = 0;
  declared->spec.discrete_values = std::move(steps);
}

std::vector<ParameterSpec> OptunaSpace::Parameters(
    std::vector<std::string>* notes) const {
  std::vector<ParameterSpec> space;
  for (const std::string& name : order_) {
    const Declared& declared = declared_.at(name);
    if (!declared.is_usable) {
      notes->push_back(absl::StrCat(
          "parameter ", ShowText(name),
          declared.is_compatible
              ? " has a range or choices that no parameter here can have"
              : " has distributions that exclude each other",
          ": it is no part of the search, and its values become attributes"));
      continue;
    }
    if (IsStepped(declared.joined) &&
        declared.spec.type != ParameterType::kDiscrete) {
      notes->push_back(absl::StrCat(
          "parameter ", ShowText(name), " has ",
          declared.is_one_step ? "more than 1000 steps" : "several steps",
          ": the search takes any value of its range"));
    }
    space.push_back(declared.spec);
  }
  return space;
}

std::map<std::string, std::string> OptunaSpace::ParameterChoices() const {
  std::map<std::string, std::string> choices;
  for (const auto& [name, declared] : declared_) {
    if (!declared.is_usable) continue;
    const auto typed = TypedChoices(declared.joined);
    if (typed.has_value()) choices[name] = *typed;
  }
  return choices;
}

vernier::Parameters OptunaSpace::ValuesOf(const OptunaTrial& trial) const {
  vernier::Parameters values;
  for (const auto& [name, param] : trial.params) {
    const Declared& declared = declared_.at(name);
    // Of distributions that exclude each other, the trial's own says what its
    // number stands for.
    std::optional<ParameterValue> value;
    if (declared.is_compatible) {
      value = ValueOf(declared.joined, param.internal);
    } else if (const auto own = ReadDistribution(param.distribution);
               own.ok()) {
      value = ValueOf(*own, param.internal);
    }
    if (!value.has_value() && !declared.is_usable &&
        std::fabs(param.internal) > kMaxExactInteger) {
      value = param.internal;  // A whole number that is none of ours.
    }
    if (!value.has_value()) continue;
    if (declared.spec.type == ParameterType::kDiscrete && declared.is_usable) {
      value = NearestStep(declared.spec.discrete_values, param.internal);
    }
    values.push_back({name, *std::move(value)});
  }
  return values;
}

}  // namespace vernier
