#include "store/check/database_check.h"

#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "store/pages/page_checksum.h"
#include "store/pages/store_location.h"
#include "store/pages/write_ahead_log.h"
#include "store/sqlite/database_file.h"

namespace vernier {
namespace {

// The original is read without SQLite: header, log, mark and pages. SQLite sees
// only a copy, because opening a database recovers its log and closing it
// empties the log, which would change the original.

namespace fs = std::filesystem;

// The largest number of damaged pages that are listed; more say nothing new.
constexpr std::size_t kPagesNamed = 50;

std::string Quoted(const std::string& name) {
  return absl::StrCat("\"", absl::StrReplaceAll(name, {{"\"", "\"\""}}), "\"");
}

absl::Status CannotCopy(const std::string& path, const std::error_code& error) {
  const std::string message = absl::StrCat(
      "cannot copy ", path, " to the temporary folder: ", error.message(),
      "; TMPDIR names another");
  return error == std::errc::no_space_on_device
             ? absl::ResourceExhaustedError(message)
             : absl::InternalError(message);
}

}  // namespace

DatabaseUnderCheck::DatabaseUnderCheck(const std::string& path) {
  report_.path = path;
}

DatabaseUnderCheck::DatabaseUnderCheck(DatabaseUnderCheck&& other) noexcept
    : copy_folder_(std::exchange(other.copy_folder_, "")),
      report_(std::move(other.report_)),
      database_(std::move(other.database_)) {}

DatabaseUnderCheck::~DatabaseUnderCheck() {
  database_.reset();
  std::error_code ignored;
  if (!copy_folder_.empty()) fs::remove_all(copy_folder_, ignored);
}

absl::StatusOr<DatabaseUnderCheck> DatabaseUnderCheck::Look(
    const std::string& path, const Schema& schema) {
  DatabaseUnderCheck check(path);
  VERNIER_RETURN_IF_ERROR(check.ReadFiles(schema));
  if (!check.report_.exists) return check;
  VERNIER_RETURN_IF_ERROR(check.CopyFiles());
  auto database =
      SqliteDatabase::Open(check.copy_folder_ + "/copy.db", {false, "", false});
  if (!database.ok()) {
    check.AddFailure("cannot be opened", database.status());
    return check;
  }
  check.database_ = *std::move(database);
  if (!check.ReadStructure()) check.database_.reset();
  return check;
}

absl::Status DatabaseUnderCheck::ReadFiles(const Schema& schema) {
  const std::string& path = report_.path;
  const absl::StatusOr<DatabaseHeader> header = ReadDatabaseHeader(path);
  if (absl::IsDataLoss(header.status())) {
    report_.violations.emplace_back(header.status().message());
    return absl::OkStatus();
  }
  VERNIER_RETURN_IF_ERROR(header.status());
  VERNIER_ASSIGN_OR_RETURN(const LogContents log,
                           ReadWriteAheadLog(path + "-wal", header->page_size));
  report_.log_pages = log.committed_frames;
  const auto note =
      JudgeLog(path + "-wal", log, ReadPromise(path, *header, log));
  if (note.has_value()) {
    (note->is_loss ? report_.violations : report_.notes).push_back(note->text);
  }
  if (header->is_new) return absl::OkStatus();
  report_.exists = true;
  const bool has_checksums = header->reserved_bytes == kChecksumBytes;
  // A service that closes a database leaves its mark, which says that the log
  // is empty. Without mark and log nobody can tell whether there was one.
  std::error_code ignored;
  if (has_checksums && !fs::exists(path + "-wal", ignored) &&
      !fs::exists(path + "-mark", ignored)) {
    report_.violations.push_back(absl::StrCat(
        path, " came without its log: neither ", path, "-wal nor ", path,
        "-mark is there, so that its newest writes may be missing; copy the "
        "whole data directory while no service runs"));
  }
  if (has_checksums) {
    VERNIER_ASSIGN_OR_RETURN(report_.pages, ScanPages(path, *header, log));
  } else {
    VERNIER_RETURN_IF_ERROR(
        CheckSchemaVersion(path, schema, header->user_version));
    report_.violations.push_back(path +
                                 ": its header says that it has no checksums");
  }
  const std::vector<std::int64_t>& damaged = report_.pages.damaged;
  for (std::size_t i = 0; i < damaged.size() && i < kPagesNamed; ++i) {
    const std::int64_t end = damaged[i] * header->page_size;
    report_.violations.push_back(absl::StrCat(
        path, ": page ", damaged[i], " (bytes ", end - header->page_size,
        " to ", end - 1, ") does not match its checksum"));
  }
  if (damaged.size() > kPagesNamed) {
    report_.violations.push_back(absl::StrCat(
        path, ": ", damaged.size() - kPagesNamed, " more pages do not match"));
  }
  if (!damaged.empty()) return absl::OkStatus();
  return CheckSchemaVersion(path, schema, header->user_version);
}

absl::Status DatabaseUnderCheck::CopyFiles() {
  std::error_code error;
  std::string folder = fs::temp_directory_path(error) / "vernier_check_XXXXXX";
  if (error || mkdtemp(folder.data()) == nullptr) {
    return absl::InternalError("cannot make a temporary folder");
  }
  copy_folder_ = folder;
  for (const char* end : {"", "-wal", "-journal"}) {
    const std::string from = report_.path + end;
    const bool is_there = fs::exists(from, error);
    if (!error && is_there)
      fs::copy_file(from, folder + "/copy.db" + end, error);
    if (error) return CannotCopy(from, error);
  }
  return absl::OkStatus();
}

void DatabaseUnderCheck::AddFailure(const std::string& what,
                                    const absl::Status& status) {
  if (status.ok()) return;
  report_.violations.push_back(absl::StrCat(
      report_.path, ": ", what, ": ",
      absl::StrReplaceAll(status.message(),
                          {{copy_folder_ + "/copy.db", report_.path}})));
}

// Reads each column of each row if pages are damaged, to find the tables that
// they belong to; otherwise only counts rows. False if a table cannot be read.
bool DatabaseUnderCheck::ReadTables() {
  std::vector<std::string> tables;
  const absl::Status listed = ForEachRow(
      *database_,
      "SELECT name FROM sqlite_schema WHERE type = 'table'"
      " AND name NOT LIKE 'sqlite_%' ORDER BY name",
      [&](const SqliteStatement& row) { tables.push_back(row.Text(0)); });
  AddFailure("its tables cannot be listed", listed);
  bool are_read = listed.ok();
  const bool is_damaged = !report_.pages.damaged.empty();
  for (const std::string& table : tables) {
    std::int64_t count = 0;
    const std::string from = absl::StrCat(" FROM ", Quoted(table));
    const absl::Status read =
        is_damaged ? ForEachRow(*database_, ("SELECT *" + from).c_str(),
                                [&](const SqliteStatement& row) {
                                  ++count;
                                  row.ReadAllColumns();
                                })
                   : ForEachRow(*database_, ("SELECT count(*)" + from).c_str(),
                                [&](const SqliteStatement& row) {
                                  count = row.Int(0);
                                });
    AddFailure(absl::StrCat("the table ", table, " cannot be read beyond ",
                            count, " rows"),
               read);
    are_read = are_read && read.ok();
    report_.rows.emplace_back(table, count);
  }
  return are_read;
}

// Returns false if a part of the structure cannot be read.
bool DatabaseUnderCheck::ReadStructure() {
  for (const char* pragma :
       {"PRAGMA locking_mode = EXCLUSIVE", "PRAGMA trusted_schema = OFF",
        "PRAGMA cell_size_check = ON", "PRAGMA mmap_size = 0"}) {
    const absl::Status set = database_->Execute(pragma);
    AddFailure("cannot be opened", set);
    if (!set.ok()) return false;
  }
  const bool are_read = ReadTables();
  // SQLite would report the same damage again.
  if (!report_.pages.damaged.empty()) return false;
  const absl::Status checked = ForEachRow(
      *database_, "PRAGMA integrity_check", [&](const SqliteStatement& row) {
        if (row.Text(0) == "ok") return;
        report_.violations.push_back("integrity_check: " + row.Text(0));
      });
  AddFailure("integrity_check", checked);
  const absl::Status keys = ForEachRow(
      *database_, "PRAGMA foreign_key_check", [&](const SqliteStatement& row) {
        report_.violations.push_back("foreign_key_check: " + row.Text(0) +
                                     " refers to no " + row.Text(2));
      });
  AddFailure("foreign_key_check", keys);
  return are_read && checked.ok() && keys.ok();
}

absl::StatusOr<DatabaseReport> CheckPrivateDatabase(const std::string& path,
                                                    const Schema& schema) {
  VERNIER_ASSIGN_OR_RETURN(DatabaseUnderCheck check,
                           DatabaseUnderCheck::Look(path, schema));
  return std::move(check.report());
}

}  // namespace vernier
