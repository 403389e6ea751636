#ifndef VERNIER_STUDY_ALGORITHM_NAME_H_
#define VERNIER_STUDY_ALGORITHM_NAME_H_

#include <optional>
#include <string_view>

#include "study/job_spec.h"

namespace vernier {

/// The names of an algorithm.
struct AlgorithmNames {
  const char* name;  ///< Ours. Stored: never to be changed.
  Algorithm value;
  /// Its name in AI Platform's HyperparameterSpec; empty: AI Platform does not
  /// have it.
  std::string_view ai_platform_name;
};

/// The whole table; every reader and writer of a name uses it.
inline constexpr AlgorithmNames kAlgorithmNames[] = {
    {"DEFAULT", Algorithm::kDefault, "ALGORITHM_UNSPECIFIED"},
    {"GRID_SEARCH", Algorithm::kGridSearch, "GRID_SEARCH"},
    {"RANDOM_SEARCH", Algorithm::kRandomSearch, "RANDOM_SEARCH"},
    {"QUASI_RANDOM_SEARCH", Algorithm::kQuasiRandomSearch, ""},
    {"SHUFFLED_GRID_SEARCH", Algorithm::kShuffledGridSearch, ""},
};

/// Stable upper-case name such as "RANDOM_SEARCH"; stored with trials.
const char* AlgorithmName(Algorithm algorithm);

/// Returns the algorithm with this name, ours or AI Platform's; nullopt if
/// there is none.
std::optional<Algorithm> AlgorithmNamed(std::string_view name);

/// True if the algorithm needs a space without DOUBLEs.
inline bool IsGrid(Algorithm algorithm) {
  return algorithm == Algorithm::kGridSearch ||
         algorithm == Algorithm::kShuffledGridSearch;
}

}  // namespace vernier

#endif  // VERNIER_STUDY_ALGORITHM_NAME_H_
