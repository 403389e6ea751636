#ifndef VERNIER_CLI_DISPLAY_DURATION_TEXT_H_
#define VERNIER_CLI_DISPLAY_DURATION_TEXT_H_

#include <chrono>
#include <string>

#include "absl/status/statusor.h"

namespace vernier {

/// Parses "90", "90s", "30m", "12h" or "7d". INVALID_ARGUMENT for anything
/// else, and for zero or less.
absl::StatusOr<std::chrono::seconds> ParseDuration(const std::string& text);

/// Returns "3s", "2m05s", "1h02m".
std::string FormatDuration(std::chrono::seconds duration);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_DURATION_TEXT_H_
