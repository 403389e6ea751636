#include "suggest/algorithms/random_search_suggester.h"

#include <cstdint>

#include "suggest/algorithms/suggestion_loop.h"

namespace vernier {

absl::StatusOr<std::vector<Suggestion>> RandomSearchSuggester::Suggest(
    const StudyView& view, int count) const {
  VERNIER_RETURN_IF_ERROR(CheckSuggestArguments(view, count));
  const SearchSpaceEncoding encoding(view.space);
  return SuggestOneByOne(
      view, encoding, count,
      [&](std::int64_t, const TriedPoints& tried,
          std::mt19937_64& rng) -> absl::StatusOr<Suggestion> {
        Eigen::RowVectorXd row =
            encoding.FromUnitCube(DrawUnitPoint(encoding, rng));
        if (!tried.untried().has_value() && !tried.region().Contains(row)) {
          row = tried.region().Draw(rng).value_or(row);
        }
        return tried.Resolve(row, SuggestionMethod::kRandom, rng);
      });
}

}  // namespace vernier
