#include "store/sqlite/private_database.h"

#include <sys/stat.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/sqlite/database_file.h"

namespace vernier {
namespace {

absl::StatusOr<std::unique_ptr<SqliteDatabase>> OpenAndMigrate(
    const std::string& path, const Schema& schema) {
  SqliteDatabase::Options options;
  options.marks_log = true;
  // The mode is set before the file has any content.
  const mode_t old_mask = umask(0177);
  auto opened = SqliteDatabase::Open(path, options);
  umask(old_mask);
  VERNIER_ASSIGN_OR_RETURN(auto database, std::move(opened));
  VERNIER_RETURN_IF_ERROR(ConfigureConnection(*database));
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t found,
                           database->QueryInt("PRAGMA user_version"));
  const absl::Status known = CheckSchemaVersion(path, schema, found);
  if (!known.ok()) {
    database->LeaveUntouchedOnClose();
    return known;
  }
  VERNIER_RETURN_IF_ERROR(Migrate(*database, schema));
  return database;
}

}  // namespace

absl::StatusOr<PrivateDatabase> OpenPrivateDatabase(const std::string& path,
                                                    const Schema& schema) {
  PrivateDatabase opened;
  VERNIER_ASSIGN_OR_RETURN(opened.log_note, PrepareDatabaseFile(path, schema));
  auto database = OpenAndMigrate(path, schema);
  if (!database.ok()) return WithDatabasePath(path, database.status());
  opened.database = *std::move(database);
  return opened;
}

}  // namespace vernier
