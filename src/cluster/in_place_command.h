#ifndef VERNIER_CLUSTER_IN_PLACE_COMMAND_H_
#define VERNIER_CLUSTER_IN_PLACE_COMMAND_H_

#include <string>
#include <vector>

#include "study/job_spec.h"

namespace vernier {

/// Returns a command that runs `command` in `folder`, wherever it is started.
/// `vernier run --no-copy` and the Python package use it to run programs in the
/// folder of their code.
std::vector<std::string> CommandInFolder(const std::string& folder,
                                         std::vector<std::string> command);

/// A command that CommandInFolder has made, in its parts.
struct InPlaceCommand {
  std::string folder;  ///< Empty: it is another one.
  std::vector<std::string> command;
};
InPlaceCommand SplitInPlace(std::vector<std::string> command);

/// Returns the folder in which a job's programs run in place and which its
/// trials share. Empty if they do not run in place; also for programs in
/// containers, since an image has its own folders.
std::string InPlaceFolder(const JobSpec& spec);

/// Returns whether any replica of the job runs in a container.
bool HasImages(const JobSpec& spec);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_IN_PLACE_COMMAND_H_
