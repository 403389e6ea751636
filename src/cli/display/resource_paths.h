#ifndef VERNIER_CLI_DISPLAY_RESOURCE_PATHS_H_
#define VERNIER_CLI_DISPLAY_RESOURCE_PATHS_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/display/value_projection.h"
#include "faces/logging/resource_fields.h"

namespace vernier {

class ClientConnection;

/// Returns the names of a search space; called only when they are needed.
using ParameterNames =
    std::function<absl::StatusOr<std::vector<std::string>>()>;

/// Allows the fields in the API's description of `resource`, and below an
/// object of parameters the names in `names` (null: any name).
PathCheck PathsOf(Resource resource, ParameterNames names = nullptr);

/// Returns the names of a job's or a study's search space, as the service
/// reports them, in its order. `client` must outlive the function.
ParameterNames ParameterNamesOf(const ClientConnection& client,
                                const std::string& study);

/// Returns the parameter names of the job in `job_json`, conditional ones after
/// their parents, without duplicates.
absl::StatusOr<std::vector<std::string>> ParameterNamesIn(
    std::string_view job_json);

/// Returns the metrics of the study in `study_json` and those that its
/// constraints name: the objective first, without duplicates.
absl::StatusOr<std::vector<std::string>> MetricNamesIn(
    std::string_view study_json);

/// As PathsOf, for a job whose JSON is known.
PathCheck PathsOfJob(const std::string& job_json);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_RESOURCE_PATHS_H_
