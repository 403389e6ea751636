#include "cli/imports/space_conditions.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

// More values of another parameter would be a coincidence, not a branch.
constexpr std::size_t kMostBranchValues = 100;

// The trials' values of one parameter; null where a trial does not have it.
using ValueColumn = std::vector<const ParameterValue*>;

std::vector<ValueColumn> ColumnsOf(const std::vector<Parameters>& trials,
                                   const std::vector<ParameterSpec>& space) {
  std::map<std::string, std::size_t> positions;
  for (std::size_t i = 0; i < space.size(); ++i) positions[space[i].name] = i;
  std::vector<ValueColumn> columns(space.size(),
                                   ValueColumn(trials.size(), nullptr));
  for (std::size_t t = 0; t < trials.size(); ++t) {
    for (const NamedValue& one : trials[t]) {
      const auto found = positions.find(one.name);
      if (found != positions.end()) columns[found->second][t] = &one.value;
    }
  }
  return columns;
}

std::size_t CountOf(const ValueColumn& column) {
  return column.size() - static_cast<std::size_t>(
                             std::count(column.begin(), column.end(), nullptr));
}

// Returns the values of `parent` with which, and only with which, `child` is
// there; nullopt if there are no such values.
std::optional<std::vector<ParameterValue>> BranchOf(const ValueColumn& parent,
                                                    const ValueColumn& child) {
  std::set<ParameterValue> with;
  for (std::size_t t = 0; t < child.size(); ++t) {
    if (child[t] == nullptr) continue;
    if (parent[t] == nullptr) return std::nullopt;
    with.insert(*parent[t]);
    if (with.size() > kMostBranchValues) return std::nullopt;
  }
  for (std::size_t t = 0; t < child.size(); ++t) {
    if (child[t] == nullptr && parent[t] != nullptr &&
        with.count(*parent[t]) != 0) {
      return std::nullopt;
    }
  }
  return std::vector<ParameterValue>(with.begin(), with.end());
}

struct Branch {
  std::size_t parent = 0;
  std::vector<ParameterValue> values;
};

// Parameters in the order of a search space: each behind its parent, depth
// first.
class SpaceOrder {
 public:
  SpaceOrder(const std::vector<ParameterSpec>& space,
             const std::vector<std::optional<Branch>>& branches,
             const std::vector<bool>& is_out)
      : space_(space), branches_(branches), is_out_(is_out) {}

  std::vector<ParameterSpec> Take() {
    for (std::size_t i = 0; i < space_.size(); ++i) {
      if (!is_out_[i] && !branches_[i].has_value()) Append(i, std::nullopt);
    }
    return std::move(ordered_);
  }

 private:
  // A child is in fewer trials than its parent, so this ends.
  void Append(std::size_t which,  // NOLINT(misc-no-recursion)
              std::optional<ParameterCondition> condition) {
    const std::size_t position = ordered_.size();
    ordered_.push_back(space_[which]);
    ordered_.back().condition = std::move(condition);
    for (std::size_t i = 0; i < space_.size(); ++i) {
      if (is_out_[i] || !branches_[i].has_value() ||
          branches_[i]->parent != which) {
        continue;
      }
      Append(i, ParameterCondition{position, branches_[i]->values});
    }
  }

  const std::vector<ParameterSpec>& space_;
  const std::vector<std::optional<Branch>>& branches_;
  const std::vector<bool>& is_out_;
  std::vector<ParameterSpec> ordered_;
};

// A parameter whose parent is left out has no place either.
void LeaveOutChildren(const std::vector<std::optional<Branch>>& branches,
                      std::vector<bool>* is_out) {
  bool has_changed = true;
  while (has_changed) {
    has_changed = false;
    for (std::size_t i = 0; i < branches.size(); ++i) {
      if ((*is_out)[i] || !branches[i].has_value()) continue;
      if (!(*is_out)[branches[i]->parent]) continue;
      (*is_out)[i] = true;
      has_changed = true;
    }
  }
}

}  // namespace

void InferConditions(const std::vector<Parameters>& complete,
                     std::vector<ParameterSpec>* space,
                     std::vector<std::string>* notes) {
  if (complete.empty()) return;
  const std::vector<ValueColumn> columns = ColumnsOf(complete, *space);
  std::vector<std::size_t> counts;
  counts.reserve(columns.size());
  for (const ValueColumn& column : columns) counts.push_back(CountOf(column));
  std::vector<std::optional<Branch>> branches(space->size());
  std::vector<bool> is_out(space->size(), false);
  for (std::size_t child = 0; child < space->size(); ++child) {
    if (counts[child] == complete.size()) continue;
    is_out[child] = true;
    if (counts[child] == 0) continue;
    for (std::size_t parent = 0; parent < space->size(); ++parent) {
      // No branch hangs on a number that may be anything.
      if ((*space)[parent].type == ParameterType::kDouble ||
          counts[parent] <= counts[child]) {
        continue;
      }
      auto values = BranchOf(columns[parent], columns[child]);
      if (!values.has_value()) continue;
      branches[child] = Branch{parent, *std::move(values)};
      is_out[child] = false;
      break;
    }
  }
  LeaveOutChildren(branches, &is_out);
  for (std::size_t i = 0; i < space->size(); ++i) {
    if (!is_out[i]) continue;
    notes->push_back(absl::StrCat(
        "parameter ", ShowText((*space)[i].name), " is in ", counts[i], " of ",
        complete.size(),
        " completed trials, and no other parameter says in which: it is no "
        "part of the search, and its values become attributes"));
  }
  *space = SpaceOrder(*space, branches, is_out).Take();
}

}  // namespace vernier
