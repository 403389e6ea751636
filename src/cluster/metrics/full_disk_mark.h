#ifndef VERNIER_CLUSTER_METRICS_FULL_DISK_MARK_H_
#define VERNIER_CLUSTER_METRICS_FULL_DISK_MARK_H_

#include <cstdint>
#include <string>

#include "base/unique_fd.h"

namespace vernier {

/// Remembers that a disk was full after the last value of a tuned metric, so
/// that later values may not have been written. The next value clears the mark.
///
/// The mark is kept in the file `full_disk` of the attempt's folder. That file
/// has its final size from the start and is written in place, so that the mark
/// can be set on a full disk and survives a restart of the service. After a
/// restart the values are read again, in any order of files; the file says how
/// many there were. Not thread-safe.
class FullDiskMark {
 public:
  enum class Files { kNone, kMetric, kEvent };

  /// Continues from the file's contents, if there are any. An attempt that
  /// never began has no folder (`attempt_dir` is empty); then the mark is kept
  /// in memory only.
  explicit FullDiskMark(const std::string& attempt_dir);

  /// Call when a value of a tuned metric was read.
  void TakeValue();
  /// Call when all values that exist so far have been read.
  void CatchUp();
  /// Call when the disk that holds these files is full.
  void Set(Files files);

  /// Returns which files of the program may be incomplete ("its metric files"),
  /// or an empty text if none are.
  std::string text() const;

 private:
  void Change(Files files);
  void Read();
  void Write();

  UniqueFd file_;
  Files files_ = Files::kNone;
  std::uint64_t values_ = 0;      // That were read.
  std::uint64_t had_values_ = 0;  // When the disk was full.
  bool is_catching_up_ = false;   // After a restart: old values come again.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_FULL_DISK_MARK_H_
