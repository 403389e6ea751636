#include "study/words/duration_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

struct Unit {
  std::int64_t seconds;
  const char* name;
};
constexpr std::array<Unit, 4> kUnits = {
    {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}}};

// Durations below this many seconds are shown with tenths.
constexpr double kTenthsBelow = 9.95;
// From this many of the larger unit on, the smaller one adds nothing.
constexpr std::int64_t kPlenty = 100;

}  // namespace

std::string DurationText(std::chrono::microseconds duration) {
  const double seconds =
      std::max(std::chrono::duration<double>(duration).count(), 0.0);
  if (seconds < kTenthsBelow) {
    constexpr double kTenth = 10;
    return absl::StrCat(std::round(seconds * kTenth) / kTenth, " s");
  }
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  std::size_t at = 0;
  while (at + 1 < kUnits.size() && whole < kUnits.at(at).seconds) ++at;
  const Unit& unit = kUnits.at(at);
  const std::int64_t count = whole / unit.seconds;
  std::string text = absl::StrCat(count, " ", unit.name);
  if (at + 1 == kUnits.size() || count >= kPlenty) return text;
  const Unit& next = kUnits.at(at + 1);
  const std::int64_t rest = (whole - count * unit.seconds) / next.seconds;
  if (rest > 0) absl::StrAppend(&text, " ", rest, " ", next.name);
  return text;
}

}  // namespace vernier
