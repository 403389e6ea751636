#include "cli/verbs/local_filter.h"

#include <optional>
#include <utility>

#include "base/timestamp_text.h"
#include "trials/filters/filter_expression.h"

namespace vernier {

std::string WithTimesIn(const absl::TimeZone& zone, std::string job_filter) {
  const auto in_utc =
      [&](const std::string& operand) -> std::optional<std::string> {
    const auto instant = ParseTimestamp(operand, zone);
    if (!instant.has_value()) return std::nullopt;
    return FormatTimestamp(*instant);
  };
  for (const char* key : {"createTime", "startTime", "endTime"}) {
    const auto parsed = FilterExpression::Parse(job_filter);
    if (!parsed.ok()) return job_filter;
    job_filter = parsed->WithOperands(std::move(job_filter), key, in_utc);
  }
  return job_filter;
}

}  // namespace vernier
