#ifndef VERNIER_CLI_COMMAND_COMPLETION_H_
#define VERNIER_CLI_COMMAND_COMPLETION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's.
class App;
}

namespace vernier {

/// The possible completions of the last of `words` (which may be empty), given
/// the words before it: verbs, or flags if it begins with "-". Sorted.
std::vector<std::string> Completions(const CLI::App& app,
                                     const std::vector<std::string>& words);

/// Whether the last of `words` is the name of a job.
bool WantsJobName(const CLI::App& app, const std::vector<std::string>& words);

/// Whether a study that clients run may stand where WantsJobName is true: not
/// among the verbs of `jobs`, and not where a program's output is meant.
bool TakesStudyName(const CLI::App& app, const std::vector<std::string>& words);

/// Studies by the names that verbs take, from ListStudies' answer: what follows
/// "/studies/" of those that clients run, or all of it where another study or
/// one of `jobs` is called so. Empty if the text is no such answer. Pure.
std::vector<std::string> StudyNames(const std::string& answer,
                                    const std::vector<std::string>& jobs);

/// A script that makes `shell` ("bash" or "zsh") complete this command.
absl::StatusOr<std::string> CompletionScript(const std::string& shell);

}  // namespace vernier

#endif  // VERNIER_CLI_COMMAND_COMPLETION_H_
