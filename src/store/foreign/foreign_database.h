#ifndef VERNIER_STORE_FOREIGN_FOREIGN_DATABASE_H_
#define VERNIER_STORE_FOREIGN_FOREIGN_DATABASE_H_

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

struct sqlite3;
struct sqlite3_stmt;

namespace vernier {

class OpenFileVfs;

/// What may be read of a database, and at what cost.
struct ForeignLimits {
  /// The most rows, and bytes of texts and blobs, that are read in all.
  std::int64_t rows = 20'000'000;
  std::int64_t text_bytes = std::int64_t{1} << 30;
  /// The longest value, and the longest definition of a table or index.
  int value_bytes = 16 << 20;
  int definition_bytes = 16 << 20;
  /// The most columns of a table.
  int columns = 2000;
  /// The steps of SQLite's machine between two looks at what was done, and the
  /// most looks: minutes of work, which no file of these sizes needs.
  int steps_of_look = 1'000'000;
  std::int64_t looks = 20'000;
  /// The most looks while the definitions of all tables are read, which SQLite
  /// keeps in memory: about eight steps for each.
  std::int64_t opening_looks = 20'000;
};

/// The open files of a database, which a program may be writing to.
struct ForeignFiles {
  std::string name;   ///< For messages.
  int database = -1;  ///< Borrowed until the ForeignDatabase goes away.
  int log = -1;       ///< Likewise: its write-ahead log; -1: there is none.
};

/// One row of a result, valid within the call that got it. Types are SQLite's
/// own: a column may hold anything, whatever its table declares.
class ForeignRow {
 public:
  explicit ForeignRow(sqlite3_stmt* statement) : statement_(statement) {}

  bool IsNull(int column) const;
  /// nullopt unless the value is an integer.
  std::optional<std::int64_t> Int(int column) const;
  /// nullopt unless the value is an integer or a real number.
  std::optional<double> Number(int column) const;
  /// nullopt unless the value is a text.
  std::optional<std::string> Text(int column) const;
  /// nullopt unless the value is a text or a blob. Lives as long as the row.
  std::optional<std::string_view> Bytes(int column) const;

 private:
  sqlite3_stmt* statement_;
};

/// A SQLite file of another program, which is read and never written: neither
/// the file nor one beside it. A file whose write-ahead log holds something is
/// read from a private copy of both, since SQLite would write beside it.
///
/// The file is not trusted. Only the tables that are named when it is opened
/// are read; they must be ordinary ones without generated columns, no function
/// is called, and sizes and work are bounded.
///
/// Errors: NOT_FOUND: there is no file; INVALID_ARGUMENT: it is no SQLite
/// database, or has no such tables; FAILED_PRECONDITION: its writer died in the
/// middle of a change; UNAVAILABLE: its writer holds it; RESOURCE_EXHAUSTED: it
/// is too large; DATA_LOSS: it is damaged. Not thread-safe: one thread at a
/// time may use it.
class ForeignDatabase {
 public:
  /// The largest file, of the database and its log.
  static constexpr std::int64_t kMostFileBytes = std::int64_t{4} << 30;

  /// `tables` has the names of those that must be there and may be read.
  static absl::StatusOr<std::unique_ptr<ForeignDatabase>> Open(
      const std::string& path, const std::set<std::string>& tables);

  /// Reads the bytes of open files alone: takes no lock, waits for none, makes
  /// and changes no file, and opens none. So a program that writes to them
  /// meanwhile is not disturbed, but may change them between two of our reads.
  /// Believe the rows only if the files did not change until the last of them;
  /// otherwise any error, or other rows, may come. A rollback journal is not
  /// looked at: where there is one, its writer is in the middle of a change.
  ///
  /// Costs a read of the whole log, whose size the caller bounds.
  static absl::StatusOr<std::unique_ptr<ForeignDatabase>> OpenFiles(
      const ForeignFiles& files, const std::set<std::string>& tables,
      const ForeignLimits& limits);
  /// Returns whether a file begins as every SQLite database does.
  static bool IsDatabase(const std::string& path);
  ~ForeignDatabase();
  ForeignDatabase(const ForeignDatabase&) = delete;
  ForeignDatabase& operator=(const ForeignDatabase&) = delete;

  /// Returns whether one of the tables has a column of this name.
  bool HasColumn(const std::string& table, const std::string& column) const;

  /// Passes the rows of a SELECT to `take` until one fails. `sql` must be a
  /// literal; `numbers` are the values of its ?1, ?2 and so on. All calls see
  /// the same state of the file.
  absl::Status ForEachRow(
      const char* sql,
      const std::function<absl::Status(const ForeignRow&)>& take,
      std::initializer_list<std::int64_t> numbers = {});

 private:
  ForeignDatabase(std::string path, std::set<std::string> tables,
                  const ForeignLimits& limits);

  absl::Status Connect(const std::string& file, bool is_immutable);
  absl::Status ConnectFiles(const ForeignFiles& files);
  absl::Status Begin(const char* pragmas);
  absl::Status CheckTables();
  absl::Status CheckColumns(const std::string& table);
  void Restrict();
  absl::Status Error(int code) const;
  static int Allow(void* self, int action, const char* first,
                   const char* second, const char* database,
                   const char* trigger);
  static int CountWork(void* self);

  const std::string path_;
  const std::set<std::string> tables_;
  const ForeignLimits limits_;
  std::unique_ptr<OpenFileVfs> open_files_;  // Null: opened by its path.
  std::string copy_;  // A private folder that is removed; empty: none.
  sqlite3* handle_ = nullptr;
  std::int64_t rows_ = 0;
  std::int64_t text_bytes_ = 0;
  bool is_opening_ = true;
  std::int64_t work_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_STORE_FOREIGN_FOREIGN_DATABASE_H_
