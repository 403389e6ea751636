#ifndef VERNIER_STUDY_KATIB_FILE_KATIB_PARAMETERS_H_
#define VERNIER_STUDY_KATIB_FILE_KATIB_PARAMETERS_H_

#include <string>
#include <vector>

#include "study/config/config_tree.h"
#include "study/study_file/job_tree.h"

namespace vernier {

/// Puts `spec.parameters` of an Experiment into `job`. Steps become lists of
/// values. Returns the fields that have no counterpart.
std::vector<std::string> PutKatibParameters(const ConfigNode& parameters,
                                            JobTree* job);

}  // namespace vernier

#endif  // VERNIER_STUDY_KATIB_FILE_KATIB_PARAMETERS_H_
