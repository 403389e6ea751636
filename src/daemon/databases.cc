#include "daemon/databases.h"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/random_bits.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "store/pages/page_checksum.h"
#include "store/pages/store_location.h"
#include "store/sqlite/sqlite_store.h"

namespace vernier {

namespace {

bool WereMade(const DataDir& data_dir) {
  std::error_code error;
  return std::filesystem::exists(data_dir.MadePath(), error);
}

}  // namespace

std::vector<std::string> MissingDatabases(const DataDir& data_dir,
                                          bool has_studies) {
  std::vector<std::string> missing;
  // A service that was killed while it made them has neither studies nor the
  // mark. Releases before the mark did not make it.
  if (!has_studies && !WereMade(data_dir)) return missing;
  const absl::StatusOr<DatabaseHeader> studies =
      ReadDatabaseHeader(data_dir.DatabasePath());
  if (!studies.ok() || studies->is_new ||
      studies->reserved_bytes != kChecksumBytes) {
    return missing;
  }
  const std::pair<std::string, const char*> kept[] = {
      {data_dir.AccessPath(),
       "no token is valid any more, not even those of trials that run"},
      {data_dir.QuotaPath(),
       "no project has a limit until it is set again (vernier projects "
       "set-quota)"},
  };
  for (const auto& [path, consequence] : kept) {
    const absl::StatusOr<DatabaseHeader> header = ReadDatabaseHeader(path);
    if (!header.ok() || !header->is_new) continue;
    missing.push_back(absl::StrCat(path, " is gone although ",
                                   data_dir.DatabasePath(),
                                   " is there: ", consequence,
                                   "; restore the whole data "
                                   "directory from a backup"));
  }
  return missing;
}

absl::StatusOr<Databases> OpenDatabases(
    const DataDir& data_dir, const std::function<void(const LogNote&)>& tell) {
  const auto tell_if_any = [&](const std::optional<LogNote>& note) {
    if (note.has_value()) tell(*note);
  };
  VERNIER_RETURN_IF_ERROR(CheckDatabaseIsThere(data_dir));
  // This is checked before they are made again.
  const std::vector<std::string> missing = MissingDatabases(data_dir, true);
  const bool were_made = WereMade(data_dir);
  Databases databases;
  // This one is opened first, because it takes the lock of the whole data
  // directory.
  VERNIER_ASSIGN_OR_RETURN(auto store,
                           SqliteStore::Open(data_dir.DatabasePath()));
  tell_if_any(store->log_note());
  databases.store = std::move(store);
  if (were_made || !databases.store->Snapshot()->empty()) {
    for (const std::string& line : missing) tell({true, line});
  }
  VERNIER_ASSIGN_OR_RETURN(databases.tokens,
                           TokenStore::Open(data_dir.AccessPath()));
  tell_if_any(databases.tokens->log_note());
  VERNIER_ASSIGN_OR_RETURN(databases.quotas,
                           QuotaStore::Open(data_dir.QuotaPath()));
  tell_if_any(databases.quotas->log_note());
  VERNIER_ASSIGN_OR_RETURN(databases.secret,
                           databases.tokens->Secret(RandomHex() + RandomHex()));
  if (!were_made) {
    VERNIER_RETURN_IF_ERROR(
        ReplaceFile(data_dir.MadePath(), "", Durability::kSynced));
  }
  return databases;
}

}  // namespace vernier
