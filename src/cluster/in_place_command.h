#ifndef VERNIER_CLUSTER_IN_PLACE_COMMAND_H_
#define VERNIER_CLUSTER_IN_PLACE_COMMAND_H_

#include <string>
#include <vector>

namespace vernier {

/// A command that runs `command` in `folder`, wherever it is started: how
/// `vernier run --no-copy`, and the Python package, run programs where their
/// code is.
std::vector<std::string> CommandInFolder(const std::string& folder,
                                         std::vector<std::string> command);

/// A command that CommandInFolder has made, in its parts.
struct InPlaceCommand {
  std::string folder;  ///< Empty: it is another one.
  std::vector<std::string> command;
};
InPlaceCommand SplitInPlace(std::vector<std::string> command);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_IN_PLACE_COMMAND_H_
