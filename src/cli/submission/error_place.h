#ifndef VERNIER_CLI_SUBMISSION_ERROR_PLACE_H_
#define VERNIER_CLI_SUBMISSION_ERROR_PLACE_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace vernier {

/// An error of the service about a job, "trainingInput.masterType: ...", with
/// the place of that field in the job file before it, as the parser's errors
/// have it: "job.yaml:3:15: ". As it is if the message does not begin with a
/// field that the file has, or does not show the file's value: a flag may have
/// replaced it. `text` is the file's. Pure.
absl::Status WithPlace(const absl::Status& status, std::string_view text,
                       const std::string& file_name);

/// Likewise, with the file at `path`, which is read again. Standard input
/// cannot be.
absl::Status WithPlaceInFile(const absl::Status& status,
                             const std::string& path);

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_ERROR_PLACE_H_
