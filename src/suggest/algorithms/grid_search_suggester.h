#ifndef VERNIER_SUGGEST_ALGORITHMS_GRID_SEARCH_SUGGESTER_H_
#define VERNIER_SUGGEST_ALGORITHMS_GRID_SEARCH_SUGGESTER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "suggest/algorithms/suggester.h"

namespace vernier {

enum class GridOrder {
  kNested,    ///< Of nested loops, with the last parameter innermost.
  kShuffled,  ///< Any, and the seed decides which.
};

/// GRID_SEARCH and SHUFFLED_GRID_SEARCH: every configuration once.
///
/// Trial t starts its search at place t - 1 of the order and takes the first
/// that is neither completed nor pending, going round at the end; so a resumed
/// study skips what the earlier one measured, and what was lost with a machine
/// comes back at last. INVALID_ARGUMENT if a DOUBLE can vary.
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
