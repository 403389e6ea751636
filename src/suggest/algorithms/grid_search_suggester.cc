#include "suggest/algorithms/grid_search_suggester.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "suggest/algorithms/random_search_suggester.h"
#include "suggest/design/index_permutation.h"
#include "suggest/space/feasible_region.h"
#include "suggest/space/finite_space.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/space_membership.h"

namespace vernier {
namespace {

// The largest number of configurations that one call skips because of the
// constraints: this takes some tenths of a second.
constexpr std::int64_t kMostPassed = 200'000;
constexpr int kMostDraws = 20;

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

// Returns an untried allowed configuration, drawn at random; nullopt: none was
// found.
std::optional<Parameters> DrawFromGrid(const StudyView& view,
                                       const FiniteSpace& grid, int k,
                                       std::set<std::int64_t>* tried) {
  const SearchSpaceEncoding encoding(view.space);
  const FeasibleRegion region(view.space, view.parameter_constraints, encoding);
  std::mt19937_64 rng = MakeRng(
      view.seed, static_cast<std::uint64_t>(view.trials_created + k + 1));
  for (int i = 0; i < kMostDraws; ++i) {
    const auto row = region.Draw(rng);
    if (!row.has_value()) break;
    Parameters parameters = encoding.Decode(*row);
    const auto index = grid.IndexOf(parameters);
    if (!index.has_value() || tried->insert(*index).second) return parameters;
  }
  return std::nullopt;
}

// Returns the k-th of the points that one call asks for.
Suggestion SuggestionOf(const StudyView& view, Parameters parameters, int k,
                        SuggestionMethod method) {
  Suggestion suggestion{std::move(parameters), {}};
  suggestion.record.method = method;
  suggestion.record.num_completed = std::ssize(view.completed);
  suggestion.record.num_pending = std::ssize(view.pending) + k;
  return suggestion;
}

// Returns the reason why a grid gave no point at all.
absl::Status NothingLeft(const StudyView& view, bool has_tried) {
  if (view.parameter_constraints.empty()) {
    return absl::ResourceExhaustedError(
        "every configuration of the grid has been tried");
  }
  if (has_tried) {
    return absl::ResourceExhaustedError(
        "every configuration of the grid that meets its constraints has been "
        "tried");
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "no configuration of the grid was found that meets the constraints "
      "between parameters: ",
      QuotedTexts(view.parameter_constraints)));
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
  // Configurations that violate the constraints are never tried, so the number
  // of trials is too small as a starting position. The first place after the
  // last tried one is used instead.
  const bool is_whole = view.parameter_constraints.empty();
  const std::int64_t behind_last =
      is_whole || order_ == GridOrder::kShuffled || tried.empty()
          ? 0
          : *tried.rbegin() + 1;
  const bool has_tried = !tried.empty();
  const auto is_allowed = [&](std::int64_t index) {
    return is_whole || FirstViolated(view.parameter_constraints,
                                     grid->At(index)) == nullptr;
  };
  std::vector<Suggestion> points;
  std::int64_t passed = 0;
  for (int k = 0; k < count; ++k) {
    std::int64_t place =
        std::max(view.trials_created + k, behind_last) % grid->size();
    std::optional<Parameters> parameters;
    while (!parameters.has_value() && passed < kMostPassed &&
           static_cast<std::int64_t>(tried.size()) < grid->size()) {
      const std::int64_t index = index_at(place);
      if (!tried.insert(index).second) {
        place = (place + 1) % grid->size();
      } else if (is_allowed(index)) {
        parameters = grid->At(index);
      } else {
        ++passed;
      }
    }
    const bool is_drawn =
        !parameters.has_value() &&
        static_cast<std::int64_t>(tried.size()) < grid->size();
    if (is_drawn) parameters = DrawFromGrid(view, *grid, k, &tried);
    if (!parameters.has_value()) break;
    points.push_back(SuggestionOf(
        view, *std::move(parameters), k,
        is_drawn ? SuggestionMethod::kUntried : SuggestionMethod::kGrid));
  }
  if (points.empty()) return NothingLeft(view, has_tried);
  return points;
}

}  // namespace vernier
