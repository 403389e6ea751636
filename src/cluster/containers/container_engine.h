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

/// "podman" or "docker", which is also the program's name.
std::string_view ToString(EngineKind kind);

/// A program that runs containers, with the options that it needs here.
struct ContainerEngine {
  EngineKind kind = EngineKind::kPodman;
  std::string path;                         ///< Absolute, of the program.
  std::string version;                      ///< For people, e.g. "4.3.1".
  std::vector<std::string> global_options;  ///< E.g. --runtime runc.
  std::vector<std::string> create_options;  ///< E.g. --ulimit ..., --init.
};

/// "podman 4.3.1 (--runtime runc --init)"
std::string Describe(const ContainerEngine& engine);

/// What an administrator says about containers.
struct ContainerSettings {
  std::string engine;  ///< "podman", "docker", "none", or "": what works.
  /// Absolute folder for what is remembered about engines and images. Empty:
  /// nothing is remembered.
  std::string state_dir;
  /// Folders of this machine that all containers see: "PATH", "PATH:PATH" or
  /// either with ":ro".
  std::vector<std::string> mounts;
  /// Whether memory and processors of the machine type are limits.
  bool limits_machines = false;

  friend bool operator==(const ContainerSettings&,
                         const ContainerSettings&) = default;
};

/// "--container-engine must be podman, docker or none: rkt"
absl::Status Validate(const ContainerSettings& settings);

/// The part of `environ` (environ(7)) that engines need: HOME, PATH, proxies,
/// XDG_RUNTIME_DIR, DOCKER_HOST and their like.
Environment EngineEnvironment(const char* const* environ);

/// Whether an engine may take a variable of its own environment for a setting
/// of its own, so that a container's must not be put there.
bool EnginesRead(const std::string& name);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_CONTAINER_ENGINE_H_
