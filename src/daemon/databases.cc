#include "daemon/databases.h"

#include <optional>
#include <utility>

#include "base/random_bits.h"
#include "base/status_macros.h"
#include "store/sqlite/sqlite_store.h"

namespace vernier {

absl::StatusOr<Databases> OpenDatabases(
    const DataDir& data_dir, const std::function<void(const LogNote&)>& tell) {
  const auto tell_if_any = [&](const std::optional<LogNote>& note) {
    if (note.has_value()) tell(*note);
  };
  VERNIER_RETURN_IF_ERROR(CheckDatabaseIsThere(data_dir));
  Databases databases;
  // The first, because it takes the lock of the whole data directory.
  VERNIER_ASSIGN_OR_RETURN(auto store,
                           SqliteStore::Open(data_dir.DatabasePath()));
  tell_if_any(store->log_note());
  databases.store = std::move(store);
  VERNIER_ASSIGN_OR_RETURN(databases.tokens,
                           TokenStore::Open(data_dir.AccessPath()));
  tell_if_any(databases.tokens->log_note());
  VERNIER_ASSIGN_OR_RETURN(databases.quotas,
                           QuotaStore::Open(data_dir.QuotaPath()));
  tell_if_any(databases.quotas->log_note());
  VERNIER_ASSIGN_OR_RETURN(databases.secret,
                           databases.tokens->Secret(RandomHex() + RandomHex()));
  return databases;
}

}  // namespace vernier
