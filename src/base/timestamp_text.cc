#include "base/timestamp_text.h"

#include <algorithm>
#include <cstddef>

#include "absl/time/time.h"

namespace vernier {
namespace {

constexpr std::size_t kLongest = 80;
constexpr std::size_t kDateLength = 10;  // "2026-02-03"

bool IsDateDigit(char c) { return c >= '0' && c <= '9'; }

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Returns whether the name is like "Europe/Berlin" or "Etc/GMT+1". The zone is
// read from a file of this name, so the text must not lead out of the folder of
// the zones.
bool IsPlaceName(std::string_view name) {
  return name.find('/') != std::string_view::npos && IsLetter(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return IsLetter(c) || IsDateDigit(c) || c == '/' || c == '_' ||
                  c == '-' || c == '+';
         });
}

// "+01:00", "-0130", "+2"; null for any other text.
std::optional<absl::TimeZone> OffsetZone(std::string_view text) {
  if (text.empty() || (text.front() != '+' && text.front() != '-')) {
    return std::nullopt;
  }
  const int sign = text.front() == '-' ? -1 : 1;
  std::string digits;
  for (const char c : text.substr(1)) {
    if (c == ':' && digits.size() == 2) continue;
    if (!IsDateDigit(c)) return std::nullopt;
    digits += c;
  }
  if (digits.size() == 1) digits.insert(0, 1, '0');
  if (digits.size() == 2) digits += "00";
  if (digits.size() != 4) return std::nullopt;
  const int hours = (digits[0] - '0') * 10 + (digits[1] - '0');
  const int minutes = (digits[2] - '0') * 10 + (digits[3] - '0');
  if (hours > 23 || minutes > 59) return std::nullopt;
  return absl::FixedTimeZone(sign * (hours * 60 + minutes) * 60);
}

std::optional<absl::TimeZone> NamedZone(std::string_view name) {
  for (const std::string_view utc : {"Z", "z", "UTC", "GMT"}) {
    if (name == utc) return absl::UTCTimeZone();
  }
  if (const auto offset = OffsetZone(name)) return offset;
  absl::TimeZone zone;
  if (!name.empty() && IsPlaceName(name) &&
      absl::LoadTimeZone(std::string(name), &zone)) {
    return zone;
  }
  return std::nullopt;
}

// Reads "2026-02-03" and "2026-02-03T04:05:06" as times in `zone`.
std::optional<absl::Time> ReadIn(const absl::TimeZone& zone,
                                 const std::string& text) {
  for (const char* format :
       {"%Y-%m-%dT%H:%M:%E*S", "%Y-%m-%dT%H:%M", "%Y-%m-%d"}) {
    absl::Time time;
    if (absl::ParseTime(format, text, zone, &time, nullptr)) return time;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Timestamp> ParseTimestamp(std::string_view text,
                                        const absl::TimeZone& otherwise) {
  if (text.size() < kDateLength || text.size() > kLongest ||
      !IsDateDigit(text.front())) {
    return std::nullopt;
  }
  std::string clock(text.substr(0, kDateLength));
  std::string_view rest = text.substr(kDateLength);
  const bool has_time = rest.size() > 1 && IsDateDigit(rest[1]) &&
                        (rest[0] == 'T' || rest[0] == 't' || rest[0] == ' ');
  if (has_time) {
    const std::size_t length =
        std::min(rest.find_first_not_of("0123456789:.", 1), rest.size());
    clock += 'T' + std::string(rest.substr(1, length - 1));
    rest.remove_prefix(length);
  }
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  const std::optional<absl::TimeZone> named =
      rest.empty() ? otherwise : NamedZone(rest);
  const auto time = ReadIn(named.value_or(otherwise), clock);
  if (!time.has_value()) return std::nullopt;
  if (!named.has_value() && absl::FormatTime("%Z", *time, otherwise) != rest) {
    return std::nullopt;
  }
  return Timestamp(std::chrono::microseconds(absl::ToUnixMicros(*time)));
}

std::string TimeInZone(Timestamp time, const absl::TimeZone& zone) {
  return absl::FormatTime("%Y-%m-%d %H:%M:%S %Z",
                          absl::FromUnixMicros(time.time_since_epoch().count()),
                          zone);
}

}  // namespace vernier
