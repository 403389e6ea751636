#include "base/timestamp_text.h"

#include <string>

#include "absl/time/time.h"

namespace vernier {

std::optional<Timestamp> ParseTimestamp(std::string_view text) {
  const std::string copy(text);
  for (const char* format : {absl::RFC3339_full, "%Y-%m-%dT%H:%M:%E*S",
                             "%Y-%m-%dT%H:%M", "%Y-%m-%d"}) {
    absl::Time time;
    if (absl::ParseTime(format, copy, &time, nullptr)) {
      return Timestamp(std::chrono::microseconds(absl::ToUnixMicros(time)));
    }
  }
  return std::nullopt;
}

}  // namespace vernier
