#include "suggest/space/finite_space.h"

#include <iterator>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/rng.h"
#include "study/search_space.h"
#include "suggest/space/parameter_levels.h"

namespace vernier {
namespace {

constexpr std::int64_t kSaturated = std::numeric_limits<std::int64_t>::max();

void MultiplySaturating(std::int64_t factor, std::int64_t* product) {
  if (__builtin_mul_overflow(*product, factor, product)) *product = kSaturated;
}

void AddSaturating(std::int64_t term, std::int64_t* sum) {
  if (__builtin_add_overflow(*sum, term, sum)) *sum = kSaturated;
}

}  // namespace

FiniteSpace::FiniteSpace(const std::vector<ParameterSpec>& space)
    : space_(&space), nodes_(space.size()) {
  for (std::size_t i = 0; i < space.size(); ++i) {
    nodes_[i].num_levels = CountLevels(space[i]);
    const auto& condition = space[i].condition;
    if (!condition.has_value()) {
      roots_.push_back(i);
      continue;
    }
    const ParameterSpec& parent = space[condition->parent];
    for (const ParameterValue& value : condition->values) {
      nodes_[condition->parent]
          .branches[LevelOfValue(parent, value)]
          .children.push_back(i);
    }
  }
  for (std::size_t i = space.size(); i-- > 0;) {  // Children before parents.
    Node& node = nodes_[i];
    node.size = node.num_levels - std::ssize(node.branches);
    for (auto& [level, branch] : node.branches) {
      branch.size = SizeOf(branch.children);
      AddSaturating(branch.size, &node.size);
    }
  }
  size_ = SizeOf(roots_);
}

std::int64_t FiniteSpace::SizeOf(const std::vector<std::size_t>& list) const {
  std::int64_t size = 1;
  for (const std::size_t i : list) MultiplySaturating(nodes_[i].size, &size);
  return size;
}

std::optional<FiniteSpace> FiniteSpace::Create(
    const std::vector<ParameterSpec>& space) {
  FiniteSpace finite(space);
  for (const Node& node : finite.nodes_) {
    if (node.num_levels == 0) return std::nullopt;
  }
  return finite;
}

// Visits the parameters of `list` like nested loops: the first varies slowest.
void FiniteSpace::Fill(const std::vector<std::size_t>& list, std::int64_t index,
                       Parameters* parameters) const {
  std::vector<std::int64_t> digits(list.size());
  for (std::size_t k = list.size(); k-- > 0;) {
    const std::int64_t size = nodes_[list[k]].size;
    digits[k] = index % size;
    index /= size;
  }
  for (std::size_t k = 0; k < list.size(); ++k) {
    const Node& node = nodes_[list[k]];
    const ParameterSpec& spec = (*space_)[list[k]];
    // A level without children stands for one configuration, and a level with
    // children for as many as these have.
    std::int64_t level = digits[k];
    const Branch* taken = nullptr;
    std::int64_t within = 0;
    for (const auto& [branch_level, branch] : node.branches) {
      if (level < branch_level) break;
      if (level - branch_level < branch.size) {
        taken = &branch;
        within = level - branch_level;
        level = branch_level;
        break;
      }
      level -= branch.size - 1;
    }
    parameters->push_back({spec.name, ValueAtLevel(spec, level)});
    if (taken != nullptr) Fill(taken->children, within, parameters);
  }
}

Parameters FiniteSpace::At(std::int64_t index) const {
  VERNIER_CHECK(index >= 0 && index < size_);
  Parameters parameters;
  parameters.reserve(space_->size());
  Fill(roots_, index, &parameters);
  return parameters;
}

std::optional<std::int64_t> FiniteSpace::Find(
    const std::vector<std::size_t>& list,
    const std::vector<const ParameterValue*>& values) const {
  std::int64_t index = 0;
  for (const std::size_t i : list) {
    const Node& node = nodes_[i];
    const std::int64_t level = LevelOfValue((*space_)[i], *values[i]);
    std::int64_t digit = level;
    for (const auto& [branch_level, branch] : node.branches) {
      if (level < branch_level) break;
      if (level == branch_level) {
        const auto within = Find(branch.children, values);
        if (!within.has_value()) return std::nullopt;
        AddSaturating(*within, &digit);
        break;
      }
      AddSaturating(branch.size - 1, &digit);
    }
    if (digit == kSaturated ||
        __builtin_mul_overflow(index, node.size, &index) ||
        __builtin_add_overflow(index, digit, &index)) {
      return std::nullopt;
    }
  }
  return index;
}

std::optional<std::int64_t> FiniteSpace::IndexOf(
    const Parameters& parameters) const {
  return Find(roots_, ValuesBySpec(*space_, parameters));
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

void UntriedConfigurations::MarkTriedIf(
    const std::function<bool(const Parameters&)>& is_out) {
  for (std::size_t i = 0; i < tried_.size(); ++i) {
    if (tried_[i] || !is_out(space_.At(static_cast<std::int64_t>(i)))) continue;
    tried_[i] = true;
    --num_untried_;
  }
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
