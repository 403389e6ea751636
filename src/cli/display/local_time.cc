#include "cli/display/local_time.h"

#include "base/timestamp_text.h"

namespace vernier {

absl::TimeZone LocalZone() { return absl::LocalTimeZone(); }

std::string LocalTime(const std::string& time) {
  const auto instant = ParseTimestamp(time);
  return instant.has_value() ? TimeInZone(*instant, LocalZone()) : time;
}

}  // namespace vernier
