#ifndef VERNIER_STORE_SQLITE_SQLITE_DATABASE_H_
#define VERNIER_STORE_SQLITE_SQLITE_DATABASE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "store/pages/checksum_vfs.h"
#include "store/pages/log_marker.h"

struct sqlite3;
struct sqlite3_stmt;

namespace vernier {

class SqliteDatabase;

/// Bytes to bind as a BLOB; borrowed.
struct Blob {
  std::string_view bytes;
};

/// A prepared statement; it must die before its database. Not thread-safe.
class SqliteStatement {
 public:
  SqliteStatement() = default;
  SqliteStatement(SqliteStatement&& other) noexcept;
  SqliteStatement& operator=(SqliteStatement&& other) noexcept;
  ~SqliteStatement();

  /// Binds all `?` in order and restarts; texts are borrowed until the next
  /// Start or Run. Read rows with Step.
  template <typename... Values>
  absl::Status Start(const Values&... values) {
    VERNIER_RETURN_IF_ERROR(Reset());
    int index = 0;
    absl::Status status;
    ((status.ok() ? status = Bind(++index, values) : status), ...);
    return status;
  }

  /// Start, then runs to the end.
  template <typename... Values>
  absl::Status Run(const Values&... values) {
    return Finds(values...).status();
  }

  /// Runs it and returns true if there was a row.
  template <typename... Values>
  absl::StatusOr<bool> Finds(const Values&... values) {
    const absl::Status started = Start(values...);
    absl::StatusOr<bool> has_row = started.ok() ? Step() : started;
    // The statement has failed already, and that error is more useful than the
    // one of Reset.
    (void)Reset();
    return has_row;
  }

  /// True if there is a row to read.
  absl::StatusOr<bool> Step();

  bool IsNull(int column) const;
  std::int64_t Int(int column) const;
  std::optional<std::int64_t> OptionalInt(int column) const;
  std::string Text(int column) const;
  /// Text, valid until the next Step.
  std::string_view View(int column) const;
  /// The bytes of a BLOB.
  std::string Bytes(int column) const;
  /// Makes SQLite read all of the row; the next Step reports a failure.
  void ReadAllColumns() const;

 private:
  friend class SqliteDatabase;
  SqliteStatement(SqliteDatabase* database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}

  absl::Status Reset();
  absl::Status Bind(int index, std::int64_t value);
  absl::Status Bind(int index, int value) {
    return Bind(index, static_cast<std::int64_t>(value));
  }
  absl::Status Bind(int index, std::string_view text);
  absl::Status Bind(int index, const Blob& blob);
  absl::Status Bind(int index, const std::optional<std::int64_t>& value);

  SqliteDatabase* database_ = nullptr;  // Outlives this.
  sqlite3_stmt* statement_ = nullptr;
};

/// The one connection to a database file. Its pages have checksums unless an
/// older release made it. All of SQLite's return codes go through Check. Not
/// thread-safe: one thread at a time may use it.
///
/// Status codes: RESOURCE_EXHAUSTED: disk or memory is full, the transaction
/// must be rolled back; INTERNAL: a constraint of the schema refused a write;
/// INVALID_ARGUMENT: a value is too big; ABORTED: another process has the file;
/// DATA_LOSS: everything else, and final.
class SqliteDatabase {
 public:
  struct Options {
    bool create = true;
    /// The VFS below ChecksumVfs; empty: the system's. Tests inject faults.
    std::string vfs;
    /// Keeps a LogMarker beside the file, `-mark`. An older mark must be read
    /// before.
    bool marks_log = false;
  };

  static absl::StatusOr<std::unique_ptr<SqliteDatabase>> Open(
      const std::string& path, const Options& options);
  ~SqliteDatabase();
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  /// Runs statements whose results are not needed. `sql` must be a literal.
  absl::Status Execute(const char* sql);
  absl::StatusOr<SqliteStatement> Prepare(const char* sql);
  /// Returns the single integer that `sql` selects, such as a pragma's value; 0
  /// if there is no row.
  absl::StatusOr<std::int64_t> QueryInt(const char* sql);
  absl::StatusOr<std::string> QueryText(const char* sql);

  bool in_transaction() const;
  /// Returns the number of rows that the last statement changed.
  std::int64_t changes() const;
  std::int64_t last_insert_rowid() const;

  /// Lets statements change the text of the schema (PRAGMA writable_schema), as
  /// migrations may; at the opening it is forbidden.
  void AllowSchemaText(bool is_allowed);

  /// Moves the write-ahead log into the file and empties it.
  absl::Status Checkpoint();
  /// Returns the number of pages in the write-ahead log after the last commit.
  int wal_pages() const { return wal_pages_; }

  /// Makes closing leave the file and its log unchanged.
  void LeaveUntouchedOnClose();

  /// Returns OK, or the first error since the last call that concerns the
  /// storage and not one statement: RESOURCE_EXHAUSTED, ABORTED or DATA_LOSS.
  absl::Status TakeFailure();

 private:
  friend class SqliteStatement;
  SqliteDatabase(sqlite3* handle, std::unique_ptr<ChecksumVfs> vfs);

  /// Returns OK, or the error for a return code.
  absl::Status Check(int code);

  sqlite3* handle_ = nullptr;
  int wal_pages_ = 0;
  std::unique_ptr<ChecksumVfs> vfs_;  // Outlives handle_.
  std::optional<LogMarker> marker_;
  absl::Status failure_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_SQLITE_DATABASE_H_
