#ifndef VERNIER_FACES_LOGGING_LOG_ENTRIES_H_
#define VERNIER_FACES_LOGGING_LOG_ENTRIES_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "faces/logging/log_line.h"
#include "store/study_kinds.h"

namespace vernier {

/// One entry of a job's log.
struct LogEntry {
  Timestamp at{};
  /// Unique among all entries of the service. Entries of one instant are
  /// ordered by it, as text.
  std::string insert_id;
  std::string job_id;     ///< Its name in its project.
  std::string task_name;  ///< "service", "master-replica-0".
  std::string trial_id;   ///< Empty if it is about no trial.
  LogLine line;
};

/// The position of an entry in a log.
struct LogPosition {
  Timestamp at{};
  std::string insert_id;

  friend auto operator<=>(const LogPosition&, const LogPosition&) = default;
};

/// The entries of some jobs by (time, insert id): lines that replicas printed,
/// and messages of the service about the job and about trials that failed. The
/// time of a line is that at which its end came; a line without an end appears
/// after its attempt has ended. Once an instant is over by some milliseconds,
/// no entry is added before it.
///
/// Reads files as it goes; only the files of attempts that ran side by side are
/// open at a time. Not thread-safe.
class LogEntries {
 public:
  /// Entries from `from` to `until`, both included.
  LogEntries(const std::vector<std::shared_ptr<const StudySnapshot>>& studies,
             Timestamp from, Timestamp until);
  ~LogEntries();

  /// Returns the next entry; null at the end.
  std::unique_ptr<LogEntry> Next();
  /// Returns the number of bytes of logs read so far.
  std::size_t bytes_read() const { return bytes_read_; }

 private:
  class Cursor;
  struct Source;

  void AddServiceEntries(JobRef job);
  void AddSources(const std::shared_ptr<const StudySnapshot>& study);
  void OpenSourcesUpTo(Timestamp time);
  void Push(std::unique_ptr<Cursor> cursor);

  const Timestamp from_;
  const Timestamp until_;
  std::vector<LogEntry> service_;  // By position, the next one last.
  std::vector<Source> sources_;    // By begin, the earliest last.
  std::vector<std::unique_ptr<Cursor>> cursors_;  // A heap, the earliest first.
  std::size_t bytes_read_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_FACES_LOGGING_LOG_ENTRIES_H_
