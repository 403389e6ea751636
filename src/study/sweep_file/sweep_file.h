#ifndef VERNIER_STUDY_SWEEP_FILE_SWEEP_FILE_H_
#define VERNIER_STUDY_SWEEP_FILE_SWEEP_FILE_H_

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {

/// True if a document is a sweep of Weights & Biases: it has `method`, which is
/// all that a sweep must have, and `parameters`, and no field of a job file.
bool IsSweepFile(const ConfigNode* root);

/// Replaces the root of `tree`, a sweep, by the job file that it means
/// (docs/from-wandb.md). All values keep their positions, and from here on
/// `diagnostics` names the sweep's fields. Fields without a counterpart become
/// fields without effect; those without which the search would be another one
/// are errors. Returns false if there are errors; those that a job file can
/// have, too, are left to its reader.
bool ExpandSweepFile(ConfigTree& tree, SpecDiagnostics& diagnostics);

}  // namespace vernier

#endif  // VERNIER_STUDY_SWEEP_FILE_SWEEP_FILE_H_
