#ifndef VERNIER_CLUSTER_METRICS_FILES_GROWING_FILE_H_
#define VERNIER_CLUSTER_METRICS_FILES_GROWING_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "cluster/metrics/files/file_reading.h"

namespace vernier {

/// A file states that the program started again at a step.
struct StepRestart {
  /// The index of the measurement before which the restart came; the number of
  /// measurements if it came last.
  std::size_t before = 0;
  /// Earlier measurements of this file's folder with this step or a later one
  /// are void.
  std::int64_t from_step = 0;
  Timestamp at{};
};

struct GrowingFileReading : FileReading {
  std::vector<StepRestart> restarts;  ///< In the file's order.
};

/// Reads a file to which a library appends while a program runs: one reader for
/// each file, one class for each format. A function of the bytes given alone.
/// Thread-compatible.
class GrowingFileReader {
 public:
  virtual ~GrowingFileReader() = default;

  /// Returns the file offset from which to read the next bytes. It may lie
  /// beyond the file's end, after a record that was skipped.
  virtual std::uint64_t offset() const = 0;

  /// Returns how many bytes to pass to Read at once, if the file has as many:
  /// the longest record that is read fits into them.
  virtual std::size_t read_size() const = 0;

  /// Takes the file's bytes from offset() on: read_size() of them, or all that
  /// exist. An incomplete record is left for a later call. Never throws.
  virtual GrowingFileReading Read(std::string_view bytes) = 0;

  /// Takes the bytes that Read left at the end of a file that nobody writes any
  /// more. A format whose records say where they end has nothing to take.
  virtual GrowingFileReading ReadLast(std::string_view /*bytes*/) { return {}; }

  /// Returns whether nothing from offset() on can be read.
  virtual bool is_damaged() const = 0;

  /// Returns the bytes with which the file must still begin, since all that was
  /// read depends on them. Empty: its writer never changes what it wrote.
  virtual std::string_view head() const { return {}; }

  /// Returns the last bytes before offset(), which must still stand there if
  /// the file only grew. Empty: likewise.
  virtual std::string_view tail() const { return {}; }

  /// Returns why what came behind the metric's last value could not be read, if
  /// anything did; else an empty text.
  virtual std::string LaterMiss(const std::string& /*metric*/) const {
    return {};
  }

  /// Says that `before` read the file until its writer began it again; to be
  /// called before the first Read.
  virtual void Succeed(const GrowingFileReader& /*before*/) {}

  /// Says that what begins before byte `end` belongs to another trial; to be
  /// called before the first Read.
  virtual void PassOver(std::uint64_t /*end*/) {}
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_FILES_GROWING_FILE_H_
