#ifndef VERNIER_STUDY_KATIB_FILE_KATIB_FILE_H_
#define VERNIER_STUDY_KATIB_FILE_KATIB_FILE_H_

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {

/// True if a document is a Katib Experiment of kubeflow.org/v1beta1.
bool IsKatibFile(const ConfigNode* root);

/// Replaces the root of `tree`, such an Experiment, by the job file that it
/// means: its trial template, a Kubernetes Job, becomes the job's image and
/// vernier.kubernetes (docs/from-katib.md). All values keep their positions,
/// and from here on `diagnostics` names the Experiment's fields. Fields without
/// a counterpart become fields without effect; those without which the search
/// would be another one are errors. Returns false if there are errors; those
/// that a job file can have, too, are left to its reader.
bool ExpandKatibFile(ConfigTree& tree, SpecDiagnostics& diagnostics);

}  // namespace vernier

#endif  // VERNIER_STUDY_KATIB_FILE_KATIB_FILE_H_
