#ifndef VERNIER_CLI_COMMAND_USAGE_ERROR_H_
#define VERNIER_CLI_COMMAND_USAGE_ERROR_H_

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's.
class App;
class ParseError;
}  // namespace CLI

namespace vernier {

/// Says which word of `words` is no verb of `app`, and which it may have meant;
/// empty if all are, as far as they are verbs.
std::string UnknownVerb(const CLI::App& app,
                        const std::vector<std::string>& words);

/// What is wrong with a command line that `app` could not parse, and what would
/// be right: the nearest verb or flag, what is missing, the type of a value.
/// `words` are those before "--".
std::string ExplainUsageError(const CLI::App& app, const CLI::ParseError& error,
                              const std::vector<std::string>& words);

/// The help of the verb that `words` name; of the program without any.
/// Empty if there is no such verb.
std::string HelpOf(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace vernier

#endif  // VERNIER_CLI_COMMAND_USAGE_ERROR_H_
