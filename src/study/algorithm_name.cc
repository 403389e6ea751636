#include "study/algorithm_name.h"

namespace vernier {

const char* AlgorithmName(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::kDefault:
      return "DEFAULT";
    case Algorithm::kGridSearch:
      return "GRID_SEARCH";
    case Algorithm::kRandomSearch:
      return "RANDOM_SEARCH";
    case Algorithm::kQuasiRandomSearch:
      return "QUASI_RANDOM_SEARCH";
    case Algorithm::kShuffledGridSearch:
      return "SHUFFLED_GRID_SEARCH";
  }
  return "";
}

}  // namespace vernier
