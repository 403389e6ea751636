#ifndef VERNIER_CLUSTER_PROGRAM_SEARCH_H_
#define VERNIER_CLUSTER_PROGRAM_SEARCH_H_

#include <string>

#include "absl/status/statusor.h"

namespace vernier {

/// Returns the absolute path of the file that execvp would run for `program`: a
/// name with a slash is relative to `work_dir`, otherwise it is the first
/// executable file in `search_path` ("A:B:C"; an empty or relative entry is
/// relative to `work_dir`).
///
/// NOT_FOUND or PERMISSION_DENIED, naming the places that were searched.
absl::StatusOr<std::string> FindProgram(const std::string& program,
                                        const std::string& search_path,
                                        const std::string& work_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PROGRAM_SEARCH_H_
