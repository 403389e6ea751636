#ifndef VERNIER_STORE_PAGES_LOG_MARKER_H_
#define VERNIER_STORE_PAGES_LOG_MARKER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "store/pages/sealed_log.h"

namespace vernier {

/// How far a write-ahead log was synced.
struct LogMark {
  std::uint64_t salt = 0;  ///< Of the filling of the log.
  /// Pages up to the last commit that was synced. 0: nothing is promised, since
  /// the log is being moved into the database, or is empty.
  std::int64_t frames = 0;
  /// The newest page in it, and its checksum: if the log is gone and the
  /// database has that page, another program moved the log there.
  SealedFrame newest;

  friend bool operator==(const LogMark&, const LogMark&) = default;
};

/// A small file beside a database (`-mark`) that says how far the write-ahead
/// log was synced, so that a log that was cut is noticed: SQLite takes one that
/// ends early for one that was never longer.
///
/// It is written after each commit and not synced, which costs a microsecond.
/// After `kill -9` it is exact. After a loss of power it may be older than the
/// log, never newer, and says too little; it cannot raise a false alarm, since
/// the promise is withdrawn, and that is synced, before a log is emptied.
///
/// Not thread-safe: one connection's.
class LogMarker {
 public:
  /// What the file `path` says; nullopt: there is none, or it is damaged.
  static std::optional<LogMark> Read(const std::string& path);

  /// Opens or makes `path`, for its owner's eyes only. What it says holds until
  /// the next commit. INTERNAL: it cannot be written.
  static absl::StatusOr<LogMarker> Open(const std::string& path,
                                        const std::string& log_path);

  /// After a commit that was synced and left the log with `frames` pages, of
  /// which `newest` came last. A failure only makes the mark say too little.
  void Advance(std::int64_t frames, const SealedFrame& newest);

  /// Before the log is emptied or removed. DATA_LOSS: it could not be synced.
  absl::Status Withdraw();

 private:
  LogMarker(UniqueFd file, std::string log_path)
      : file_(std::move(file)), log_path_(std::move(log_path)) {}

  bool Write(const LogMark& mark);

  UniqueFd file_;
  std::string log_path_;
  std::optional<LogMark> last_;  // What the file says.
  // Whether `last_` has the salt of the log as it is: another program may have
  // begun the log anew before it was opened.
  bool has_salt_ = false;
};

}  // namespace vernier

#endif  // VERNIER_STORE_PAGES_LOG_MARKER_H_
