#ifndef VERNIER_CLUSTER_IN_PLACE_COMMAND_H_
#define VERNIER_CLUSTER_IN_PLACE_COMMAND_H_

#include <string>
#include <vector>

#include "study/job_spec.h"

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

/// The folder in which the programs of a job run where their code is, and which
/// its trials share; else empty, and for programs in containers, too: an image
/// has folders of its own.
std::string InPlaceFolder(const JobSpec& spec);

/// Whether any replica of the job runs in a container.
bool HasImages(const JobSpec& spec);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_IN_PLACE_COMMAND_H_
