#ifndef VERNIER_STUDY_UNKNOWN_METRIC_H_
#define VERNIER_STUDY_UNKNOWN_METRIC_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace vernier {

/// Returns INVALID_ARGUMENT: `owner`, such as "the study", has no such metric,
/// but the first ten of `known`; and which of them may be meant. Pure.
absl::Status UnknownMetricError(const std::string& owner,
                                std::string_view metric,
                                const std::vector<std::string>& known);

}  // namespace vernier

#endif  // VERNIER_STUDY_UNKNOWN_METRIC_H_
