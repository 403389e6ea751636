#ifndef VERNIER_SUGGEST_ALGORITHMS_QUASI_RANDOM_SUGGESTER_H_
#define VERNIER_SUGGEST_ALGORITHMS_QUASI_RANDOM_SUGGESTER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "suggest/algorithms/suggester.h"

namespace vernier {

/// QUASI_RANDOM_SEARCH: trial t gets point t of an Owen-scrambled Sobol'
/// sequence, scrambled by the study's seed. If that point was tried before, as
/// can happen in a discrete space, the trial gets a random untried point.
class QuasiRandomSuggester final : public Suggester {
 public:
  absl::StatusOr<std::vector<Suggestion>> Suggest(const StudyView& view,
                                                  int count) const override;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_QUASI_RANDOM_SUGGESTER_H_
