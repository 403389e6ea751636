#include "suggest/algorithms/grid_search_suggester.h"

#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "base/status_macros.h"
#include "suggest/algorithms/random_search_suggester.h"
#include "suggest/design/index_permutation.h"
#include "suggest/space/finite_space.h"
#include "suggest/space/space_membership.h"

namespace vernier {
namespace {

std::set<std::int64_t> TriedIndices(const FiniteSpace& grid,
                                    const StudyView& view) {
  std::set<std::int64_t> tried;
  const auto add = [&](const Parameters& parameters) {
    // Positions beyond 2^63 are never reached.
    if (const auto index = grid.IndexOf(parameters)) tried.insert(*index);
  };
  for (const Observation& observation : view.completed) {
    add(observation.parameters);
  }
  for (const Parameters& parameters : view.pending) add(parameters);
  for (const Parameters& parameters : view.given_up) add(parameters);
  return tried;
}

}  // namespace

absl::StatusOr<std::vector<Suggestion>> GridSearchSuggester::Suggest(
    const StudyView& view, int count) const {
  VERNIER_RETURN_IF_ERROR(CheckSuggestArguments(view, count));
  const std::optional<FiniteSpace> grid = FiniteSpace::Create(view.space);
  if (!grid.has_value()) {
    return absl::InvalidArgumentError(
        "a grid search needs INTEGER, CATEGORICAL or DISCRETE parameters only: "
        "a DOUBLE has no finite grid");
  }
  // A huge grid is not shuffled: a part of it would look like random draws, and
  // the positions that an integer can number are all in its first corner.
  if (order_ == GridOrder::kShuffled &&
      grid->size() == std::numeric_limits<std::int64_t>::max()) {
    return RandomSearchSuggester().Suggest(view, count);
  }
  const IndexPermutation shuffled(view.seed, grid->size());
  const auto index_at = [&](std::int64_t place) {
    return order_ == GridOrder::kShuffled ? shuffled.At(place) : place;
  };
  std::set<std::int64_t> tried = TriedIndices(*grid, view);
  std::vector<Suggestion> points;
  for (int k = 0; k < count; ++k) {
    if (static_cast<std::int64_t>(tried.size()) >= grid->size()) break;
    std::int64_t place = (view.trials_created + k) % grid->size();
    while (!tried.insert(index_at(place)).second) {
      place = (place + 1) % grid->size();
    }
    Suggestion suggestion{grid->At(index_at(place)), {}};
    suggestion.record.method = SuggestionMethod::kGrid;
    suggestion.record.num_completed = std::ssize(view.completed);
    suggestion.record.num_pending = std::ssize(view.pending) + k;
    points.push_back(std::move(suggestion));
  }
  if (points.empty()) {
    return absl::ResourceExhaustedError(
        "every configuration of the grid has been tried");
  }
  return points;
}

}  // namespace vernier
