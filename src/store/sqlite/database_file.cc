#include "store/sqlite/database_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"
#include "store/pages/log_marker.h"
#include "store/pages/page_checksum.h"
#include "store/pages/page_scan.h"
#include "store/pages/store_file_error.h"
#include "store/pages/store_location.h"

namespace vernier {
namespace {

// Reading so much takes a second at most, on a slow disk.
constexpr std::int64_t kScannedAtStart = std::int64_t{256} << 20;

constexpr char kAdvice[] =
    "; `vernier check` says what is damaged and what is not. Restore a backup "
    "of the data directory (docs/operations.md)";

absl::Status SyncPath(const std::string& path) {
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.is_open() && fsync(file.get()) == 0) return absl::OkStatus();
  return StoreFileError("cannot sync", path, errno);
}

// Moves the log into the database and removes it durably. If it came back after
// a loss of power, it would be applied to the copy.
absl::Status EmptyLog(SqliteDatabase& database, const std::string& path) {
  VERNIER_ASSIGN_OR_RETURN(const std::string mode,
                           database.QueryText("PRAGMA journal_mode = DELETE"));
  if (mode != "delete" || access((path + "-wal").c_str(), F_OK) == 0) {
    return absl::InternalError("cannot remove its write-ahead log");
  }
  return SyncPath(FolderOf(path));
}

// Damage that SQLite can detect must not get a valid checksum.
absl::Status CheckStructure(SqliteDatabase& database, const std::string& path) {
  VERNIER_ASSIGN_OR_RETURN(const std::string found,
                           database.QueryText("PRAGMA quick_check(1)"));
  if (found == "ok") return absl::OkStatus();
  return DamagedDatabase(path, found);
}

// SQLite would make the file readable by everyone.
absl::Status MakeEmptyPrivateFile(const std::string& path) {
  unlink(path.c_str());
  const UniqueFd file(
      open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.is_open()) return absl::OkStatus();
  return StoreFileError("cannot make", path, errno);
}

absl::Status WriteCopy(const std::string& path, const std::string& copy,
                       const std::string& vfs) {
  VERNIER_ASSIGN_OR_RETURN(const std::unique_ptr<SqliteDatabase> database,
                           SqliteDatabase::Open(path, {false, vfs, false}));
  VERNIER_RETURN_IF_ERROR(database->Execute("PRAGMA locking_mode = EXCLUSIVE"));
  VERNIER_RETURN_IF_ERROR(database->Execute("PRAGMA cell_size_check = ON"));
  VERNIER_RETURN_IF_ERROR(CheckStructure(*database, path));
  VERNIER_RETURN_IF_ERROR(EmptyLog(*database, path));
  VERNIER_RETURN_IF_ERROR(MakeEmptyPrivateFile(copy));
  // New pages reserve the bytes that SqliteDatabase asks for.
  VERNIER_ASSIGN_OR_RETURN(SqliteStatement vacuum,
                           database->Prepare("VACUUM INTO ?"));
  return vacuum.Run(std::string_view(copy));
}

absl::Status CheckPages(const std::string& path, const DatabaseHeader& header,
                        const LogContents& log) {
  VERNIER_ASSIGN_OR_RETURN(const PageScan scan, ScanPages(path, header, log));
  if (scan.damaged.empty()) return absl::OkStatus();
  return DamagedDatabase(
      path, absl::StrCat(DamagedPagesText(scan), " of ", scan.pages,
                         scan.damaged.size() == 1 ? " does" : " do",
                         " not match the checksum"));
}

// The header of the last commit, which may be in the log.
absl::StatusOr<DatabaseHeader> HeaderOfLastCommit(const std::string& path,
                                                  const DatabaseHeader& header,
                                                  const LogContents& log) {
  const auto first_page = log.pages.find(1);
  if (first_page == log.pages.end()) return header;
  constexpr std::int64_t kFrameHeaderBytes = 24;
  return ReadDatabaseHeader(
      path + "-wal", log.FrameOffset(first_page->second) + kFrameHeaderBytes);
}

// True for a database that an older release began to make, but did not finish.
absl::StatusOr<bool> HasNoTables(const std::string& path,
                                 const std::string& vfs) {
  VERNIER_ASSIGN_OR_RETURN(const std::unique_ptr<SqliteDatabase> database,
                           SqliteDatabase::Open(path, {false, vfs, false}));
  database->LeaveUntouchedOnClose();
  VERNIER_RETURN_IF_ERROR(database->Execute("PRAGMA locking_mode = EXCLUSIVE"));
  VERNIER_ASSIGN_OR_RETURN(
      const std::int64_t tables,
      database->QueryInt("SELECT count(*) FROM sqlite_schema"));
  return tables == 0;
}

absl::Status AddChecksums(const std::string& path, const std::string& vfs) {
  const std::string copy = path + ".converting";
  absl::Status status = WriteCopy(path, copy, vfs);
  // The copy is synced before the rename: after a loss of power the name must
  // not lead to one that was never written.
  if (status.ok()) status = SyncPath(copy);
  if (status.ok()) {
    const absl::StatusOr<DatabaseHeader> header = ReadDatabaseHeader(copy);
    status = header.status();
    if (status.ok() && !header->is_new) status = CheckPages(copy, *header, {});
  }
  if (status.ok() && rename(copy.c_str(), path.c_str()) != 0) {
    status = StoreFileError("cannot rename", copy, errno);
  }
  if (!status.ok()) {
    unlink(copy.c_str());
    return status;
  }
  return SyncPath(FolderOf(path));
}

}  // namespace

