#ifndef VERNIER_DAEMON_DATABASES_H_
#define VERNIER_DAEMON_DATABASES_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "daemon/data_dir.h"
#include "store/access/quota_store.h"
#include "store/access/token_store.h"
#include "store/pages/write_ahead_log.h"
#include "store/store.h"

namespace vernier {

/// The databases of one service, open.
struct Databases {
  std::unique_ptr<Store> store;
  std::unique_ptr<TokenStore> tokens;
  std::unique_ptr<QuotaStore> quotas;
  std::string secret;  ///< TokenStore::Secret.
};

/// Returns a line, with the consequence, for each database that is missing
/// although the database of the studies, which every service makes with the
/// others, exists: that of the tokens, or that of the quotas. Empty if none is
/// missing, and if the studies' database is new or of a release before the
/// others. It is new if the databases were not all made yet and it has no
/// studies.
std::vector<std::string> MissingDatabases(const DataDir& data_dir,
                                          bool has_studies);

/// Opens or makes the databases in `data_dir`, which must exist. Reports what
/// is missing, and each log of writes that ends early, as soon as its database
/// is open. Errors: those of CheckDatabaseIsThere and SqliteStore::Open, which
/// ExitCodeFor maps.
absl::StatusOr<Databases> OpenDatabases(
    const DataDir& data_dir, const std::function<void(const LogNote&)>& tell);

}  // namespace vernier

#endif  // VERNIER_DAEMON_DATABASES_H_
