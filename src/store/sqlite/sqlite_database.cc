#include "store/sqlite/sqlite_database.h"

#include <sqlite3.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "store/pages/page_checksum.h"

namespace vernier {
namespace {

absl::Status StatusOf(int code, const std::string& message) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return absl::ResourceExhaustedError(
          absl::StrCat("the disk with the database is full: ", message));
    case SQLITE_NOMEM:
      return absl::ResourceExhaustedError("out of memory in the database");
    case SQLITE_CONSTRAINT:
      return absl::InternalError(
          absl::StrCat("the schema refused a write: ", message));
    case SQLITE_TOOBIG:
      return absl::InvalidArgumentError(
          absl::StrCat("a value is too big for the database: ", message));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return absl::AbortedError(
          absl::StrCat("another process has the database: ", message));
    default:
      return absl::DataLossError(absl::StrCat("the database failed: ", message,
                                              " (SQLite code ", code, ")"));
  }
}

}  // namespace

SqliteStatement::SqliteStatement(SqliteStatement&& other) noexcept
    : database_(other.database_),
      statement_(std::exchange(other.statement_, nullptr)) {}

SqliteStatement& SqliteStatement::operator=(SqliteStatement&& other) noexcept {
  std::swap(database_, other.database_);
  std::swap(statement_, other.statement_);
  return *this;
}

SqliteStatement::~SqliteStatement() { sqlite3_finalize(statement_); }

absl::Status SqliteStatement::Reset() {
  // sqlite3_reset returns the error of the last Step again, which was reported
  // before.
  sqlite3_reset(statement_);
  return absl::OkStatus();
}

absl::StatusOr<bool> SqliteStatement::Step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return database_->Check(code);
}

absl::Status SqliteStatement::Bind(int index, std::int64_t value) {
  return database_->Check(sqlite3_bind_int64(statement_, index, value));
}

