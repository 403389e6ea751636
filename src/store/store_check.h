#ifndef VERNIER_STORE_STORE_CHECK_H_
#define VERNIER_STORE_STORE_CHECK_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vernier {

/// Looks for broken invariants in a database that no service has open: what
/// SQLite can check, dense numbers, legal moves and caps at every prefix of the
/// event table, and tables equal to what the events add up to. Works on a copy
/// and writes nothing beside it. It shares no law with the code it checks: it
/// reads the tables and the events alone.
///
/// Returns one line per violation. Errors: ABORTED: a service has it open; any
/// other: it cannot be read at all.
absl::StatusOr<std::vector<std::string>> FindViolations(
    const std::string& path);

/// OK, or DATA_LOSS with the first violations in its message, or an error of
/// FindViolations.
absl::Status CheckStore(const std::string& path);

}  // namespace vernier

#endif  // VERNIER_STORE_STORE_CHECK_H_
