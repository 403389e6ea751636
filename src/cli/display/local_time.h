#ifndef VERNIER_CLI_DISPLAY_LOCAL_TIME_H_
#define VERNIER_CLI_DISPLAY_LOCAL_TIME_H_

#include <string>

#include "absl/time/time.h"

namespace vernier {

/// Returns the user's time zone: TZ's, else the machine's.
absl::TimeZone LocalZone();

/// Returns "2026-02-03 05:05:06 CET" for an RFC 3339 time, for people; other
/// texts are returned unchanged.
std::string LocalTime(const std::string& time);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_LOCAL_TIME_H_
