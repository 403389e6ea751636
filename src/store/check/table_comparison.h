#ifndef VERNIER_STORE_CHECK_TABLE_COMPARISON_H_
#define VERNIER_STORE_CHECK_TABLE_COMPARISON_H_

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

/// Reports a column whose value differs from the sum of the events.
class Comparison {
 public:
  Comparison(std::string subject, Violations* violations)
      : subject_(std::move(subject)), violations_(violations) {}

  template <typename Value>
  void Expect(const char* column, const Value& stored, const Value& replayed) {
    if (stored == replayed) return;
    violations_->push_back(absl::StrCat(subject_, ": ", column,
                                        " is not what the events add up to"));
  }
  void Missing() {
    violations_->push_back(subject_ + ": no event tells of it");
  }

 private:
  const std::string subject_;
  Violations* const violations_;
};

/// The name of a stored state.
template <typename State>
std::string NameOfState(std::int64_t number) {
  return std::string(ToString(static_cast<State>(number)));
}

}  // namespace vernier

#endif  // VERNIER_STORE_CHECK_TABLE_COMPARISON_H_
