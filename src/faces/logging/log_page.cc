#include "faces/logging/log_page.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "base/calls/call_meter.h"
#include "faces/logging/log_filter.h"

namespace vernier {
namespace {

// LogEntries reads logs only forwards. To find the newest entries first, the
// page reads intervals ("stretches") backwards from now. An interval that was
// cheap to read is followed by a longer one; one that proved too expensive is
// read again as a shorter one.

using Studies = std::vector<std::shared_ptr<const StudySnapshot>>;
using std::chrono::microseconds;

constexpr microseconds kFirstStretch = std::chrono::minutes(1);
constexpr microseconds kShortest = std::chrono::seconds(1);
constexpr int kShrink = 8;
constexpr int kGrow = 4;
constexpr microseconds kTick{1};

LogPosition PagePositionOf(const LogEntry& entry) {
  return {entry.at, entry.insert_id};
}

/// Counts the work that a page takes.
class Cost {
 public:
  Cost(const LogEntryQuery& query, const LogPageLimits& limits)
      : limits_(limits),
        comparisons_(static_cast<std::int64_t>(query.filter.keys().size()) +
                     1) {}

  void Compared() {
    compared_ += comparisons_;
    if (ended_.ok()) ended_ = UseInCall({1, 0});
  }
  /// True if the call must end; its maker gets the reason from UseInCall.
  bool must_end() const { return !ended_.ok(); }
  bool IsSpent(std::size_t bytes_read) const {
    return bytes_read > limits_.most_read || compared_ > limits_.most_compared;
  }

 private:
  const LogPageLimits limits_;
  const std::int64_t comparisons_;  // Of one entry.
  std::int64_t compared_ = 0;
  absl::Status ended_;
};

std::size_t BytesOf(const LogEntry& entry) {
  return entry.line.message.size() + entry.line.json.size();
}

LogPage ReadOldestFirst(const Studies& studies, const LogEntryQuery& query,
                        TimeRange range, const LogPageLimits& limits) {
  if (query.after) range.from = std::max(range.from, query.after->at);
  LogEntries all(studies, range.from, range.until);
  Cost cost(query, limits);
  LogPage page;
  std::size_t bytes = 0;
  while (std::unique_ptr<LogEntry> entry = all.Next()) {
    const LogPosition position = PagePositionOf(*entry);
    if (query.after && position <= *query.after) continue;
    cost.Compared();
    if (Fits(query.filter, *entry)) {
      bytes += BytesOf(*entry);
      page.entries.push_back(*std::move(entry));
    }
    if (page.entries.size() == query.page_size ||
        bytes > limits.most_answered || cost.IsSpent(all.bytes_read()) ||
        cost.must_end()) {
      page.next = position;
      return page;
    }
  }
  return page;
}

/// The last entries of an interval of time, in order of time.
struct Stretch {
  std::deque<LogEntry> entries;
  bool is_cut = false;       ///< Older entries match, too.
  bool is_too_dear = false;  ///< Reading it was given up.
  bool must_end = false;     ///< As Cost::must_end.
  std::size_t bytes_read = 0;
};

Stretch ReadStretch(const Studies& studies, const LogEntryQuery& query,
                    const TimeRange& range, const LogPageLimits& limits,
                    bool may_give_up) {
  LogEntries all(studies, range.from, range.until);
  Cost cost(query, limits);
  Stretch stretch;
  std::size_t bytes = 0;
  while (std::unique_ptr<LogEntry> entry = all.Next()) {
    if (query.after && PagePositionOf(*entry) >= *query.after) break;
    cost.Compared();
    if (Fits(query.filter, *entry)) {
      bytes += BytesOf(*entry);
      stretch.entries.push_back(*std::move(entry));
    }
    while (stretch.entries.size() > query.page_size ||
           (bytes > limits.most_answered && stretch.entries.size() > 1)) {
      bytes -= BytesOf(stretch.entries.front());
      stretch.entries.pop_front();
      stretch.is_cut = true;
    }
    stretch.must_end = cost.must_end();
    if (stretch.must_end) break;
    if (may_give_up && cost.IsSpent(all.bytes_read())) {
      stretch.is_too_dear = true;
      break;
    }
  }
  stretch.bytes_read = all.bytes_read();
  return stretch;
}

Timestamp FirstOf(const Studies& studies) {
  Timestamp first = Timestamp::max();
  for (const auto& study : studies) {
    first = std::min(first, study->created_at);
  }
  return first;
}

/// Adds the newest entries of `stretch`. Returns true if the page is full.
bool AddNewest(Stretch stretch, const LogEntryQuery& query,
               const LogPageLimits& limits, std::size_t* bytes, LogPage* page) {
  while (!stretch.entries.empty()) {
    if (page->entries.size() == query.page_size ||
        *bytes > limits.most_answered) {
      return true;
    }
    *bytes += BytesOf(stretch.entries.back());
    page->entries.push_back(std::move(stretch.entries.back()));
    stretch.entries.pop_back();
  }
  return stretch.is_cut || page->entries.size() == query.page_size;
}

LogPage ReadNewestFirst(const Studies& studies, const LogEntryQuery& query,
                        TimeRange range, Timestamp now,
                        const LogPageLimits& limits) {
  LogPage page;
  if (query.after) range.until = std::min(range.until, query.after->at);
  const Timestamp begin = std::max(range.from, FirstOf(studies));
  microseconds length = kFirstStretch;
  std::size_t bytes = 0;
  std::size_t bytes_read = 0;
  while (range.until >= begin) {
    // If the clock was set back, there may be entries later than now.
    const Timestamp end = std::max(std::min(range.until, now), begin);
    range.from = end - begin > length ? end - length : begin;
    Stretch stretch =
        ReadStretch(studies, query, range, limits, length > kShortest);
    if (stretch.must_end) return page;
    if (stretch.is_too_dear) {
      length = std::max(length / kShrink, kShortest);
      continue;
    }
    bytes_read += stretch.bytes_read;
    length *= kGrow;
    if (AddNewest(std::move(stretch), query, limits, &bytes, &page)) {
      page.next = PagePositionOf(page.entries.back());
      return page;
    }
    if (range.from == begin) break;
    if (bytes_read > limits.most_read) {
      page.next = LogPosition{range.from, ""};
      return page;
    }
    range.until = range.from - kTick;
  }
  return page;
}

}  // namespace

LogPage ReadLogPage(const Studies& studies, const LogEntryQuery& query,
                    Timestamp now, const LogPageLimits& limits) {
  const TimeRange range = query.filter.RangeOf("timestamp");
  return query.newest_first
             ? ReadNewestFirst(studies, query, range, now, limits)
             : ReadOldestFirst(studies, query, range, limits);
}

}  // namespace vernier
