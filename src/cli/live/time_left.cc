#include "cli/live/time_left.h"

#include "cli/display/duration_text.h"

namespace vernier {

std::optional<std::chrono::seconds> ReadTimeLeft(const Json& section) {
  const auto left = ParseDuration(section.value("timeLeft", ""));
  if (!left.ok()) return std::nullopt;
  return *left;
}

}  // namespace vernier
