#ifndef VERNIER_STORE_CHECK_TABLE_ROWS_H_
#define VERNIER_STORE_CHECK_TABLE_ROWS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/sqlite/sqlite_database.h"

namespace vernier {

/// Faults, one line each.
using Violations = std::vector<std::string>;

/// Calls `visit` for each row that `sql` selects.
template <typename Visit>
absl::Status ForEachRow(SqliteDatabase& database, const char* sql,
                        Visit visit) {
  VERNIER_ASSIGN_OR_RETURN(SqliteStatement rows, database.Prepare(sql));
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return absl::OkStatus();
    visit(static_cast<const SqliteStatement&>(rows));
  }
}

}  // namespace vernier

#endif  // VERNIER_STORE_CHECK_TABLE_ROWS_H_
