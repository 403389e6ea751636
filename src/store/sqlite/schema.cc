#include "store/sqlite/schema.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/migrations/studies_0015.h"
#include "store/migrations/studies_0016.h"
#include "store/migrations/studies_0017.h"
#include "store/migrations/studies_0018.h"
#include "store/migrations/studies_0019.h"
#include "store/migrations/studies_base.h"

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
                       std::int64_t version) {
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

const Schema& StudiesSchema() {
  static const Schema* const kSchema =
      new Schema{14,
                 kStudiesBase,
                 {kStudies15, kStudies16, kStudies17, kStudies18, kStudies19}};
  return *kSchema;
}

absl::Status CheckSchemaVersion(const std::string& path, const Schema& schema,
                                std::int64_t found) {
  constexpr char kUnchanged[] = " Nothing was changed.";
  if (found > schema.newest()) {
    return absl::FailedPreconditionError(absl::StrCat(
        path, " has schema version ", found,
        ", but this program knows versions up to ", schema.newest(),
        "; use a newer release of vernier.", kUnchanged));
  }
  if (found == 0 || found >= schema.oldest) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      path, " has schema version ", found,
      ", which was used while the first release was developed; releases know ",
      "versions from ", schema.oldest, " on. Use another data directory.",
      kUnchanged));
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
  // FULL, because an answer promises that a write is on the disk. NORMAL would
  // sync the log at checkpoints only.
  VERNIER_RETURN_IF_ERROR(database.Execute("PRAGMA synchronous = FULL"));
  return database.Execute("PRAGMA journal_size_limit = 67108864");
}

absl::Status Migrate(SqliteDatabase& database, const Schema& schema) {
  VERNIER_ASSIGN_OR_RETURN(std::int64_t version,
                           database.QueryInt("PRAGMA user_version"));
  if (version == schema.newest()) return absl::OkStatus();
  // A step may rebuild a table. With foreign keys on, dropping the old table
  // would delete the rows that refer to it. They cannot be switched inside a
  // transaction.
  VERNIER_RETURN_IF_ERROR(database.Execute("PRAGMA foreign_keys = OFF"));
  // A step may also change the text of a table's definition.
  database.AllowSchemaText(true);
  absl::Status status;
  if (version == 0) {
    status = ApplyStep(database, schema.base, schema.oldest);
    version = schema.oldest;
  }
  for (; version < schema.newest() && status.ok(); ++version) {
    const auto step = static_cast<std::size_t>(version - schema.oldest);
    status = ApplyStep(database, schema.later[step], version + 1);
  }
  database.AllowSchemaText(false);
  status.Update(database.Execute("PRAGMA foreign_keys = ON"));
  VERNIER_RETURN_IF_ERROR(status);
  // An older program must see the version in the file's header, not only in the
  // log, to refuse it without touching anything.
  return database.Checkpoint();
}

}  // namespace vernier
