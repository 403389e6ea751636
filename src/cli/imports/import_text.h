#ifndef VERNIER_CLI_IMPORTS_IMPORT_TEXT_H_
#define VERNIER_CLI_IMPORTS_IMPORT_TEXT_H_

#include <string>
#include <vector>

#include "cli/display/text_table.h"
#include "cli/imports/foreign_study.h"
#include "cli/imports/import_plan.h"

namespace vernier {

/// A study and what comes of it, for people.
struct PlannedImport {
  ForeignStudy study;
  ImportPlan plan;
};

/// Returns a row for each study.
TextTable ImportTable(const std::vector<PlannedImport>& imports);

/// Returns the same, and all else that is known of them, as a JSON list.
std::string ImportJson(const std::vector<PlannedImport>& imports, bool is_done);

/// Returns the search space as lines of a study file, two blanks before each.
std::string SpaceLines(const std::vector<ParameterSpec>& space);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_IMPORT_TEXT_H_
