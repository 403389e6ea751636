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
#include "trials/filters/filter_expression.h"

namespace vernier {

/// Selects entries of a log.
struct LogEntryQuery {
  FilterExpression filter;
  bool newest_first = false;
  std::size_t page_size = 50;        ///< >= 1.
  std::optional<LogPosition> after;  ///< In this order; none: the first.
};

/// Limits of the work for one page. At a limit the page ends, and its token
/// continues there.
struct LogPageLimits {
  std::size_t most_read = std::size_t{64} << 20;     ///< Bytes of logs.
  std::size_t most_answered = std::size_t{4} << 20;  ///< Bytes of entries.
  std::int64_t most_compared = 5'000'000;  ///< Entries times comparisons.
};

struct LogPage {
  std::deque<LogEntry> entries;
  std::optional<LogPosition> next;  ///< None: there are no more.
};

/// Returns a page of the entries of `studies` that match. The newest ones are
/// searched for backwards from `now`, in intervals of growing length, so that
/// the cost depends on the number of entries found and not on all that exist.
/// One second of logs is always read to its end, unless the call must end: then
/// UseInCall returns the reason, and the page must not be used.
LogPage ReadLogPage(
    const std::vector<std::shared_ptr<const StudySnapshot>>& studies,
    const LogEntryQuery& query, Timestamp now,
    const LogPageLimits& limits = {});

}  // namespace vernier

#endif  // VERNIER_FACES_LOGGING_LOG_PAGE_H_
