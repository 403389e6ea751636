#ifndef VERNIER_CLI_COMMAND_USAGE_ERROR_H_
#define VERNIER_CLI_COMMAND_USAGE_ERROR_H_

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's.
class App;
class ParseError;
}  // namespace CLI

namespace vernier {

/// Returns a message that names the first of `words` that is not a verb of
/// `app`, and a similar verb; empty if all are, up to the first argument.
std::string UnknownVerb(const CLI::App& app,
                        const std::vector<std::string>& words);

/// Explains why `app` could not parse a command line and what would be right:
/// the nearest verb or flag, the missing argument, the type of a value. `words`
/// are those before "--".
std::string ExplainUsageError(const CLI::App& app, const CLI::ParseError& error,
                              const std::vector<std::string>& words);

/// Returns the help of the verb that `words` name, or that of the program if
/// they name none. Empty if there is no such verb.
std::string HelpOf(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace vernier

#endif  // VERNIER_CLI_COMMAND_USAGE_ERROR_H_
