#include "cli/display/duration_text.h"

#include <charconv>
#include <cstdint>
#include <cstdio>

#include "absl/strings/str_cat.h"

namespace vernier {

absl::StatusOr<std::chrono::seconds> ParseDuration(const std::string& text) {
  constexpr std::int64_t kMost = 100LL * 365 * 24 * 3600;
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  const std::string unit(read.ptr, end);
  const std::int64_t factor = unit == "" || unit == "s" ? 1
                              : unit == "m"             ? 60
                              : unit == "h"             ? 3600
                              : unit == "d"             ? 86400
                                                        : 0;
  if (read.ec != std::errc() || factor == 0 || number <= 0 ||
      number > kMost / factor) {
    return absl::InvalidArgumentError(
        absl::StrCat("a duration must be like 90s, 30m, 12h or 7d, and > 0: \"",
                     text, "\""));
  }
  return std::chrono::seconds(number * factor);
}

std::string FormatDuration(std::chrono::seconds duration) {
  const auto seconds = static_cast<long long>(duration.count());
  char text[48];
  if (seconds < 60) {
    std::snprintf(text, sizeof(text), "%llds", seconds);
  } else if (seconds < 3600) {
    std::snprintf(text, sizeof(text), "%lldm%02llds", seconds / 60,
                  seconds % 60);
  } else {
    std::snprintf(text, sizeof(text), "%lldh%02lldm", seconds / 3600,
                  seconds / 60 % 60);
  }
  return text;
}

}  // namespace vernier
