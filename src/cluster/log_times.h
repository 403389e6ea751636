#ifndef VERNIER_CLUSTER_LOG_TIMES_H_
#define VERNIER_CLUSTER_LOG_TIMES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/unique_fd.h"

namespace vernier {

/// Records when the bytes of a replica's log came, so that lines have times
/// even if programs print none. The file `NAME.times` has 16 bytes per note:
/// the position and the microseconds since 1970, both little-endian. It stays
/// small: at most one note in 10 ms, and one a second when there are many. Not
/// thread-safe: the supervisor owns it.
class LogTimesWriter {
 public:
  static absl::StatusOr<LogTimesWriter> Create(const std::string& log_dir,
                                               const std::string& name);

  /// Likewise, but continues after the notes that exist already.
  static absl::StatusOr<LogTimesWriter> Resume(const std::string& log_dir,
                                               const std::string& name);

  /// Records that the byte at `offset` of the whole output came at `now`. Times
  /// never decrease: after a clock was set back, none is written until it
  /// catches up. A failed write is not an error, because the program must not
  /// suffer.
  void Note(std::int64_t offset, Timestamp now);

 private:
  explicit LogTimesWriter(UniqueFd file) : file_(std::move(file)) {}

  UniqueFd file_;
  std::size_t notes_ = 0;
  Timestamp last_{};
};

/// The times of the bytes of one log. Empty for logs of older releases.
class LogTimes {
 public:
  /// Reads the notes that exist now; none if there is no such file.
  static LogTimes Read(const std::string& attempt_dir,
                       const std::string& replica);

  /// Returns when the byte at `offset` came; `otherwise` if that is unknown.
  Timestamp At(std::int64_t offset, Timestamp otherwise) const;
  /// Returns the last position whose byte surely came before `time`; 0 if none
  /// did.
  std::int64_t OffsetBefore(Timestamp time) const;

 private:
  std::vector<std::pair<std::int64_t, Timestamp>> notes_;  // Both ascend.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOG_TIMES_H_