absl::Status DamagedDatabase(const std::string& path, const std::string& what) {
  return absl::DataLossError(
      absl::StrCat(path, " is damaged: ", what, kAdvice));
}

absl::Status WithDatabasePath(const std::string& path,
                              const absl::Status& status) {
  if (status.ok()) return status;
  const std::string message(status.message());
  const bool has_path = absl::StrContains(message, path);
  const bool has_advice = absl::StrContains(message, kAdvice);
  return absl::Status(
      status.code(),
      absl::StrCat(has_path ? "" : path + ": ", message,
                   absl::IsDataLoss(status) && !has_advice ? kAdvice : ""));
}

std::optional<LogMark> ReadPromise(const std::string& path,
                                   const DatabaseHeader& header,
                                   const LogContents& log) {
  const std::optional<LogMark> mark = LogMarker::Read(path + "-mark");
  if (!mark.has_value() || log.bytes > 0 || mark->newest.page <= 0) return mark;
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::vector<unsigned char> page(static_cast<std::size_t>(header.page_size));
  const off_t offset = (mark->newest.page - 1) * header.page_size;
  if (!file.is_open() || pread(file.get(), page.data(), page.size(), offset) !=
                             static_cast<ssize_t>(page.size())) {
    return mark;
  }
  std::uint64_t seal = 0;
  std::memcpy(&seal, page.data() + page.size() - kChecksumBytes,
              kChecksumBytes);
  if (seal != mark->newest.seal ||
      !IsSealed(page.data(), page.size(), mark->newest.page)) {
    return mark;
  }
  return std::nullopt;
}

absl::StatusOr<std::optional<LogNote>> PrepareDatabaseFile(
    const std::string& path, std::int64_t first_with_checksums,
    const std::string& vfs) {
  VERNIER_ASSIGN_OR_RETURN(const DatabaseHeader header,
                           ReadDatabaseHeader(path));
  if (header.is_new) {
    // A log without its database: the file was lost or replaced.
    return JudgeLog(path + "-wal", {}, LogMarker::Read(path + "-mark"));
  }
  VERNIER_ASSIGN_OR_RETURN(const LogContents log,
                           ReadWriteAheadLog(path + "-wal", header.page_size));
  std::optional<LogNote> note =
      JudgeLog(path + "-wal", log, ReadPromise(path, header, log));
  if (header.reserved_bytes == kChecksumBytes) {
    if (header.file_bytes <= kScannedAtStart) {
      VERNIER_RETURN_IF_ERROR(CheckPages(path, header, log));
    }
    return note;
  }
  VERNIER_ASSIGN_OR_RETURN(const DatabaseHeader newest,
                           HeaderOfLastCommit(path, header, log));
  // Such a database has had checksums since it was made, so it is its header
  // that is damaged.
  if (header.user_version >= first_with_checksums ||
      newest.user_version >= first_with_checksums) {
    return DamagedDatabase(path, "its header says that it has no checksums");
  }
  if (newest.user_version == 0) {
    VERNIER_ASSIGN_OR_RETURN(const bool is_empty, HasNoTables(path, vfs));
    // It belongs to another program; opening it will report that.
    if (!is_empty) return note;
  }
  VERNIER_RETURN_IF_ERROR(WithDatabasePath(path, AddChecksums(path, vfs)));
  return note;
}

}  // namespace vernier
