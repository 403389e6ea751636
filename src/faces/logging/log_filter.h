#ifndef VERNIER_FACES_LOGGING_LOG_FILTER_H_
#define VERNIER_FACES_LOGGING_LOG_FILTER_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "faces/logging/log_entries.h"
#include "trials/filters/filter_expression.h"

namespace vernier {

/// Parses a filter of Cloud Logging; severities are compared by rank. Errors:
/// those of FilterExpression::Parse. Pure.
absl::StatusOr<FilterExpression> ParseLogFilter(std::string_view text);

/// True if an entry matches the filter. Pure.
bool Fits(const FilterExpression& filter, const LogEntry& entry);

}  // namespace vernier

#endif  // VERNIER_FACES_LOGGING_LOG_FILTER_H_
