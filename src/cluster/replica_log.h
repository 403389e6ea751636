#ifndef VERNIER_CLUSTER_REPLICA_LOG_H_
#define VERNIER_CLUSTER_REPLICA_LOG_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "cluster/lost_output.h"

namespace vernier {

/// Returns the folder of the replicas' logs in an attempt's directory.
std::string LogDirectory(const std::string& attempt_dir);

/// Appends a replica's output to its log, within a cap. The first half of the
/// cap stays in `NAME.log`; later output goes to segments named
/// `NAME.log.OFFSET`, of which only the newest are kept. OFFSET, 20 digits, is
/// the position of the segment's first byte in the whole output, so positions
/// stay valid when the middle is dropped. Readable while it grows.
///
/// Output that cannot be written (full disk) is lost, and LostOutput counts it:
/// that is not an error, because the program must not suffer. Once there is
/// room again, the log continues with a mark, "[vernier: 37 bytes of output
/// were lost here: no space left on device]", and then with the next whole
/// line. The mark is in the line that was cut, so that no number in it looks
/// complete. Not thread-safe: the supervisor owns it.
class ReplicaLogWriter {
 public:
  /// `name` is a ReplicaName. `cap_bytes` >= 16. The directory must exist.
  static absl::StatusOr<ReplicaLogWriter> Create(const std::string& log_dir,
                                                 const std::string& name,
                                                 std::int64_t cap_bytes);

  /// Likewise, but continues after the existing output. `cap_bytes` must be
  /// that of its earlier writer.
  static absl::StatusOr<ReplicaLogWriter> Resume(const std::string& attempt_dir,
                                                 const std::string& name,
                                                 std::int64_t cap_bytes);

  /// Appends output.
  void Append(const char* data, std::size_t size);

  /// Returns the bytes of the log so far, including marks and what the cap has
  /// dropped.
  std::int64_t end() const { return end_; }

  /// Returns everything that was lost so far.
  const LostOutput& lost() const { return lost_.lost(); }

  /// Writes the mark for lost output, if one is due and there is room now.
  void Mark();

  /// Returns the last lines printed, at most `max_lines` and `max_bytes`, which
  /// is at most 16 KiB.
  std::string LastLines(std::size_t max_lines,
                        std::size_t max_bytes = 4096) const;

 private:
  ReplicaLogWriter(std::string path, std::int64_t cap_bytes, UniqueFd file,
                   LostOutputFile lost);

  bool Roll();
  std::size_t Write(const char* data, std::size_t size);
  void Lose(const char* data, std::size_t size);
  void TakeBack(std::int64_t end);

  std::string path_;  // Of the head.
  std::int64_t head_bytes_;
  std::int64_t segment_bytes_;
  UniqueFd file_;
  LostOutputFile lost_;
  bool is_line_lost_ = false;         // What was lost last ended within a line.
  std::int64_t end_ = 0;              // Of the whole log.
  std::int64_t file_end_;             // Where the current file is full.
  std::deque<std::string> segments_;  // Paths of those on disk, old to new.
  std::string tail_;                  // The last bytes printed.
};

/// Writes the marks that are due in an attempt's logs and for which there is
/// room now. Nobody else may write the logs meanwhile. `cap_bytes` is that of
/// their writers.
void MarkLostOutput(const std::string& attempt_dir, std::int64_t cap_bytes);

/// One replica's log on disk.
struct ReplicaLogInfo {
  std::string replica;   ///< "master-replica-0".
  std::int64_t end = 0;  ///< Bytes of the log so far, dropped ones included.
};

/// Returns the logs of an attempt, by name; none if the attempt has not
/// started.
std::vector<ReplicaLogInfo> ListReplicaLogs(const std::string& attempt_dir);

/// A part of a log.
struct ReplicaLogPart {
  std::string data;
  /// The position of data's first byte: the one asked for, or a later one if
  /// those bytes were dropped, or never existed (a program may lengthen a log
  /// to terabytes without a byte on the disk).
  std::int64_t offset = 0;
  /// The position for the next read; equals `offset` when there is nothing more
  /// yet.
  std::int64_t next_offset = 0;
};

/// Reads at most `limit` bytes of a replica's log from `offset` on; empty at
/// the current end. Safe while the log is written.
///
/// NOT_FOUND if there is no such log; INVALID_ARGUMENT if `replica` is not a
/// replica's name or `offset` < 0; UNAVAILABLE if the log is written faster
/// than it can be read.
absl::StatusOr<ReplicaLogPart> ReadReplicaLog(const std::string& attempt_dir,
                                              const std::string& replica,
                                              std::int64_t offset,
                                              std::size_t limit);

/// Returns the position at which the last `lines` lines of a log begin;
/// searches the last 1 MiB only. Errors as ReadReplicaLog.
absl::StatusOr<std::int64_t> FindLastLines(const std::string& attempt_dir,
                                           const std::string& replica,
                                           int lines);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_REPLICA_LOG_H_
