#ifndef VERNIER_STUDY_KATIB_FILE_KATIB_PARAMETERS_H_
#define VERNIER_STUDY_KATIB_FILE_KATIB_PARAMETERS_H_

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"
#include "study/study_file/job_tree.h"

namespace vernier {

/// Puts `spec.parameters` of an Experiment into `job`. Steps become lists of
/// values. Fields that have no counterpart are noted in `diagnostics`.
void PutKatibParameters(const ConfigNode& parameters, JobTree* job,
                        SpecDiagnostics* diagnostics);

}  // namespace vernier

#endif  // VERNIER_STUDY_KATIB_FILE_KATIB_PARAMETERS_H_
