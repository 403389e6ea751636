#ifndef VERNIER_TESTS_STORE_CHECKED_STORE_H_
#define VERNIER_TESTS_STORE_CHECKED_STORE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/check/database_check.h"
#include "store/check/store_check.h"
#include "store/pages/store_location.h"
#include "store/sqlite/schema.h"
#include "tests/store/replay/replay_check.h"

namespace vernier {

/// The violations that CheckStudies reports, and what the tables have that the
/// events do not add up to, one line each. Errors: those of CheckStudies;
/// ABORTED: a service has it open; NOT_FOUND: there is no database.
inline absl::StatusOr<std::vector<std::string>> FindViolations(
    const std::string& path) {
  absl::StatusOr<StoreLock> lock = StoreLock::AcquireToLook(FolderOf(path));
  if (!lock.ok()) return lock.status();
  VERNIER_ASSIGN_OR_RETURN(DatabaseReport report, CheckStudies(path, nullptr));
  if (!report.exists && report.violations.empty()) {
    return absl::NotFoundError(absl::StrCat("no such database: ", path));
  }
  VERNIER_ASSIGN_OR_RETURN(DatabaseUnderCheck copy,
                           DatabaseUnderCheck::Look(path, StudiesSchema()));
  if (copy.database() != nullptr &&
      Migrate(*copy.database(), StudiesSchema()).ok()) {
    VERNIER_RETURN_IF_ERROR(
        CompareWithEvents(*copy.database(), &report.violations));
  }
  return report.violations;
}

/// OK, or DATA_LOSS with the first violations in its message, or an error of
/// FindViolations.
inline absl::Status CheckStore(const std::string& path) {
  VERNIER_ASSIGN_OR_RETURN(const std::vector<std::string> violations,
                           FindViolations(path));
  if (violations.empty()) return absl::OkStatus();
  std::string message =
      absl::StrCat(path, " breaks ", violations.size(), " invariants");
  for (std::size_t i = 0; i < violations.size() && i < 20; ++i) {
    absl::StrAppend(&message, "\n  ", violations[i]);
  }
  return absl::DataLossError(message);
}

}  // namespace vernier

#endif  // VERNIER_TESTS_STORE_CHECKED_STORE_H_
