#ifndef VERNIER_CLUSTER_CONTAINERS_ENGINE_COMMAND_H_
#define VERNIER_CLUSTER_CONTAINERS_ENGINE_COMMAND_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/containers/container_engine.h"
#include "cluster/containers/container_spec.h"

namespace vernier {

/// Command lines of an engine. All are pure; none holds a variable's value,
/// since every user of the machine can read command lines.
using Words = std::vector<std::string>;

/// Where a container's variables go: through the environment of `create`, or,
/// if the engine would take them for its own, through a file.
struct SplitEnvironment {
  Environment passed;
  std::string file;  ///< Contents of an --env-file; empty: none is needed.
};

/// INVALID_ARGUMENT for a variable that neither way can carry: its name is one
/// that engines read, and its value has several lines.
absl::StatusOr<SplitEnvironment> Split(const Environment& environment);

/// Makes the container without starting it. `env_file` holds what Split says;
/// empty: there is none.
Words CreateWords(const ContainerEngine& engine, const ContainerSpec& spec,
                  const std::string& env_file);

/// FAILED_PRECONDITION if CreateWords printed that the engine goes without the
/// limits.
absl::Status CheckLimitsAreKept(const ContainerLimits& limits,
                                const std::string& output);

/// A container that a person runs by hand: what CreateWords gives it, but for
/// its variables, and without the name and the labels by which the service
/// takes a container for an attempt's. It is removed at its end.
struct RunByHand {
  Words verb;     ///< "podman run"; further options may follow.
  Words options;  ///< Further options may follow these, too.
  Words program;  ///< The image and what it runs.
};
RunByHand RunWords(const ContainerEngine& engine, const ContainerSpec& spec);

/// Starts it and stays attached: writes its output, and ends with its status.
Words StartWords(const ContainerEngine& engine, const std::string& name);

/// Sends SIGTERM to its first process.
Words TerminateWords(const ContainerEngine& engine, const std::string& name);

/// Kills and removes those of `names` that exist.
Words RemoveWords(const ContainerEngine& engine,
                  const std::vector<std::string>& names);

/// Prints one line for ParseContainerState.
Words InspectWords(const ContainerEngine& engine, const std::string& name);

/// What InspectWords prints.
struct ContainerState {
  bool has_started = false;
  bool is_out_of_memory = false;  ///< The kernel killed some of it for memory.
  pid_t pid = 0;  ///< Of its first process, as the engine sees it; 0: none.
};
/// DATA_LOSS if the output is none of InspectWords.
absl::StatusOr<ContainerState> ParseContainerState(const std::string& output);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_ENGINE_COMMAND_H_
