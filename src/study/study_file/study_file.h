#ifndef VERNIER_STUDY_STUDY_FILE_STUDY_FILE_H_
#define VERNIER_STUDY_STUDY_FILE_STUDY_FILE_H_

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {

/// True if a document is a study file (docs/study-file.md): a job in our own
/// words, unlike job files, which use AI Platform's. The shape decides: it has
/// none of a job file's fields, and has `run`, or `parameters` without a word
/// that only other tools' files have, or nothing but a study file's words.
bool IsStudyFile(const ConfigNode* root);

/// Replaces the root of `tree`, a study file, by the job file that it means.
/// All values keep their positions, and from here on `diagnostics` names fields
/// by the words of the study file. Returns false if it cannot; `diagnostics`
/// then has the reason. Errors that a job file can have, too, are left to its
/// reader.
bool ExpandStudyFile(ConfigTree& tree, SpecDiagnostics& diagnostics);

}  // namespace vernier

#endif  // VERNIER_STUDY_STUDY_FILE_STUDY_FILE_H_
