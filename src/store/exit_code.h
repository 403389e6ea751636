#ifndef VERNIER_STORE_EXIT_CODE_H_
#define VERNIER_STORE_EXIT_CODE_H_

#include "absl/status/status.h"

namespace vernier {

/// Returns the exit status of the service's process when its store cannot be
/// used. Each failure of SqliteStore::Open and Health has its own status code,
/// from which the exit status is derived:
///
/// | exit | status code         | what happened                              |
/// |------|---------------------|--------------------------------------------|
/// | 0    | OK                  |                                            |
/// | 73   | ABORTED             | another process has the database           |
/// | 75   | UNAVAILABLE         | storage failed while running (see Health)  |
/// | 76   | FAILED_PRECONDITION | the schema is newer than this program      |
/// | 77   | PERMISSION_DENIED   | the folder or file belongs to another user |
/// | 74   | any other           | missing, unreadable, read-only, damaged, a |
/// |      |                     | full disk, not a database, a network file  |
/// |      |                     | system                                     |
int ExitCodeFor(const absl::Status& status);

}  // namespace vernier

#endif  // VERNIER_STORE_EXIT_CODE_H_
