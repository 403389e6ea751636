#ifndef VERNIER_CLI_COMMAND_COMPLETION_H_
#define VERNIER_CLI_COMMAND_COMPLETION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's.
class App;
}

namespace vernier {

/// Returns the possible completions of the last of `words` (which may be
/// empty), given the words before it: verbs, or flags if it begins with "-".
/// Sorted.
std::vector<std::string> Completions(const CLI::App& app,
                                     const std::vector<std::string>& words);

/// Returns whether the last of `words` is the name of a job.
bool WantsJobName(const CLI::App& app, const std::vector<std::string>& words);

/// Returns whether the name may also be that of a study that clients run, where
/// WantsJobName is true. It may not for the verbs of `jobs`, and where a
/// program's output is meant.
bool TakesStudyName(const CLI::App& app, const std::vector<std::string>& words);

/// Returns the names that verbs accept for the studies in ListStudies' answer:
/// for a study that clients run, the part of its name after "/studies/", or all
/// of it if another study or one of `jobs` has the same name. Empty if the text
/// is not such an answer. Pure.
std::vector<std::string> StudyNames(const std::string& answer,
                                    const std::vector<std::string>& jobs);

/// Returns a script that makes `shell` ("bash" or "zsh") complete this command.
absl::StatusOr<std::string> CompletionScript(const std::string& shell);

}  // namespace vernier

#endif  // VERNIER_CLI_COMMAND_COMPLETION_H_
