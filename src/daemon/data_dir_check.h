#ifndef VERNIER_DAEMON_DATA_DIR_CHECK_H_
#define VERNIER_DAEMON_DATA_DIR_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "daemon/data_dir.h"
#include "store/check/database_check.h"

namespace vernier {

/// The result of checking a whole data directory.
struct DataDirReport {
  /// The reports on the databases of the studies, the tokens and the quotas.
  std::vector<DatabaseReport> databases;
  std::int64_t pinned_code = 0;     ///< Folders that jobs have and that exist.
  std::int64_t attempts = 0;        ///< Folders of attempts that exist.
  std::int64_t attempts_gone = 0;   ///< Of attempts that are over.
  std::int64_t packages = 0;        ///< Environments of jobs that exist.
  std::vector<std::string> faults;  ///< One line each, those of databases too.
  std::vector<std::string> notes;
};

/// Checks everything that a service keeps in a data directory, without writing
/// there. It holds the directory's lock, so that no service runs meanwhile, and
/// needs room for a copy of the databases in the temporary folder.
///
/// Errors: NOT_FOUND if there is no data directory; ABORTED if a service uses
/// it; PERMISSION_DENIED if it belongs to another user; FAILED_PRECONDITION if
/// a newer release made it; others if it cannot be read.
absl::StatusOr<DataDirReport> CheckDataDir(const DataDir& data_dir);

}  // namespace vernier

#endif  // VERNIER_DAEMON_DATA_DIR_CHECK_H_
