#ifndef VERNIER_STORE_PAGES_WRITE_AHEAD_LOG_H_
#define VERNIER_STORE_PAGES_WRITE_AHEAD_LOG_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "store/pages/log_marker.h"

namespace vernier {

/// The content of a write-ahead log (https://www.sqlite.org/fileformat.html,
/// section 4). It is read without SQLite, which silently skips whatever does
/// not match.
struct LogContents {
  std::int64_t bytes = 0;         ///< 0: no file, or an empty one.
  bool has_valid_header = false;  ///< False: SQLite reads nothing of it.
  std::uint64_t salt = 0;         ///< Of this filling of the log.
  std::int64_t page_size = 0;
  /// Frames (pages) up to the last commit that SQLite will find.
  std::int64_t committed_frames = 0;
  /// Size of the database after that commit; 0: there is none.
  std::int64_t database_pages = 0;
  /// The newest committed frame of each page, counted from 0.
  std::map<std::int64_t, std::int64_t> pages;
  /// The offset of the first frame that does not match; nullopt: all match.
  std::optional<std::int64_t> damaged_offset;
  /// More than one transaction follows that frame. Each was synced before the
  /// next one began, so acknowledged data is certainly damaged.
  bool lost_synced_commit = false;

  std::int64_t FrameOffset(std::int64_t frame) const {
    return 32 + frame * (24 + page_size);
  }
};

/// Reads the log file `path`; `page_size` is that of its database, for a log
/// whose own header is damaged. A missing file is empty. INTERNAL: it cannot be
/// read. Reads the whole file once.
absl::StatusOr<LogContents> ReadWriteAheadLog(const std::string& path,
                                              std::int64_t page_size);

/// A note for users on how the last service's writes ended.
struct LogNote {
  bool is_loss = false;  ///< False: normal after a loss of power.
  std::string text;      ///< "the write-ahead log ends early: ..."
};

/// Judges a log, given the length that it is known to have reached (the mark).
/// Returns nullopt if the log is complete. Pure.
std::optional<LogNote> JudgeLog(const std::string& path,
                                const LogContents& contents,
                                const std::optional<LogMark>& mark);

}  // namespace vernier

#endif  // VERNIER_STORE_PAGES_WRITE_AHEAD_LOG_H_
