#ifndef VERNIER_STUDY_KATIB_FILE_KATIB_TRIAL_TEMPLATE_H_
#define VERNIER_STUDY_KATIB_FILE_KATIB_TRIAL_TEMPLATE_H_

#include "study/foreign_files/foreign_node.h"

namespace vernier {

/// Puts `spec.trialTemplate` of an Experiment into its job: the primary
/// container's image, command, arguments, variables and resources, and of its
/// pod what vernier.kubernetes has. `${trialParameters.NAME}` becomes the place
/// of the parameter, {PARAMETER}. Fields without a counterpart are left out
/// with a note.
void PutKatibTrialTemplate(const ForeignNode& trial_template);

}  // namespace vernier

#endif  // VERNIER_STUDY_KATIB_FILE_KATIB_TRIAL_TEMPLATE_H_
