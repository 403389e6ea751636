#ifndef VERNIER_TRIALS_SUBMISSION_SUBMITTED_FOLDERS_H_
#define VERNIER_TRIALS_SUBMISSION_SUBMITTED_FOLDERS_H_

#include "absl/status/status.h"
#include "study/job_spec.h"
#include "trials/submission/job_files.h"

namespace vernier {

/// INVALID_ARGUMENT, naming the field, for a codeDir or jobDir that is
/// relative: a call has no folder that it could be relative to; and for a
/// parameter of the name that the program is told its jobDir by. Pure.
absl::Status CheckFolderNames(const JobSpec& spec);

/// CheckFolderNames, and whether programs could make and write a local jobDir.
/// Leaves nothing behind.
absl::Status CheckFolders(const JobSpec& spec, JobFiles& files);

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_SUBMITTED_FOLDERS_H_
