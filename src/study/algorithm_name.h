#ifndef VERNIER_STUDY_ALGORITHM_NAME_H_
#define VERNIER_STUDY_ALGORITHM_NAME_H_

#include "study/job_spec.h"

namespace vernier {

/// Stable upper-case name such as "RANDOM_SEARCH"; stored with trials.
const char* AlgorithmName(Algorithm algorithm);

/// Whether it wants a space without DOUBLEs.
inline bool IsGrid(Algorithm algorithm) {
  return algorithm == Algorithm::kGridSearch ||
         algorithm == Algorithm::kShuffledGridSearch;
}

}  // namespace vernier

#endif  // VERNIER_STUDY_ALGORITHM_NAME_H_
