#ifndef VERNIER_CLI_SUBMISSION_POINT_FLAGS_H_
#define VERNIER_CLI_SUBMISSION_POINT_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

/// Returns the point of `--param NAME=VALUE` flags as a JSON list of one
/// object. Values are texts, which the service parses by the parameter's type.
/// The value is everything after the first '='. INVALID_ARGUMENT if a name is
/// missing or given twice, or if there are no flags.
absl::StatusOr<std::string> PointsFromFlags(
    const std::vector<std::string>& params);

/// Returns the points of a file's text, a JSON object or a list of them, as a
/// JSON list. `file_name` is for messages.
absl::StatusOr<std::string> PointsFromFile(const std::string& text,
                                           const std::string& file_name);

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_POINT_FLAGS_H_
