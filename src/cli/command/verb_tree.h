#ifndef VERNIER_CLI_COMMAND_VERB_TREE_H_
#define VERNIER_CLI_COMMAND_VERB_TREE_H_

#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace vernier {

/// Returns the verb `name` directly below `app`; null if there is none.
const CLI::App* VerbBelow(const CLI::App& app, const std::string& name);

/// Returns the verbs directly below `app` that are for people.
std::vector<std::string> VerbNames(const CLI::App& app);

}  // namespace vernier

#endif  // VERNIER_CLI_COMMAND_VERB_TREE_H_
