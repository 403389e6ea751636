#ifndef VERNIER_STORE_CHECK_DATABASE_CHECK_H_
#define VERNIER_STORE_CHECK_DATABASE_CHECK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/check/table_rows.h"
#include "store/pages/page_scan.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_database.h"

namespace vernier {

/// The result of checking one database file.
struct DatabaseReport {
  std::string path;
  bool exists = false;
  PageScan pages;
  std::int64_t log_pages = 0;  ///< Committed ones in the write-ahead log.
  /// The number of rows of each table, by its name.
  std::vector<std::pair<std::string, std::int64_t>> rows;
  std::vector<std::string> notes;  ///< Worth knowing, and no damage.
  Violations violations;           ///< One line for each fault.
};

/// Checks a database on a copy in a temporary folder, which is removed with
/// this object; the file itself is not changed.
class DatabaseUnderCheck {
 public:
  /// Reads the file, its log and its mark, compares pages with their checksums,
  /// and lets SQLite check the structure. Nobody may write meanwhile: the
  /// caller holds the folder's StoreLock.
  ///
  /// Damage is in the report. Errors: those of CheckSchemaVersion;
  /// RESOURCE_EXHAUSTED, INTERNAL: it cannot be read or copied.
  static absl::StatusOr<DatabaseUnderCheck> Look(const std::string& path,
                                                 const Schema& schema);

  DatabaseUnderCheck(DatabaseUnderCheck&& other) noexcept;
  DatabaseUnderCheck& operator=(DatabaseUnderCheck&&) = delete;
  ~DatabaseUnderCheck();

  DatabaseReport& report() { return report_; }
  /// The copy; null if there is no file, or if it is too damaged to compare its
  /// contents.
  SqliteDatabase* database() { return database_.get(); }

  /// Adds the message of `status` to the violations, with the original's path.
  void AddFailure(const std::string& what, const absl::Status& status);

 private:
  explicit DatabaseUnderCheck(const std::string& path);

  absl::Status ReadFiles(const Schema& schema);
  absl::Status CopyFiles();
  bool ReadTables();
  bool ReadStructure();

  std::string copy_folder_;
  DatabaseReport report_;
  std::unique_ptr<SqliteDatabase> database_;
};

/// Checks access.db or quotas.db: pages, log and structure.
absl::StatusOr<DatabaseReport> CheckPrivateDatabase(const std::string& path,
                                                    const Schema& schema);

}  // namespace vernier

#endif  // VERNIER_STORE_CHECK_DATABASE_CHECK_H_
