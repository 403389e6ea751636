#ifndef VERNIER_CLUSTER_CONTAINERS_ENGINE_COMMAND_H_
#define VERNIER_CLUSTER_CONTAINERS_ENGINE_COMMAND_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/containers/container_engine.h"
#include "cluster/containers/container_spec.h"

namespace vernier {

/// The words of an engine's command line. All functions here are pure. No
/// command line contains a variable's value, because every user of the machine
/// can read command lines.
using Words = std::vector<std::string>;

/// A container's variables, split by the way in which they are passed: through
/// the environment of `create`, or, if the engine itself would read them,
/// through a file.
struct SplitEnvironment {
  Environment passed;
  std::string file;  ///< Contents of an --env-file; empty: none is needed.
};

/// Returns INVALID_ARGUMENT for a variable that neither way can pass: engines
/// read its name, and its value has several lines or is too long.
absl::StatusOr<SplitEnvironment> Split(const Environment& environment);

/// Makes the container without starting it. `env_file` is a file with
/// SplitEnvironment::file; if empty, there is none.
Words CreateWords(const ContainerEngine& engine, const ContainerSpec& spec,
                  const std::string& env_file);

/// Returns FAILED_PRECONDITION if the output of CreateWords shows that the
/// engine ignores the limits.
absl::Status CheckLimitsAreKept(const ContainerLimits& limits,
                                const std::string& output);

/// A container that a person runs by hand: as CreateWords makes it, but without
/// the variables, and without the name and labels by which the service
/// recognizes an attempt's containers. It is removed at its end.
struct RunByHand {
  Words verb;     ///< "podman run"; further options may follow.
  Words options;  ///< Further options may follow these, too.
  Words program;  ///< The image and what it runs.
};
RunByHand RunWords(const ContainerEngine& engine, const ContainerSpec& spec);

/// Starts the container and stays attached: the command forwards the
/// container's output and ends with its status.
Words StartWords(const ContainerEngine& engine, const std::string& name);

/// Sends SIGTERM to the container's first process.
Words TerminateWords(const ContainerEngine& engine, const std::string& name);

/// Kills and removes the containers among `names` that exist.
Words RemoveWords(const ContainerEngine& engine,
                  const std::vector<std::string>& names);

/// Prints one line for ParseContainerState.
Words InspectWords(const ContainerEngine& engine, const std::string& name);

/// The state of a container as InspectWords prints it.
struct ContainerState {
  bool has_started = false;
  bool is_out_of_memory = false;  ///< The kernel killed some of it for memory.
  pid_t pid = 0;  ///< Of its first process, as the engine sees it; 0: none.
};
/// Returns DATA_LOSS if the output is not that of InspectWords.
absl::StatusOr<ContainerState> ParseContainerState(const std::string& output);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_ENGINE_COMMAND_H_
