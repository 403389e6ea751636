#ifndef VERNIER_CLI_SUBMISSION_POINT_FLAGS_H_
#define VERNIER_CLI_SUBMISSION_POINT_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

/// The point of `--param NAME=VALUE` flags as a JSON list of one object; values
/// are texts, which the service reads by the parameter's type. What follows the
/// first '=' is the value. INVALID_ARGUMENT without a name, for a name that is
/// given twice, and for none at all.
absl::StatusOr<std::string> PointsFromFlags(
    const std::vector<std::string>& params);

/// The points of a file's text, a JSON object or a list of them, as a JSON
/// list. `file_name` is for messages.
absl::StatusOr<std::string> PointsFromFile(const std::string& text,
                                           const std::string& file_name);

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_POINT_FLAGS_H_
