#ifndef VERNIER_CLI_SUBMISSION_ERROR_PLACE_H_
#define VERNIER_CLI_SUBMISSION_ERROR_PLACE_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace vernier {

/// Puts the place in the job file before an error of the service about a field,
/// such as "trainingInput.masterType: ...", in the form of the parser's errors:
/// "job.yaml:3:15: ". The error stays unchanged if it does not begin with a
/// field of the file, or does not show the file's value, because a flag may
/// have replaced it. `text` is the file's. Pure.
absl::Status WithPlace(const absl::Status& status, std::string_view text,
                       const std::string& file_name);

/// As above, for the file at `path`, which is read again. Standard input cannot
/// be.
absl::Status WithPlaceInFile(const absl::Status& status,
                             const std::string& path);

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_ERROR_PLACE_H_
