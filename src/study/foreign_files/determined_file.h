#ifndef VERNIER_STUDY_FOREIGN_FILES_DETERMINED_FILE_H_
#define VERNIER_STUDY_FOREIGN_FILES_DETERMINED_FILE_H_

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {

/// True if a document is an experiment of Determined: it has `searcher`, a
/// mapping with a name.
bool IsDeterminedFile(const ConfigNode* root);

/// Replaces the root of `tree`, such an experiment, by the job file that it
/// means (docs/from-determined.md). All values keep their positions, and from
/// here on `diagnostics` names the experiment's fields. What has no effect here
/// is left out with a reason; without what the search would be another one is
/// an error. Returns false if there are errors; those that a job file can have,
/// too, are left to its reader.
bool ExpandDeterminedFile(ConfigTree& tree, SpecDiagnostics& diagnostics);

}  // namespace vernier

#endif  // VERNIER_STUDY_FOREIGN_FILES_DETERMINED_FILE_H_
