#ifndef VERNIER_STUDY_KATIB_FILE_KATIB_TRIAL_TEMPLATE_H_
#define VERNIER_STUDY_KATIB_FILE_KATIB_TRIAL_TEMPLATE_H_

#include <string>
#include <vector>

#include "study/config/config_tree.h"
#include "study/study_file/job_tree.h"

namespace vernier {

/// Puts `spec.trialTemplate` of an Experiment into `job`: the primary
/// container's image, command, arguments, variables and resources, and of its
/// pod what vernier.kubernetes has. `${trialParameters.NAME}` becomes the place
/// of the parameter, {PARAMETER}. Returns the fields without a counterpart.
std::vector<std::string> PutKatibTrialTemplate(const ConfigNode& trial_template,
                                               JobTree* job);

}  // namespace vernier

#endif  // VERNIER_STUDY_KATIB_FILE_KATIB_TRIAL_TEMPLATE_H_
