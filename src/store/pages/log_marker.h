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

/// The length up to which a write-ahead log was synced.
struct LogMark {
  std::uint64_t salt = 0;  ///< Of the filling of the log.
  /// Pages up to the last commit that was synced. 0: nothing is guaranteed,
  /// since the log is being moved into the database, or is empty.
  std::int64_t frames = 0;
  /// The newest page in the log, and its checksum: if the log is gone and the
  /// database has that page, another program moved the log there.
  SealedFrame newest;

  friend bool operator==(const LogMark&, const LogMark&) = default;
};

/// A small file beside a database (`-mark`) with the synced length of the
/// write-ahead log. It detects a log that was cut, which SQLite takes for one
/// that was never longer.
///
/// It is written after each commit and not synced, which costs a microsecond.
/// After `kill -9` it is exact. After a loss of power it may be older than the
/// log, but never newer. It cannot raise a false alarm, because before a log is
/// emptied the mark is set to 0 and synced.
///
/// Not thread-safe: one connection's.
class LogMarker {
 public:
  /// The content of the file `path`; nullopt: there is none, or it is damaged.
  static std::optional<LogMark> Read(const std::string& path);

  /// Opens or makes `path`, readable by its owner only. Its content stays valid
  /// until the next commit. INTERNAL: it cannot be written.
  static absl::StatusOr<LogMarker> Open(const std::string& path,
                                        const std::string& log_path);

  /// Call it after a commit that was synced and left the log with `frames`
  /// pages, of which `newest` came last. After a failure the mark is only too
  /// old.
  void Advance(std::int64_t frames, const SealedFrame& newest);

  /// Call it before the log is emptied or removed. DATA_LOSS: it could not be
  /// synced.
  absl::Status Withdraw();

 private:
  LogMarker(UniqueFd file, std::string log_path)
      : file_(std::move(file)), log_path_(std::move(log_path)) {}

  bool Write(const LogMark& mark);

  UniqueFd file_;
  std::string log_path_;
  std::optional<LogMark> last_;  // The content of the file.
  // True if `last_` has the salt of the present log: another program may have
  // started the log again before this connection opened it.
  bool has_salt_ = false;
};

}  // namespace vernier

#endif  // VERNIER_STORE_PAGES_LOG_MARKER_H_
