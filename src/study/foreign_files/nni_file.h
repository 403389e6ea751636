#ifndef VERNIER_STUDY_FOREIGN_FILES_NNI_FILE_H_
#define VERNIER_STUDY_FOREIGN_FILES_NNI_FILE_H_

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {

/// True if a document is an experiment of NNI, of version 1 or later.
bool IsNniFile(const ConfigNode* root);

/// Returns the field that names the file with the search space of an
/// experiment; null if the search space is in the experiment itself.
const ConfigNode* NniSearchSpaceFile(const ConfigNode& root);

/// Replaces the root of `tree`, such an experiment, by the job file that it
/// means; otherwise as ExpandDeterminedFile. Its search space must be in it, as
/// `searchSpace`.
bool ExpandNniFile(ConfigTree& tree, SpecDiagnostics& diagnostics);

}  // namespace vernier

#endif  // VERNIER_STUDY_FOREIGN_FILES_NNI_FILE_H_
