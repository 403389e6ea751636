#ifndef VERNIER_CLI_BACKGROUND_OWN_PROGRAM_H_
#define VERNIER_CLI_BACKGROUND_OWN_PROGRAM_H_

#include <string>
#include <vector>

namespace vernier {

/// Returns the path of this program's file. If that was replaced or removed
/// since, returns a path in /proc that is valid while this process lives.
std::string OwnProgram();

/// Returns the words of this process's command line after the program's name.
std::vector<std::string> OwnWords();

/// Returns `words` without each `flag`; with `has_value`, also without the word
/// that follows it, or without "FLAG=VALUE". Pure.
std::vector<std::string> WithoutFlag(const std::vector<std::string>& words,
                                     const std::string& flag, bool has_value);

}  // namespace vernier

#endif  // VERNIER_CLI_BACKGROUND_OWN_PROGRAM_H_
