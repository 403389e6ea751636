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
/// What must be given at once, if the file has it: such a record in its frame.
inline constexpr std::size_t kEventReadSize = kMaxEventRecord + 16;

/// The program that writes the file began again at a step.
struct EventRestart {
  /// It came before the measurement of this index, or at the reading's end.
  std::size_t before = 0;
  /// Earlier measurements of this file's folder that have this step or a later
  /// one count no more.
  std::int64_t from_step = 0;
  Timestamp at{};
};

struct EventReading : FileReading {
  std::vector<EventRestart> restarts;  ///< In the file's order.
};

/// Whether a file of this name (without folders) is an event file.
bool IsEventFileName(std::string_view name);

/// Reads a TensorBoard event file while it grows: records of {length, masked
/// CRC-32C of the length, data, masked CRC-32C of the data}, little-endian,
/// each an Event message. A metric's name is the tag; its step is as written,
/// in whatever order, and so is its time if that is later than the one before
/// it of the tag, else TimeBehind that.
///
/// A record that is not complete yet waits. One whose data do not fit their
/// checksum, or are no event, is skipped and named; so is a longer summary than
/// kMaxEventRecord, while other long records (graphs) are skipped silently.
/// Where a length does not fit its checksum the file ends.
///
/// A pure function of the bytes given. Thread-compatible.
class EventFileReader {
 public:
  /// Where in the file the next bytes are to be read. After a skipped record
  /// this may lie beyond the file's end so far.
  std::uint64_t offset() const { return offset_; }

  /// Takes the bytes that the file has from offset() on: kEventReadSize of
  /// them, or all that there are. Never throws.
  EventReading Read(std::string_view bytes);

  /// Nothing of the file can be read from offset() on.
  bool is_damaged() const { return is_damaged_; }

  /// The version that the file gives itself; 0 if it has not so far. Files
  /// before version 2 do not say where a program began again.
  std::int64_t file_version() const { return file_version_; }

 private:
  /// The bytes that the next record takes, or 0 if it is to be waited for.
  std::uint64_t TakeRecord(std::string_view bytes, EventReading& reading);
  void TakeData(std::string_view data, EventReading& reading);

  std::uint64_t offset_ = 0;
  std::map<std::string, Timestamp> last_times_;  // By tag.
  bool is_damaged_ = false;
  std::int64_t file_version_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_FILE_H_
