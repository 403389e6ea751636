#ifndef VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_FILE_H_
#define VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "cluster/metrics/files/growing_file.h"

namespace vernier {

/// Longest record of an event file that is read; longer ones are skipped.
inline constexpr std::size_t kMaxEventRecord = std::size_t{8} << 20;
/// The bytes to pass to Read at once, if the file has as many: the longest
/// record and its frame.
inline constexpr std::size_t kEventReadSize = kMaxEventRecord + 16;

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
class EventFileReader final : public GrowingFileReader {
 public:
  std::uint64_t offset() const override { return offset_; }
  std::size_t read_size() const override { return kEventReadSize; }
  GrowingFileReading Read(std::string_view bytes) override;
  bool is_damaged() const override { return is_damaged_; }

  /// Returns the version that the file states for itself; 0 if it has not done
  /// so yet. Files before version 2 do not record restarts of the program.
  std::int64_t file_version() const { return file_version_; }

 private:
  /// Returns the size of the next record, which was taken or skipped, in bytes;
  /// 0 if it is incomplete or the file is damaged.
  std::uint64_t TakeRecord(std::string_view bytes, GrowingFileReading& reading);
  void TakeData(std::string_view data, GrowingFileReading& reading);

  std::uint64_t offset_ = 0;
  std::map<std::string, Timestamp> last_times_;  // By tag.
  bool is_damaged_ = false;
  std::int64_t file_version_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_FILE_H_
