#include "store/private_database.h"

#include <sys/stat.h>

#include "absl/strings/str_cat.h"
#include "store/schema.h"
#include "study/status_macros.h"

namespace vernier {

absl::StatusOr<std::unique_ptr<SqliteDatabase>> OpenPrivateDatabase(
    const std::string& path, const std::vector<const char*>& migrations) {
  // Before there is anything in it to be read.
  const mode_t old_mask = umask(0177);
  auto database = SqliteDatabase::Open(path, {});
  umask(old_mask);
  if (!database.ok()) return database.status();
  VERNIER_RETURN_IF_ERROR(ConfigureConnection(**database));
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t found,
                           (*database)->QueryInt("PRAGMA user_version"));
  const auto newest = static_cast<std::int64_t>(migrations.size());
  if (found > newest) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, " has schema version ", found,
                     ", but this program knows versions up to ", newest,
                     "; use a newer release of vernier. Nothing was changed."));
  }
  VERNIER_RETURN_IF_ERROR(Migrate(**database, migrations));
  return database;
}

}  // namespace vernier
