#ifndef VERNIER_STUDY_KATIB_FILE_KATIB_PARAMETERS_H_
#define VERNIER_STUDY_KATIB_FILE_KATIB_PARAMETERS_H_

#include "study/foreign_files/foreign_node.h"

namespace vernier {

/// Puts `spec.parameters` of an Experiment into its job. Steps become lists of
/// values. Fields that have no counterpart are left out with a note.
void PutKatibParameters(const ForeignNode& parameters);

}  // namespace vernier

#endif  // VERNIER_STUDY_KATIB_FILE_KATIB_PARAMETERS_H_
