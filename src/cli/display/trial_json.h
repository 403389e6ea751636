#ifndef VERNIER_CLI_DISPLAY_TRIAL_JSON_H_
#define VERNIER_CLI_DISPLAY_TRIAL_JSON_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vernier {

/// Returns a trial's JSON with `parameters` as programs want them: in the order
/// of the search space, numbers of INTEGER parameters without a fraction and
/// numbers of DOUBLE ones with it. INVALID_ARGUMENT if it is not a JSON object.
absl::StatusOr<std::string> TypedTrial(std::string_view trial);

/// Returns the list in an answer {"trials": [...]}, each trial as TypedTrial.
/// Such an answer leaves an empty list out.
absl::StatusOr<std::string> TypedTrials(std::string_view answer);

/// Returns the list in the answer of ListMeasurements. A measurement without a
/// time has no reportTime, although the answer gives it the beginning of 1970.
/// INVALID_ARGUMENT if it is not such an answer.
absl::StatusOr<std::string> MeasurementsIn(std::string_view answer);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_TRIAL_JSON_H_