absl::Status SqliteStatement::Bind(int index, std::string_view text) {
  // A null pointer would bind NULL instead of an empty text.
  const char* data = text.data() == nullptr ? "" : text.data();
  return database_->Check(sqlite3_bind_text64(
      statement_, index, data, text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

absl::Status SqliteStatement::Bind(int index, const Blob& blob) {
  // A null pointer would bind NULL instead of no bytes.
  const char* data = blob.bytes.data() == nullptr ? "" : blob.bytes.data();
  return database_->Check(sqlite3_bind_blob64(
      statement_, index, data, blob.bytes.size(), SQLITE_STATIC));
}

absl::Status SqliteStatement::Bind(int index,
                                   const std::optional<std::int64_t>& value) {
  if (value.has_value()) return Bind(index, *value);
  return database_->Check(sqlite3_bind_null(statement_, index));
}

bool SqliteStatement::IsNull(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t SqliteStatement::Int(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::optional<std::int64_t> SqliteStatement::OptionalInt(int column) const {
  if (IsNull(column)) return std::nullopt;
  return Int(column);
}

std::string SqliteStatement::Text(int column) const {
  return std::string(View(column));
}

std::string_view SqliteStatement::View(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  if (text == nullptr) return "";
  return std::string_view(reinterpret_cast<const char*>(text),
                          static_cast<std::size_t>(size));
}

std::string SqliteStatement::Bytes(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  if (bytes == nullptr) return "";
  return std::string(static_cast<const char*>(bytes),
                     static_cast<std::size_t>(size));
}

void SqliteStatement::ReadAllColumns() const {
  const int count = sqlite3_column_count(statement_);
  for (int i = 0; i < count; ++i) sqlite3_column_blob(statement_, i);
}

absl::StatusOr<std::unique_ptr<SqliteDatabase>> SqliteDatabase::Open(
    const std::string& path, const Options& options) {
  auto vfs = std::make_unique<ChecksumVfs>(options.vfs);
  if (vfs->name().empty()) {
    return absl::InternalError("there is no SQLite VFS: " + options.vfs);
  }
  sqlite3* handle = nullptr;
  // No mutex: one thread at a time uses the connection.
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
                    (options.create ? SQLITE_OPEN_CREATE : 0);
  const int code =
      sqlite3_open_v2(path.c_str(), &handle, flags, vfs->name().c_str());
  if (handle == nullptr) return StatusOf(SQLITE_NOMEM, "");
  auto database = std::unique_ptr<SqliteDatabase>(
      new SqliteDatabase(handle, std::move(vfs)));
  VERNIER_RETURN_IF_ERROR(database->Check(code));
  sqlite3_extended_result_codes(handle, 1);
  // This affects only a database that is created, or copied by VACUUM, from now
  // on.
  int reserved = kChecksumBytes;
  VERNIER_RETURN_IF_ERROR(database->Check(sqlite3_file_control(
      handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved)));
  if (options.marks_log) {
    VERNIER_ASSIGN_OR_RETURN(database->marker_,
                             LogMarker::Open(path + "-mark", path + "-wal"));
  }
  return database;
}

SqliteDatabase::SqliteDatabase(sqlite3* handle,
                               std::unique_ptr<ChecksumVfs> vfs)
    : handle_(handle), vfs_(std::move(vfs)) {
  AllowSchemaText(false);
  // Replaces SQLite's own hook, which would run a checkpoint inside a commit
  // and make its caller wait. It runs after the sync of each commit.
  sqlite3_wal_hook(
      handle_,
      [](void* self, sqlite3*, const char*, int pages) {
        auto* const database = static_cast<SqliteDatabase*>(self);
        database->wal_pages_ = pages;
        if (database->marker_)
          database->marker_->Advance(pages, database->vfs_->newest_frame());
        return SQLITE_OK;
      },
      this);
}

SqliteDatabase::~SqliteDatabase() {
  // Closing empties the log. If the mark cannot be withdrawn first, a later
  // start may report a loss falsely, which is better than missing one.
  if (marker_) (void)marker_->Withdraw();
  sqlite3_close_v2(handle_);
}

void SqliteDatabase::AllowSchemaText(bool is_allowed) {
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, is_allowed ? 0 : 1,
                    nullptr);
}

absl::Status SqliteDatabase::Execute(const char* sql) {
  return Check(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr));
}

absl::StatusOr<SqliteStatement> SqliteDatabase::Prepare(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  VERNIER_RETURN_IF_ERROR(Check(sqlite3_prepare_v3(
      handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr)));
  return SqliteStatement(this, statement);
}

absl::StatusOr<std::int64_t> SqliteDatabase::QueryInt(const char* sql) {
  VERNIER_ASSIGN_OR_RETURN(SqliteStatement statement, Prepare(sql));
  VERNIER_ASSIGN_OR_RETURN(const bool has_row, statement.Step());
  return has_row ? statement.Int(0) : 0;
}

absl::StatusOr<std::string> SqliteDatabase::QueryText(const char* sql) {
  VERNIER_ASSIGN_OR_RETURN(SqliteStatement statement, Prepare(sql));
  VERNIER_ASSIGN_OR_RETURN(const bool has_row, statement.Step());
  return has_row ? statement.Text(0) : "";
}

bool SqliteDatabase::in_transaction() const {
  return sqlite3_get_autocommit(handle_) == 0;
}

std::int64_t SqliteDatabase::changes() const {
  return sqlite3_changes64(handle_);
}

std::int64_t SqliteDatabase::last_insert_rowid() const {
  return sqlite3_last_insert_rowid(handle_);
}

absl::Status SqliteDatabase::Checkpoint() {
  // The mark is withdrawn first, because a mark that is ahead of its log would
  // be taken for a loss.
  if (marker_) VERNIER_RETURN_IF_ERROR(marker_->Withdraw());
  const int code = sqlite3_wal_checkpoint_v2(
      handle_, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  if (code == SQLITE_OK) wal_pages_ = 0;
  return Check(code);
}

void SqliteDatabase::LeaveUntouchedOnClose() {
  // The destructor would withdraw the mark, which is a write as well.
  marker_.reset();
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

absl::Status SqliteDatabase::TakeFailure() {
  return std::exchange(failure_, absl::OkStatus());
}

absl::Status SqliteDatabase::Check(int code) {
  if (code == SQLITE_OK) return absl::OkStatus();
  const int extended = sqlite3_extended_errcode(handle_);
  absl::Status status = extended == SQLITE_IOERR_DATA
                            ? absl::DataLossError(vfs_->fault())
                            : StatusOf(extended, sqlite3_errmsg(handle_));
  const bool concerns_one_statement =
      status.code() == absl::StatusCode::kInternal ||
      status.code() == absl::StatusCode::kInvalidArgument;
  if (!concerns_one_statement && failure_.ok()) failure_ = status;
  return status;
}

}  // namespace vernier
