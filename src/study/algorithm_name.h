#ifndef VERNIER_STUDY_ALGORITHM_NAME_H_
#define VERNIER_STUDY_ALGORITHM_NAME_H_

#include "study/job_spec.h"

namespace vernier {

/// Stable upper-case name such as "RANDOM_SEARCH"; stored with trials.
const char* AlgorithmName(Algorithm algorithm);

}  // namespace vernier

#endif  // VERNIER_STUDY_ALGORITHM_NAME_H_
