#ifndef VERNIER_STUDY_FOREIGN_FILES_SAGEMAKER_FILE_H_
#define VERNIER_STUDY_FOREIGN_FILES_SAGEMAKER_FILE_H_

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {

/// True if a document is a request for a tuning job of SageMaker
/// (CreateHyperParameterTuningJob), or the HyperParameterTuningJobConfig of one
/// by itself.
bool IsSageMakerFile(const ConfigNode* root);

/// Replaces the root of `tree`, such a request, by the job file that it means;
/// otherwise as ExpandDeterminedFile.
bool ExpandSageMakerFile(ConfigTree& tree, SpecDiagnostics& diagnostics);

}  // namespace vernier

#endif  // VERNIER_STUDY_FOREIGN_FILES_SAGEMAKER_FILE_H_
