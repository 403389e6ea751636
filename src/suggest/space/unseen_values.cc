#include "suggest/space/unseen_values.h"

#include <cstdint>

namespace vernier {
namespace {

// Each of so few values is met soon anyway.
constexpr std::int64_t kFewValues = 5;

bool HasMany(const Coordinate& coordinate) {
  return coordinate.kind == CoordinateKind::kCategorical &&
         coordinate.num_levels > kFewValues;
}

// Calls `visit` with each active coordinate that has many values, and its
// level.
template <typename Visit>
void VisitLevels(const SearchSpaceEncoding& encoding,
                 const Eigen::RowVectorXd& row, const Visit& visit) {
  const std::vector<bool> active = encoding.ActiveCoordinates(row);
  for (std::size_t c = 0; c < active.size(); ++c) {
    if (!active[c] || !HasMany(encoding.coordinates()[c])) continue;
    visit(c, static_cast<std::size_t>(encoding.Level(c, row)));
  }
}

}  // namespace

UnseenValues::UnseenValues(const StudyView& view,
                           const SearchSpaceEncoding& encoding)
    : encoding_(encoding) {
  for (const Coordinate& coordinate : encoding.coordinates()) {
    is_unseen_.emplace_back(
        HasMany(coordinate) ? static_cast<std::size_t>(coordinate.num_levels)
                            : 0,
        true);
    num_unseen_ += is_unseen_.back().size();
  }
  for (const Observation& result : view.completed) Add(result.parameters);
  for (const auto* list : {&view.given_up, &view.pending}) {
    for (const Parameters& parameters : *list) Add(parameters);
  }
}

void UnseenValues::Add(const Parameters& parameters) {
  if (is_empty()) return;
  VisitLevels(encoding_, encoding_.Encode(parameters),
              [this](std::size_t c, std::size_t level) {
                if (is_unseen_[c][level]) --num_unseen_;
                is_unseen_[c][level] = false;
              });
}

bool UnseenValues::IsIn(const Eigen::RowVectorXd& row) const {
  bool is_in = false;
  VisitLevels(encoding_, row, [&](std::size_t c, std::size_t level) {
    is_in = is_in || is_unseen_[c][level];
  });
  return is_in;
}

}  // namespace vernier
