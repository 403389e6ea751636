#ifndef VERNIER_STUDY_JOB_FILE_EARLY_STOPPING_SECTION_H_
#define VERNIER_STUDY_JOB_FILE_EARLY_STOPPING_SECTION_H_

#include "study/config/object_reader.h"
#include "study/job_spec.h"

namespace vernier {

/// Reads `earlyStopping`, a word or a mapping, `canResume`, `limits` and
/// `objective` of the vernier section. A mapping of options without a rule
/// stands for AUTO.
void ReadEarlyStopping(ObjectReader& section, VernierSection& vernier);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_EARLY_STOPPING_SECTION_H_
