#ifndef VERNIER_CLUSTER_METRICS_TRACKIO_TRACKIO_DATABASE_H_
#define VERNIER_CLUSTER_METRICS_TRACKIO_TRACKIO_DATABASE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "base/clock.h"
#include "cluster/metrics/files/file_reading.h"
#include "cluster/metrics/files/metric_file_access.h"
#include "cluster/metrics/trackio/trackio_row.h"

namespace vernier {

/// One Read takes at most so many rows, and at most so many bytes of them and a
/// row more; the rest follows in the next call.
inline constexpr std::int64_t kMaxTrackioRowsOfRead = 2000;
inline constexpr std::size_t kMaxTrackioBytesOfRead = std::size_t{4} << 20;
/// The longest write-ahead log that is read. The library's has a thousand pages
/// at most, and none while nothing is written.
inline constexpr std::int64_t kMaxTrackioLog = std::int64_t{64} << 20;
/// After the attempt's end, at most so many bytes of a database's rows are
/// read.
inline constexpr std::uint64_t kMaxTrackioBacklog = std::uint64_t{1} << 30;

/// Follows one database of Trackio's library, while the program writes to it.
///
/// Its bytes are read as they are (ForeignDatabase::OpenFiles), so that the
/// program is never held up, and nothing of it is changed. What was read counts
/// only if the files did not change meanwhile. The database is not trusted, and
/// a read costs milliseconds and some megabytes whatever it holds.
///
/// After the attempt's end, only the rows that there were at the end are read.
/// A database that was replaced is read from its beginning. Not thread-safe.
class TrackioDatabase {
 public:
  /// `name` is the file's, without folders.
  explicit TrackioDatabase(std::string name) : name_(std::move(name)) {}

  /// Returns what the rows beyond the last one say. `folder` is an open folder;
  /// files that OpenMetricFile refuses are not read. Sets `is_shortage` if
  /// descriptors or memory are lacking now. `now` is the system clock's time.
  FileReading Read(int folder, FileOwner owner, bool final, Timestamp now,
                   bool& is_shortage);

 private:
  // Of the database and its log, by their names.
  struct Stamp {
    FileState database;
    FileState log;
    Timestamp changed{};  // The later of the two.

    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  // How far it was read.
  struct Progress {
    std::int64_t last_id = 0;
    TrackioRows rows;
    std::optional<std::int64_t> end_id;  // The last one at the attempt's end.
    std::uint64_t read_at_end = 0;
  };
  // One reading, which counts if the files did not change.
  struct Trial {
    FileReading reading;
    Progress progress;
    absl::Status status;
    bool is_refused = false;  // Its files must not or cannot be read.
  };

  Stamp StampIn(int folder) const;
  Trial TryToRead(int folder, FileOwner owner, bool final, const Stamp& stamp,
                  bool& is_shortage) const;
  static absl::Status ReadRows(int database, int log, bool final,
                               Progress& progress, FileReading& reading);
  void NoteFailure(bool final, FileReading& reading) const;

  const std::string name_;
  Stamp stamp_;              // Of the last reading.
  bool is_settled_ = false;  // No change can hide behind an equal stamp.
  bool has_more_ = false;
  absl::Status status_;  // Of the last reading.
  Progress progress_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TRACKIO_TRACKIO_DATABASE_H_
