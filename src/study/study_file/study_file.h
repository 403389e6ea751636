#ifndef VERNIER_STUDY_STUDY_FILE_STUDY_FILE_H_
#define VERNIER_STUDY_STUDY_FILE_STUDY_FILE_H_

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {

/// Whether a document is a study file (docs/study-file.md): a job in our own
/// words, beside the job files that have AI Platform's. It is one by its shape:
/// none of a job file's fields, and `run`, or `parameters` without a word that
/// only other tools' files have.
bool IsStudyFile(const ConfigNode* root);

/// Makes the root of `tree`, a study file, the job file that it means. All
/// values keep their places, and `diagnostics` calls fields by the words of the
/// study file from here on. Returns false if it cannot; `diagnostics` then says
/// why. What can be wrong in a job file, too, is left to its reader.
bool ExpandStudyFile(ConfigTree& tree, SpecDiagnostics& diagnostics);

}  // namespace vernier

#endif  // VERNIER_STUDY_STUDY_FILE_STUDY_FILE_H_
