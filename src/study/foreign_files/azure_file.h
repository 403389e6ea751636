#ifndef VERNIER_STUDY_FOREIGN_FILES_AZURE_FILE_H_
#define VERNIER_STUDY_FOREIGN_FILES_AZURE_FILE_H_

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {

/// True if a document is a sweep of Azure ML: `type: sweep` with a
/// `search_space`.
bool IsAzureFile(const ConfigNode* root);

/// Replaces the root of `tree`, such a sweep, by the job file that it means;
/// otherwise as ExpandDeterminedFile.
bool ExpandAzureFile(ConfigTree& tree, SpecDiagnostics& diagnostics);

}  // namespace vernier

#endif  // VERNIER_STUDY_FOREIGN_FILES_AZURE_FILE_H_
