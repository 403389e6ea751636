#include "cluster/metrics/trackio/trackio_database.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/regular_file.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "store/foreign/foreign_database.h"

namespace vernier {
namespace {

// Trackio opens the database for each batch of rows, twice a second, writes
// them to the log, and copies the log into the database and removes it when it
// closes the database. That takes milliseconds, so a reading rarely meets it.

constexpr int kMostTries = 5;
constexpr off_t kLeastDatabase = 512;  // SQLite's smallest page.
// Two changes within a tick of the kernel's clock have the same time.
constexpr std::chrono::milliseconds kClockTick{20};

constexpr char kTable[] = "metrics";

// The library's own database has 17 tables of at most 13 columns.
ForeignLimits LimitsOfTrackio() {
  ForeignLimits limits;
  limits.rows = 100'000;
  limits.text_bytes = std::int64_t{16} << 20;
  limits.value_bytes = kMaxTrackioRow;
  limits.definition_bytes = 16 << 10;
  limits.columns = 100;
  limits.steps_of_look = 1000;
  limits.looks = 500;
  limits.opening_looks = 20;
  return limits;
}

Timestamp ChangeOf(const FileState& state) {
  return Timestamp(std::chrono::duration_cast<Timestamp::duration>(
      std::chrono::nanoseconds(state.changed_ns)));
}

// Returns whether the writer of a database without a write-ahead log is in the
// middle of a change, or died there.
bool IsBeingChanged(int folder, const std::string& name) {
  const RegularFile journal =
      OpenRegularFile(folder, name + "-journal", O_RDONLY | O_NOFOLLOW);
  if (!journal.fd.is_open()) return false;
  const std::string first = ReadAt(journal.fd.get(), 0, 1);
  return !first.empty() && first.front() != '\0';
}

absl::Status FindEnd(ForeignDatabase& database, std::int64_t& end_id) {
  end_id = 0;
  return database.ForEachRow("SELECT id FROM metrics ORDER BY id DESC LIMIT 1",
                             [&](const ForeignRow& row) {
                               end_id = row.Int(0).value_or(0);
                               return absl::OkStatus();
                             });
}

// Passes over the row behind `last_id`, which is too long.
absl::Status SkipRow(ForeignDatabase& database, std::int64_t& last_id,
                     FileReading& reading) {
  std::optional<std::int64_t> id;
  VERNIER_RETURN_IF_ERROR(database.ForEachRow(
      "SELECT id FROM metrics WHERE id > ?1 ORDER BY id LIMIT 1",
      [&](const ForeignRow& row) {
        id = row.Int(0);
        return absl::OkStatus();
      },
      {last_id}));
  if (!id || *id <= last_id) {
    return absl::InvalidArgumentError("its rows have no numbers");
  }
  last_id = *id;
  AddProblem(
      absl::StrCat("row ", *id, " of the Trackio database has more than ",
                   kMaxTrackioRow, " bytes; it is skipped"),
      reading.problems);
  return absl::OkStatus();
}

}  // namespace

TrackioDatabase::Stamp TrackioDatabase::StampIn(int folder) const {
  Stamp stamp;
  struct stat info {};
  if (::fstatat(folder, name_.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0) {
    stamp.database = StateOf(info);
  }
  const std::string log = name_ + "-wal";
  if (::fstatat(folder, log.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0) {
    stamp.log = StateOf(info);
  }
  stamp.changed = std::max(ChangeOf(stamp.database), ChangeOf(stamp.log));
  return stamp;
}

absl::Status TrackioDatabase::ReadRows(int database, int log, bool final,
                                       Progress& progress,
                                       FileReading& reading) {
  VERNIER_ASSIGN_OR_RETURN(
      const auto opened,
      ForeignDatabase::OpenFiles({"the Trackio database", database, log},
                                 {kTable}, LimitsOfTrackio()));
  if (final && !progress.end_id) {
    std::int64_t end_id = 0;
    VERNIER_RETURN_IF_ERROR(FindEnd(*opened, end_id));
    progress.end_id = end_id;
  }
  std::int64_t rows = 0;
  std::size_t bytes = 0;
  const std::int64_t first_id = progress.last_id;
  const absl::Status status = opened->ForEachRow(
      "SELECT id, step, timestamp, metrics FROM metrics"
      " WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3",
      [&](const ForeignRow& row) -> absl::Status {
        const std::optional<std::int64_t> id = row.Int(0);
        if (!id || *id <= progress.last_id) {
          return absl::InvalidArgumentError("its rows have no numbers");
        }
        const std::string_view metrics = row.Bytes(3).value_or("");
        progress.rows.Take(
            {*id, row.Int(1), row.Bytes(2).value_or(""), metrics}, reading);
        progress.last_id = *id;
        bytes += metrics.size();
        const bool is_full =
            ++rows >= kMaxTrackioRowsOfRead ||
            bytes >= kMaxTrackioBytesOfRead ||
            reading.measurements.size() >= kMaxMeasurementsOfReading;
        reading.has_more |= is_full;
        return is_full ? absl::CancelledError() : absl::OkStatus();
      },
      {first_id,
       progress.end_id.value_or(std::numeric_limits<std::int64_t>::max()),
       kMaxTrackioRowsOfRead});
  if (final) progress.read_at_end += bytes;
  if (reading.has_more) return absl::OkStatus();
  if (absl::IsResourceExhausted(status) || absl::IsDataLoss(status)) {
    // What came before the row in question counts.
    reading.has_more = true;
    if (progress.last_id > first_id) return absl::OkStatus();
    if (absl::IsResourceExhausted(status)) {
      return SkipRow(*opened, progress.last_id, reading);
    }
    reading.has_more = false;
  }
  return status;
}

TrackioDatabase::Trial TrackioDatabase::TryToRead(int folder, FileOwner owner,
                                                  bool final,
                                                  const Stamp& stamp,
                                                  bool& is_shortage) const {
  Trial trial;
  trial.progress = progress_;
  const bool is_another = stamp_.database.size >= 0 &&
                          stamp.database.inode != stamp_.database.inode;
  if (is_another && !progress_.end_id) trial.progress = Progress();
  const auto open = [&](const std::string& name, const char* what) {
    MetricFile file = OpenMetricFile(folder, name.c_str(), what, owner);
    is_shortage |= file.is_shortage;
    trial.is_refused |= !file.problem.empty() || file.is_shortage;
    if (!file.problem.empty()) {
      AddProblem(std::move(file.problem), trial.reading.problems);
    }
    return std::move(file.fd);
  };
  const UniqueFd database = open(name_, "the Trackio database");
  const UniqueFd log = open(name_ + "-wal", "the log of the Trackio database");
  if (stamp.log.size > kMaxTrackioLog) {
    AddProblem(
        absl::StrCat("the log of the Trackio database must have at most ",
                     kMaxTrackioLog, " bytes to be read: ",
                     static_cast<std::int64_t>(stamp.log.size)),
        trial.reading.problems);
    trial.is_refused = true;
  }
  if (trial.is_refused) return trial;
  trial.status =
      IsBeingChanged(folder, name_)
          ? absl::FailedPreconditionError(
                "its writer is in the middle of a change, or died there")
          : ReadRows(database.get(), log.get(), final, trial.progress,
                     trial.reading);
  if (!trial.status.ok()) {
    trial.progress = progress_;
    trial.reading.measurements.clear();
  }
  return trial;
}

// A database may be incomplete until the program has made all of it, so that
// only its state at the end is worth a message.
void TrackioDatabase::NoteFailure(bool final, FileReading& reading) const {
  if (status_.ok() || !final) return;
  AddProblem(absl::StrCat("the Trackio database ", ShowText(name_),
                          " cannot be read: ",
                          absl::IsResourceExhausted(status_)
                              ? "it takes more work than a reading may"
                              : std::string(status_.message())),
             reading.problems);
}

FileReading TrackioDatabase::Read(int folder, FileOwner owner, bool final,
                                  Timestamp now, bool& is_shortage) {
  Stamp stamp = StampIn(folder);
  if (stamp.database.size < kLeastDatabase) return {};
  FileReading reading;
  if (stamp == stamp_ && is_settled_ && !has_more_) {
    NoteFailure(final, reading);
    return reading;
  }
  if (progress_.read_at_end > kMaxTrackioBacklog) {
    AddProblem(absl::StrCat("the Trackio database was not read to its end: "
                            "when the trial ended, it had more than the ",
                            kMaxTrackioBacklog, " bytes that are read then"),
               reading.problems);
    has_more_ = false;
    return reading;
  }
  for (int tries = 1; tries <= kMostTries; ++tries) {
    Trial trial = TryToRead(folder, owner, final, stamp, is_shortage);
    const Stamp after = StampIn(folder);
    // A process that survived the attempt may change it all the time.
    if (after == stamp || (final && tries == kMostTries)) {
      stamp_ = stamp;
      status_ = std::move(trial.status);
      NoteFailure(final, trial.reading);
      is_settled_ = after.changed + kClockTick < now && !is_shortage;
      progress_ = trial.progress;
      has_more_ = trial.reading.has_more;
      return std::move(trial.reading);
    }
    stamp = after;
  }
  return {};
}

}  // namespace vernier
