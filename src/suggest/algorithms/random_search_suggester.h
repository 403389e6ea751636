#ifndef VERNIER_SUGGEST_ALGORITHMS_RANDOM_SEARCH_SUGGESTER_H_
#define VERNIER_SUGGEST_ALGORITHMS_RANDOM_SEARCH_SUGGESTER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "suggest/algorithms/suggester.h"

namespace vernier {

/// RANDOM_SEARCH: independent points, uniform on every parameter's scale, each
/// from its own stream. A point that was tried before is drawn again.
class RandomSearchSuggester final : public Suggester {
 public:
  absl::StatusOr<std::vector<Suggestion>> Suggest(const StudyView& view,
                                                  int count) const override;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_RANDOM_SEARCH_SUGGESTER_H_
