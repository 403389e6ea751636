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

namespace vernier {
namespace {

absl::Status ApplyStep(SqliteDatabase& database, const char* step,
                       std::size_t version) {
  VERNIER_RETURN_IF_ERROR(database.Execute("BEGIN IMMEDIATE"));
  absl::Status status = database.Execute(step);
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
          kMigration0005, kMigration0006, kMigration0007, kMigration0008};
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
  VERNIER_RETURN_IF_ERROR(database.Execute("PRAGMA synchronous = FULL"));
  return database.Execute("PRAGMA journal_size_limit = 67108864");
}

absl::Status Migrate(SqliteDatabase& database,
                     const std::vector<const char*>& migrations) {
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t found,
                           database.QueryInt("PRAGMA user_version"));
  const auto first = static_cast<std::size_t>(found);
  for (std::size_t i = first; i < migrations.size(); ++i) {
    VERNIER_RETURN_IF_ERROR(ApplyStep(database, migrations[i], i + 1));
  }
  if (first == migrations.size()) return absl::OkStatus();
  // The version must be in the file's header, not only in the log, so that an
  // older program can refuse the file without touching it.
  return database.Checkpoint();
}

}  // namespace vernier
