#ifndef VERNIER_TRIALS_SUBMISSION_SUBMITTED_FOLDERS_H_
#define VERNIER_TRIALS_SUBMISSION_SUBMITTED_FOLDERS_H_

#include "absl/status/status.h"
#include "study/job_spec.h"
#include "trials/submission/job_files.h"

namespace vernier {

/// Returns INVALID_ARGUMENT, naming the field, for a relative codeDir or
/// jobDir, because a call has no working directory. Also for an image whose
/// name would be an option, and for a parameter with the name of the flag that
/// passes jobDir to the program. Pure.
absl::Status CheckFolderNames(const JobSpec& spec);

/// Checks the same as CheckFolderNames, and that codeDir is a folder that a job
/// may have, and that programs could make and write a local jobDir. Leaves
/// nothing behind.
absl::Status CheckFolders(const JobSpec& spec, JobFiles& files);

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_SUBMITTED_FOLDERS_H_
