#include "store/sqlite/schema.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/migrations/migration_0001.h"
#include "store/migrations/migration_0002.h"
#include "store/migrations/migration_0003.h"
#include "store/migrations/migration_0004.h"
#include "store/migrations/migration_0005.h"
#include "store/migrations/migration_0006.h"
#include "store/migrations/migration_0007.h"
#include "store/migrations/migration_0008.h"
#include "store/migrations/migration_0009.h"
#include "store/migrations/migration_0010.h"
#include "store/migrations/migration_0011.h"
#include "store/migrations/migration_0012.h"
#include "store/migrations/migration_0013.h"
#include "store/migrations/migration_0014.h"

namespace vernier {
namespace {

// A migration runs without foreign keys, so they are checked after it.
absl::Status CheckForeignKeys(SqliteDatabase& database) {
  VERNIER_ASSIGN_OR_RETURN(SqliteStatement rows,
                           database.Prepare("PRAGMA foreign_key_check"));
  VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
  if (!has_row) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("a row of the table ", rows.Text(0),
                                          " refers to no row of ",
                                          rows.Text(2)));
}

absl::Status ApplyStep(SqliteDatabase& database, const char* step,
                       std::size_t version) {
  VERNIER_RETURN_IF_ERROR(database.Execute("BEGIN IMMEDIATE"));
  absl::Status status = database.Execute(step);
  if (status.ok()) status = CheckForeignKeys(database);
  if (status.ok()) {
    // A pragma cannot bind values.
    status = database.Execute(
        absl::StrCat("PRAGMA user_version = ", version).c_str());
  }
  if (status.ok()) status = database.Execute("COMMIT");
  if (!status.ok() && database.in_transaction()) {
    // The first error is the useful one; a failed rollback adds nothing.
    (void)database.Execute("ROLLBACK");
  }
  return status;
}

}  // namespace

const std::vector<const char*>& Migrations() {
  static const std::vector<const char*>* const kMigrations =
      new std::vector<const char*>{
          kMigration0001, kMigration0002, kMigration0003, kMigration0004,
          kMigration0005, kMigration0006, kMigration0007, kMigration0008,
          kMigration0009, kMigration0010, kMigration0011, kMigration0012,
          kMigration0013, kMigration0014};
  return *kMigrations;
}

std::int64_t NewestSchema() {
  return static_cast<std::int64_t>(Migrations().size());
}

absl::Status NewerSchemaError(const std::string& path, std::int64_t found) {
  return absl::FailedPreconditionError(
      absl::StrCat(path, " has schema version ", found,
                   ", but this program knows versions up to ", NewestSchema(),
                   "; use a newer release of vernier. Nothing was changed."));
}

absl::Status ConfigureConnection(SqliteDatabase& database) {
  // EXCLUSIVE must come before WAL: then there is no shared-memory file, and
  // every other connection is locked out.
  for (const char* pragma : {
           "PRAGMA locking_mode = EXCLUSIVE",
           "PRAGMA trusted_schema = OFF",
           "PRAGMA cell_size_check = ON",
           "PRAGMA mmap_size = 0",
           "PRAGMA temp_store = MEMORY",
           "PRAGMA cache_size = -16384",
           "PRAGMA foreign_keys = ON",
       }) {
    VERNIER_RETURN_IF_ERROR(database.Execute(pragma));
  }
  VERNIER_ASSIGN_OR_RETURN(const std::string mode,
                           database.QueryText("PRAGMA journal_mode = WAL"));
  if (mode != "wal") {
    return absl::DataLossError(
        absl::StrCat("cannot write to the database: journal mode is ", mode));
  }
  // NORMAL would sync the log at checkpoints only, and an answer says that a
  // write is on the disk.
  VERNIER_RETURN_IF_ERROR(database.Execute("PRAGMA synchronous = FULL"));
  return database.Execute("PRAGMA journal_size_limit = 67108864");
}

absl::Status Migrate(SqliteDatabase& database,
                     const std::vector<const char*>& migrations) {
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t found,
                           database.QueryInt("PRAGMA user_version"));
  const auto first = static_cast<std::size_t>(found);
  if (first == migrations.size()) return absl::OkStatus();
  // A step may make a table anew. With foreign keys on, dropping the old one
  // would delete what refers to it; inside a transaction they cannot be set.
  VERNIER_RETURN_IF_ERROR(database.Execute("PRAGMA foreign_keys = OFF"));
  absl::Status status;
  for (std::size_t i = first; i < migrations.size() && status.ok(); ++i) {
    status = ApplyStep(database, migrations[i], i + 1);
  }
  status.Update(database.Execute("PRAGMA foreign_keys = ON"));
  VERNIER_RETURN_IF_ERROR(status);
  // An older program must see the version in the file's header, not only in the
  // log, to refuse it without touching anything.
  return database.Checkpoint();
}

}  // namespace vernier
