#ifndef VERNIER_CLI_COMMAND_LINE_H_
#define VERNIER_CLI_COMMAND_LINE_H_

#include <string>
#include <vector>

namespace vernier {

/// Parses and runs one command; returns the exit code of the process. `words`
/// are the arguments without the program's name. Errors go to standard error.
int RunCommandLine(const std::vector<std::string>& words);

}  // namespace vernier

#endif  // VERNIER_CLI_COMMAND_LINE_H_
