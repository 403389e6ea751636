#ifndef VERNIER_STUDY_KATIB_FILE_KATIB_TRIAL_TEMPLATE_H_
#define VERNIER_STUDY_KATIB_FILE_KATIB_TRIAL_TEMPLATE_H_

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"
#include "study/study_file/job_tree.h"

namespace vernier {

/// Puts `spec.trialTemplate` of an Experiment into `job`: the primary
/// container's image, command, arguments, variables and resources, and of its
/// pod what vernier.kubernetes has. `${trialParameters.NAME}` becomes the place
/// of the parameter, {PARAMETER}. Fields without a counterpart are noted
/// in `diagnostics`.
void PutKatibTrialTemplate(const ConfigNode& trial_template, JobTree* job,
                           SpecDiagnostics* diagnostics);

}  // namespace vernier

#endif  // VERNIER_STUDY_KATIB_FILE_KATIB_TRIAL_TEMPLATE_H_
