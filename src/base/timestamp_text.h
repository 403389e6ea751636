#ifndef VERNIER_BASE_TIMESTAMP_TEXT_H_
#define VERNIER_BASE_TIMESTAMP_TEXT_H_

#include <optional>
#include <string_view>

#include "base/clock.h"

namespace vernier {

/// Reads RFC 3339 with any zone and fraction, or the beginning of one, as
/// filters of Google's APIs have it ("2026-02-03", "2026-02-03T04:05"); the
/// zone is then UTC. Null for anything else. Digits past microseconds are
/// dropped.
std::optional<Timestamp> ParseTimestamp(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_BASE_TIMESTAMP_TEXT_H_
