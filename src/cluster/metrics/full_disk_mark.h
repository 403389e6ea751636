#ifndef VERNIER_CLUSTER_METRICS_FULL_DISK_MARK_H_
#define VERNIER_CLUSTER_METRICS_FULL_DISK_MARK_H_

#include <cstdint>
#include <string>

#include "base/unique_fd.h"

namespace vernier {

/// Remembers that after the last value of what an attempt is tuned for a disk
/// was full: later values may not have been written. A value that comes later
/// shows that it is over.
///
/// It is kept in the file `full_disk` of the attempt's folder, which has its
/// size from the start and is written in place, so that a full disk has room
/// for it and a restart of the service does not forget it. After a restart the
/// values come again, in whatever order the files are read, and the file says
/// how many there were. Not thread-safe.
class FullDiskMark {
 public:
  enum class Files { kNone, kMetric, kEvent };

  /// Goes on with what the file says, if there is one. Without a folder, as of
  /// an attempt that never began, nothing outlives this object.
  explicit FullDiskMark(const std::string& attempt_dir);

  /// A value of what is tuned was read.
  void TakeValue();
  /// All values that there were have been read.
  void CatchUp();
  /// The disk of these files is full.
  void Set(Files files);

  /// What of the program's is not complete: "its metric files"; empty: all is.
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
