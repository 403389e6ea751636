#ifndef VERNIER_BASE_TIMESTAMP_TEXT_H_
#define VERNIER_BASE_TIMESTAMP_TEXT_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/time/time.h"
#include "base/clock.h"

namespace vernier {

/// The forms that ParseTimestamp reads, to follow "write it like ".
inline constexpr std::string_view kTimeForms =
    "2026-02-03T04:05:06Z, \"2026-02-03 04:05:06 +01:00\", "
    "\"2026-02-03 04:05 Europe/Berlin\" or 2026-02-03";

/// Reads RFC 3339 with any zone and fraction, or the beginning of one, as
/// filters of Google's APIs have it ("2026-02-03", "2026-02-03T04:05"). A blank
/// may stand for the T, and before the zone. The zone is Z, UTC, GMT, an
/// offset, the name of a place ("Europe/Berlin") or what `otherwise` calls
/// itself at that time ("CET"); without one it is `otherwise`. Null for
/// anything else: other abbreviations have several meanings. Digits past
/// microseconds are dropped.
std::optional<Timestamp> ParseTimestamp(
    std::string_view text,
    const absl::TimeZone& otherwise = absl::UTCTimeZone());

/// Returns "2026-02-03 04:05:06 CET": for people, in `zone`, with its name
/// there.
std::string TimeInZone(Timestamp time, const absl::TimeZone& zone);

}  // namespace vernier

#endif  // VERNIER_BASE_TIMESTAMP_TEXT_H_
