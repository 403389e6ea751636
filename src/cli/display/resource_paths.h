#ifndef VERNIER_CLI_DISPLAY_RESOURCE_PATHS_H_
#define VERNIER_CLI_DISPLAY_RESOURCE_PATHS_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/display/value_projection.h"
#include "client/job_client.h"
#include "faces/logging/resource_fields.h"

namespace vernier {

/// The names of a search space, which are requested only when needed.
using ParameterNames =
    std::function<absl::StatusOr<std::vector<std::string>>()>;

/// Allows the fields in the API's description of `resource`, and below an
/// object of parameters the names in `names` (null: any name).
PathCheck PathsOf(Resource resource, ParameterNames names = nullptr);

/// The names of a job's or a study's search space, as the service reports them,
/// in its order. `client` must outlive the function.
ParameterNames ParameterNamesOf(JobClient& client, const std::string& study);

/// Those of the job in `job_json`, conditional ones after their parents, each
/// once.
absl::StatusOr<std::vector<std::string>> ParameterNamesIn(
    std::string_view job_json);

/// As PathsOf, for a job whose JSON is known.
PathCheck PathsOfJob(const std::string& job_json);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_RESOURCE_PATHS_H_
