#ifndef VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_FILE_H_
#define VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "cluster/metrics/files/file_reading.h"

namespace vernier {

/// Longest record of an event file that is read; longer ones are skipped.
inline constexpr std::size_t kMaxEventRecord = std::size_t{8} << 20;
/// The bytes to pass to Read at once, if the file has as many: the longest
/// record and its frame.
inline constexpr std::size_t kEventReadSize = kMaxEventRecord + 16;

/// The file states that the program started again at a step.
struct EventRestart {
  /// The index of the measurement before which the restart came; the number of
  /// measurements if it came last.
  std::size_t before = 0;
  /// Earlier measurements of this file's folder with this step or a later one
  /// are void.
  std::int64_t from_step = 0;
  Timestamp at{};
};

struct EventReading : FileReading {
  std::vector<EventRestart> restarts;  ///< In the file's order.
};

/// Returns whether a file of this name (without folders) is an event file.
bool IsEventFileName(std::string_view name);

/// Reads a TensorBoard event file while it grows: records of {length, masked
/// CRC-32C of the length, data, masked CRC-32C of the data}, little-endian,
/// each an Event message. A metric's name is the tag. Its step is taken as
/// written, in any order; so is its time, if it is later than the tag's
/// previous one, else it becomes TimeBehind that.
///
/// An incomplete record is left for a later call. A record whose data do not
/// match their checksum, or are not an event, is skipped and reported. So is a
/// summary longer than kMaxEventRecord, while other long records (graphs) are
/// skipped silently. If a length does not match its checksum, the rest of the
/// file is not read.
///
/// A pure function of the bytes given. Thread-compatible.
class EventFileReader {
 public:
  /// Returns the file offset from which to read the next bytes. After a skipped
  /// record it may lie beyond the current end of the file.
  std::uint64_t offset() const { return offset_; }

  /// Takes the file's bytes from offset() on: kEventReadSize of them, or all
  /// that exist. Never throws.
  EventReading Read(std::string_view bytes);

  /// Returns whether the file is damaged, so that nothing from offset() on can
  /// be read.
  bool is_damaged() const { return is_damaged_; }

  /// Returns the version that the file states for itself; 0 if it has not done
  /// so yet. Files before version 2 do not record restarts of the program.
  std::int64_t file_version() const { return file_version_; }

 private:
  /// Returns the size of the next record, which was taken or skipped, in bytes;
  /// 0 if it is incomplete or the file is damaged.
  std::uint64_t TakeRecord(std::string_view bytes, EventReading& reading);
  void TakeData(std::string_view data, EventReading& reading);

  std::uint64_t offset_ = 0;
  std::map<std::string, Timestamp> last_times_;  // By tag.
  bool is_damaged_ = false;
  std::int64_t file_version_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_FILE_H_
