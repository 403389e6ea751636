#include "cli/imports/optuna_file.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cli/imports/foreign_file.h"
#include "cli/imports/optuna_database.h"
#include "cli/imports/optuna_journal.h"
#include "store/foreign/foreign_database.h"

namespace vernier {
namespace {

constexpr std::size_t kLongestJournal = std::size_t{1} << 30;

}  // namespace

absl::StatusOr<std::vector<OptunaStudy>> ReadOptunaFile(
    const std::string& path) {
  if (ForeignDatabase::IsDatabase(path)) return ReadOptunaDatabase(path);
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           ReadForeignFile(path, kLongestJournal));
  if (!IsOptunaJournal(text)) {
    return absl::InvalidArgumentError(absl::StrCat(
        path,
        ": is neither a SQLite database nor a journal of Optuna's; a study in "
        "MySQL or PostgreSQL is copied to a file by optuna.copy_study"));
  }
  return ReadOptunaJournal(text, path);
}

}  // namespace vernier
