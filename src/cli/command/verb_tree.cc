#include "cli/command/verb_tree.h"

#include <CLI/CLI.hpp>

namespace vernier {

const CLI::App* VerbBelow(const CLI::App& app, const std::string& name) {
  for (const CLI::App* verb : app.get_subcommands(nullptr)) {
    if (verb->get_name() == name) return verb;
  }
  return nullptr;
}

std::vector<std::string> VerbNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands(nullptr)) {
    // Verbs for machines have no group.
    if (!verb->get_group().empty()) names.push_back(verb->get_name());
  }
  return names;
}

}  // namespace vernier
