#ifndef VERNIER_CLI_IMPORTS_RAY_FOLDER_H_
#define VERNIER_CLI_IMPORTS_RAY_FOLDER_H_

#include <string>

#include "absl/status/statusor.h"
#include "cli/imports/foreign_study.h"
#include "cli/imports/table_file.h"

namespace vernier {

/// Reads the results of one experiment of Ray Tune: a folder with a folder for
/// each trial, which has params.json and result.json. States come from the
/// newest experiment_state file, or else from what lies in the trial's folder.
/// Nested settings are named "a/b", as Ray names them. The study is called as
/// the folder. Only `parameters` and `metrics` of the flags are used.
///
/// Nothing is unpickled, and links are not followed. Errors: NOT_FOUND if there
/// is no such folder; INVALID_ARGUMENT names the flag, or the file, the line
/// and what is wrong; RESOURCE_EXHAUSTED beyond the bounds.
absl::StatusOr<ForeignStudy> ReadRayFolder(const std::string& path,
                                           const TableFlags& flags);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_RAY_FOLDER_H_
