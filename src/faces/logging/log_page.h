#ifndef VERNIER_FACES_LOGGING_LOG_PAGE_H_
#define VERNIER_FACES_LOGGING_LOG_PAGE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "faces/logging/log_entries.h"
#include "store/store.h"
#include "trials/filter_expression.h"

namespace vernier {

/// Entries that somebody wants to see.
struct LogQuery {
  FilterExpression filter;
  bool newest_first = false;
  std::size_t page_size = 50;        ///< >= 1.
  std::optional<LogPosition> after;  ///< In their order; none: from the first.
};

/// What one page may cost. Once it has, the page ends and says where to go on.
struct LogPageLimits {
  std::size_t most_read = std::size_t{64} << 20;     ///< Bytes of logs.
  std::size_t most_answered = std::size_t{4} << 20;  ///< Bytes of entries.
  std::int64_t most_compared = 5'000'000;  ///< Entries times comparisons.
};

struct LogPage {
  std::deque<LogEntry> entries;
  std::optional<LogPosition> next;  ///< None: there are no more.
};

/// A page of the entries of `studies` that fit. The newest are looked for from
/// `now` backwards, in stretches of time that grow, so that they cost what they
/// are and not what there is. One second of logs is read whatever it has.
LogPage ReadLogPage(
    const std::vector<std::shared_ptr<const StudySnapshot>>& studies,
    const LogQuery& query, Timestamp now, const LogPageLimits& limits = {});

}  // namespace vernier

#endif  // VERNIER_FACES_LOGGING_LOG_PAGE_H_
