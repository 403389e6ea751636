#ifndef VERNIER_CLUSTER_CONTAINERS_CONTAINER_ENGINE_H_
#define VERNIER_CLUSTER_CONTAINERS_CONTAINER_ENGINE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "cluster/trial_environment.h"

namespace vernier {

enum class EngineKind { kPodman = 1, kDocker = 2 };

/// Returns "podman" or "docker", which is also the program's name.
std::string_view ToString(EngineKind kind);

/// A program that runs containers, with the options that it needs on this
/// machine.
struct ContainerEngine {
  EngineKind kind = EngineKind::kPodman;
  std::string path;                         ///< Absolute, of the program.
  std::string version;                      ///< For people, e.g. "4.3.1".
  std::vector<std::string> global_options;  ///< E.g. --runtime runc.
  std::vector<std::string> create_options;  ///< E.g. --ulimit ..., --init.
};

/// Returns, for instance, "podman 4.3.1 (--runtime runc --init)".
std::string Describe(const ContainerEngine& engine);

/// An administrator's settings for containers.
struct ContainerSettings {
  std::string engine;  ///< "podman", "docker", "none", or "": what works.
  /// The absolute path of a folder that stores what is known about engines and
  /// images. If empty, nothing is stored.
  std::string state_dir;
  /// Folders of this machine that are mounted into all containers: "PATH",
  /// "PATH:PATH" or either with ":ro".
  std::vector<std::string> mounts;
  /// Whether the memory and processors of the machine type limit containers.
  bool limits_machines = false;

  friend bool operator==(const ContainerSettings&,
                         const ContainerSettings&) = default;
};

/// Returns OK, or an error such as "--container-engine must be podman, docker
/// or none: rkt".
absl::Status Validate(const ContainerSettings& settings);

/// Returns the part of `environ` (environ(7)) that engines need: HOME, PATH,
/// proxies, XDG_RUNTIME_DIR, DOCKER_HOST and the like.
Environment EngineEnvironment(const char* const* environ);

/// Returns whether an engine may read a variable of this name as a setting of
/// its own, so that a container's variable must not be put into the engine's
/// environment.
bool EnginesRead(const std::string& name);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_CONTAINER_ENGINE_H_
