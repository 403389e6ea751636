#ifndef VERNIER_STUDY_FOREIGN_FILES_VERTEX_FILE_H_
#define VERNIER_STUDY_FOREIGN_FILES_VERTEX_FILE_H_

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {

/// True if a document is a HyperparameterTuningJob of Vertex AI, in the API's
/// names or in those of its Python client (study_spec).
bool IsVertexFile(const ConfigNode* root);

/// Replaces the root of `tree`, such a job, by the job file that it means;
/// otherwise as ExpandDeterminedFile. Messages have the API's names.
bool ExpandVertexFile(ConfigTree& tree, SpecDiagnostics& diagnostics);

}  // namespace vernier

#endif  // VERNIER_STUDY_FOREIGN_FILES_VERTEX_FILE_H_
