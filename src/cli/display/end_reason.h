#ifndef VERNIER_CLI_DISPLAY_END_REASON_H_
#define VERNIER_CLI_DISPLAY_END_REASON_H_

#include <string>

namespace vernier {

/// Returns why a trial ended, in one line for a table: its cause, how its
/// program ended, and the last line that it printed, or the exception of a
/// Python program: "user error: exit status 1: ValueError: lr is too high". The
/// arguments are a trial's endCause and message. Empty for a trial without a
/// cause or with success. Pure.
std::string EndReason(const std::string& end_cause, const std::string& message);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_END_REASON_H_
