#include "suggest/algorithms/quasi_random_suggester.h"

#include <cstdint>

#include "suggest/algorithms/suggestion_loop.h"
#include "suggest/design/initial_design.h"

namespace vernier {

absl::StatusOr<std::vector<Suggestion>> QuasiRandomSuggester::Suggest(
    const StudyView& view, int count) const {
  VERNIER_RETURN_IF_ERROR(CheckSuggestArguments(view, count));
  const SearchSpaceEncoding encoding(view.space);
  return SuggestOneByOne(
      view, encoding, count,
      [&](std::int64_t trial, const TriedPoints& tried,
          std::mt19937_64& rng) -> absl::StatusOr<Suggestion> {
        return SobolPoint(view, encoding, trial, tried,
                          SuggestionMethod::kQuasiRandom, rng);
      });
}

}  // namespace vernier
