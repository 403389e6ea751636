#ifndef VERNIER_SUGGEST_ALGORITHMS_GRID_SEARCH_SUGGESTER_H_
#define VERNIER_SUGGEST_ALGORITHMS_GRID_SEARCH_SUGGESTER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "suggest/algorithms/suggester.h"

namespace vernier {

enum class GridOrder {
  kNested,    ///< Nested loops, the last parameter innermost.
  kShuffled,  ///< An order that the seed decides.
};

/// GRID_SEARCH and SHUFFLED_GRID_SEARCH: every configuration once.
///
/// Trial t starts its search at position t - 1 and takes the first
/// configuration that is neither completed nor pending, starting over at the
/// end. So a resumed study skips what the earlier one measured, and
/// configurations whose trials were lost with a machine are tried again at the
/// end. INVALID_ARGUMENT if a DOUBLE can vary.
///
/// Configurations that violate the constraints between parameters are left out.
/// If a call would skip more than 200,000 of them, it draws an allowed one at
/// random.
class GridSearchSuggester final : public Suggester {
 public:
  explicit GridSearchSuggester(GridOrder order = GridOrder::kNested)
      : order_(order) {}

  absl::StatusOr<std::vector<Suggestion>> Suggest(const StudyView& view,
                                                  int count) const override;

 private:
  const GridOrder order_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_GRID_SEARCH_SUGGESTER_H_
