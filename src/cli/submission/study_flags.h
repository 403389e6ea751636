#ifndef VERNIER_CLI_SUBMISSION_STUDY_FLAGS_H_
#define VERNIER_CLI_SUBMISSION_STUDY_FLAGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's.
class App;
}

namespace vernier {

/// Flags of `vernier run` that describe a study without a file.
struct StudyFlags {
  std::vector<std::string> parameters;  ///< Each NAME=RANGE or NAME=A,B,...
  std::vector<std::string> metrics;     ///< Each NAME:max or NAME:min.
  std::optional<std::int64_t> seed;
  std::optional<std::string> save;  ///< Where to write the study file.
};

/// Declares the flags on a subcommand. `flags` must outlive `app`.
void DeclareStudyFlags(CLI::App& app, StudyFlags* flags);

/// Returns whether any of these flags is given.
bool IsGiven(const StudyFlags& flags);

/// Returns the study file that the flags describe, with the program's words as
/// `run`. A range is A..B (of whole numbers if both are), float:A..B, int:A..B
/// or log:A..B; a list is A,B,... (numbers are `values`, all else a choice) or
/// choice:A,B,....
///
/// INVALID_ARGUMENT names the flag that is wrong or missing.
absl::StatusOr<std::string> StudyFileText(
    const StudyFlags& flags, const std::vector<std::string>& program,
    std::optional<int> trials, std::optional<int> parallel);

/// Writes the study file. ALREADY_EXISTS if there is a file with another text.
absl::Status SaveStudy(const std::string& path, const std::string& text);

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_STUDY_FLAGS_H_
