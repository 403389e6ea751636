#ifndef VERNIER_CLI_SUBMISSION_ERROR_PLACE_H_
#define VERNIER_CLI_SUBMISSION_ERROR_PLACE_H_

#include "absl/status/status.h"
#include "study/job_file/job_document.h"

namespace vernier {

/// An error of the service about a job, "trainingInput.masterType: ...", with
/// the place of that field in the job's file before it, as the parser's errors
/// have it: "job.yaml:3:15: ". As it is if the message does not begin with a
/// field that the file has, or does not show the file's value: a flag may have
/// replaced it. As it is for standard input, too, which nobody can open at a
/// line. Pure.
absl::Status WithPlaceInFile(const absl::Status& status,
                             const JobDocument& document);

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_ERROR_PLACE_H_
