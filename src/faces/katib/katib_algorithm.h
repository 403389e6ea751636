#ifndef VERNIER_FACES_KATIB_KATIB_ALGORITHM_H_
#define VERNIER_FACES_KATIB_KATIB_ALGORITHM_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "faces/katib/katib_space.h"
#include "study/job_spec.h"

namespace vernier {

/// What an experiment says about how to search.
struct KatibSearch {
  Algorithm algorithm = Algorithm::kDefault;
  /// The experiment's `random_state`; without one it follows from its name.
  std::uint64_t seed = 0;
};

/// Reads the algorithm of an experiment. Katib's names for random, grid and
/// Sobol' search are these; those of model-based searches, and "vernier", are
/// ours. Settings of Katib's own algorithms are checked but have no effect,
/// except `random_state`.
///
/// INVALID_ARGUMENT with Katib's messages: unknown names, and values out of
/// range.
absl::StatusOr<KatibSearch> ReadKatibSearch(
    const katib::Experiment& experiment);

/// OK if GetSuggestions can serve the whole experiment; otherwise
/// INVALID_ARGUMENT as above and as KatibSpace::Read, also if a grid has fewer
/// configurations than the experiment wants trials. Nobody can tell the
/// controller later that nothing is left.
absl::Status CheckKatibExperiment(const katib::Experiment& experiment);

/// INVALID_ARGUMENT about a setting whose value is no whole number, in Katib's
/// words.
absl::Status NotWholeKatibSetting(std::string_view name,
                                  std::string_view value);

}  // namespace vernier

#endif  // VERNIER_FACES_KATIB_KATIB_ALGORITHM_H_
