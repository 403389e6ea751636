#include "suggest/finite_space.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "study/check.h"
#include "study/rng.h"

namespace vernier {
namespace {

constexpr std::int64_t kSaturated = std::numeric_limits<std::int64_t>::max();

// Levels of one parameter; 0 if there is a continuum of them.
std::int64_t CountLevels(const ParameterSpec& spec) {
  switch (spec.type) {
    case ParameterType::kDouble:
      return spec.min_value < spec.max_value ? 0 : 1;
    case ParameterType::kInteger:
      return static_cast<std::int64_t>(spec.max_value) -
             static_cast<std::int64_t>(spec.min_value) + 1;
    case ParameterType::kCategorical:
      return std::ssize(spec.categorical_values);
    case ParameterType::kDiscrete:
      return std::ssize(spec.discrete_values);
  }
  return 0;
}

ParameterValue ValueAtLevel(const ParameterSpec& spec, std::int64_t level) {
  const auto index = static_cast<std::size_t>(level);
  switch (spec.type) {
    case ParameterType::kDouble:
      break;
    case ParameterType::kInteger:
      return static_cast<std::int64_t>(spec.min_value) + level;
    case ParameterType::kCategorical:
      return spec.categorical_values[index];
    case ParameterType::kDiscrete:
      return spec.discrete_values[index];
  }
  return spec.min_value;
}

std::int64_t LevelOfValue(const ParameterSpec& spec,
                          const ParameterValue& value) {
  switch (spec.type) {
    case ParameterType::kDouble:
      break;
    case ParameterType::kInteger:
      return std::get<std::int64_t>(value) -
             static_cast<std::int64_t>(spec.min_value);
    case ParameterType::kCategorical:
      return std::find(spec.categorical_values.begin(),
                       spec.categorical_values.end(),
                       std::get<std::string>(value)) -
             spec.categorical_values.begin();
    case ParameterType::kDiscrete:
      return std::lower_bound(spec.discrete_values.begin(),
                              spec.discrete_values.end(),
                              std::get<double>(value)) -
             spec.discrete_values.begin();
  }
  return 0;
}

}  // namespace

FiniteSpace::FiniteSpace(const std::vector<ParameterSpec>& space)
    : space_(&space) {
  for (const ParameterSpec& spec : space) {
    levels_.push_back(CountLevels(spec));
    if (__builtin_mul_overflow(size_, levels_.back(), &size_)) {
      size_ = kSaturated;
    }
  }
}

std::optional<FiniteSpace> FiniteSpace::Create(
    const std::vector<ParameterSpec>& space) {
  FiniteSpace finite(space);
  for (const std::int64_t levels : finite.levels_) {
    if (levels == 0) return std::nullopt;
  }
  return finite;
}

Parameters FiniteSpace::At(std::int64_t index) const {
  VERNIER_CHECK(index >= 0 && index < size_);
  Parameters parameters(space_->size());
  for (std::size_t i = space_->size(); i-- > 0;) {
    const ParameterSpec& spec = (*space_)[i];
    parameters[i] = {spec.name, ValueAtLevel(spec, index % levels_[i])};
    index /= levels_[i];
  }
  return parameters;
}

std::optional<std::int64_t> FiniteSpace::IndexOf(
    const Parameters& parameters) const {
  std::int64_t index = 0;
  for (std::size_t i = 0; i < space_->size(); ++i) {
    const std::int64_t level = LevelOfValue((*space_)[i], parameters[i].value);
    if (__builtin_mul_overflow(index, levels_[i], &index) ||
        __builtin_add_overflow(index, level, &index)) {
      return std::nullopt;
    }
  }
  return index;
}

UntriedConfigurations::UntriedConfigurations(FiniteSpace space)
    : space_(std::move(space)),
      tried_(static_cast<std::size_t>(space_.size()), false),
      num_untried_(space_.size()) {}

std::optional<UntriedConfigurations> UntriedConfigurations::Create(
    const std::vector<ParameterSpec>& space) {
  std::optional<FiniteSpace> finite = FiniteSpace::Create(space);
  if (!finite.has_value() || finite->size() > kMaxEnumeratedConfigurations) {
    return std::nullopt;
  }
  return UntriedConfigurations(*std::move(finite));
}

void UntriedConfigurations::MarkTried(const Parameters& parameters) {
  const auto index = static_cast<std::size_t>(*space_.IndexOf(parameters));
  if (tried_[index]) return;
  tried_[index] = true;
  --num_untried_;
}

bool UntriedConfigurations::IsTried(const Parameters& parameters) const {
  return tried_[static_cast<std::size_t>(*space_.IndexOf(parameters))];
}

std::vector<std::int64_t> UntriedConfigurations::Indices() const {
  std::vector<std::int64_t> indices;
  indices.reserve(static_cast<std::size_t>(num_untried_));
  for (std::size_t i = 0; i < tried_.size(); ++i) {
    if (!tried_[i]) indices.push_back(static_cast<std::int64_t>(i));
  }
  return indices;
}

Parameters UntriedConfigurations::Draw(std::mt19937_64& rng) const {
  VERNIER_CHECK(!empty());
  const std::vector<std::int64_t> indices = Indices();
  return space_.At(indices[UniformInt(rng, indices.size())]);
}

}  // namespace vernier
