#ifndef VERNIER_STORE_FOREIGN_FOREIGN_DATABASE_H_
#define VERNIER_STORE_FOREIGN_FOREIGN_DATABASE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

struct sqlite3;
struct sqlite3_stmt;

namespace vernier {

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

 private:
  sqlite3_stmt* statement_;
};

/// A SQLite file of another program, which is read and never written: neither
/// the file nor one beside it. A file whose write-ahead log holds something is
/// read from a private copy of both, since SQLite would write beside it.
///
/// The file is not trusted. Only the tables that are named when it is opened
/// are read; they must be ordinary ones, no function is called, and sizes and
/// work are bounded.
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
  /// The most rows, and bytes of texts, that are read in all.
  static constexpr std::int64_t kMostRows = 20'000'000;
  static constexpr std::int64_t kMostTextBytes = std::int64_t{1} << 30;
  /// The longest value.
  static constexpr int kMostValueBytes = 16 << 20;

  /// `tables` has the names of those that must be there and may be read.
  static absl::StatusOr<std::unique_ptr<ForeignDatabase>> Open(
      const std::string& path, const std::set<std::string>& tables);
  /// Returns whether a file begins as every SQLite database does.
  static bool IsDatabase(const std::string& path);
  ~ForeignDatabase();
  ForeignDatabase(const ForeignDatabase&) = delete;
  ForeignDatabase& operator=(const ForeignDatabase&) = delete;

  /// Returns whether one of the tables has a column of this name.
  bool HasColumn(const std::string& table, const std::string& column) const;

  /// Passes the rows of a SELECT to `take` until one fails. `sql` must be a
  /// literal. All calls see the same state of the file.
  absl::Status ForEachRow(
      const char* sql,
      const std::function<absl::Status(const ForeignRow&)>& take);

 private:
  ForeignDatabase(std::string path, std::set<std::string> tables);

  absl::Status Connect(const std::string& file, bool is_immutable);
  absl::Status CheckTables();
  void Restrict();
  absl::Status Error(int code) const;
  static int Allow(void* self, int action, const char* first,
                   const char* second, const char* database,
                   const char* trigger);
  static int CountWork(void* self);

  const std::string path_;
  const std::set<std::string> tables_;
  std::string copy_;  // A private folder that is removed; empty: none.
  sqlite3* handle_ = nullptr;
  std::int64_t rows_ = 0;
  std::int64_t text_bytes_ = 0;
  std::int64_t work_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_STORE_FOREIGN_FOREIGN_DATABASE_H_
