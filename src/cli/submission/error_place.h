#ifndef VERNIER_CLI_SUBMISSION_ERROR_PLACE_H_
#define VERNIER_CLI_SUBMISSION_ERROR_PLACE_H_

#include "absl/status/status.h"
#include "study/job_file/job_document.h"

namespace vernier {

/// Adds the place of a field in the job's file, "job.yaml:3:15: ", to an error
/// of the service about that field, "trainingInput.masterType: ...", in the
/// form of the parser's own errors. The error is returned unchanged if its
/// message does not begin with a field that the file has, or does not show the
/// file's value (a flag may have replaced it), and for standard input, which
/// nobody can open at a line. Pure.
absl::Status WithPlaceInFile(const absl::Status& status,
                             const JobDocument& document);

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_ERROR_PLACE_H_
