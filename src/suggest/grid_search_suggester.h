#ifndef VERNIER_SUGGEST_GRID_SEARCH_SUGGESTER_H_
#define VERNIER_SUGGEST_GRID_SEARCH_SUGGESTER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "suggest/suggester.h"

namespace vernier {

/// GRID_SEARCH: every configuration once, in the order of nested loops with
/// the last parameter innermost.
///
/// Trial t starts its search at configuration t - 1 and takes the first that
/// is neither completed nor pending, going round at the end; so a resumed
/// study skips what the earlier one measured, and what was lost with a machine
/// comes back at last. INVALID_ARGUMENT if a DOUBLE can vary.
class GridSearchSuggester final : public Suggester {
 public:
  absl::StatusOr<std::vector<Suggestion>> Suggest(const StudyView& view,
                                                  int count) const override;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GRID_SEARCH_SUGGESTER_H_
