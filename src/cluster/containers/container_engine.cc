#include "cluster/containers/container_engine.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/process_environment.h"

namespace vernier {
namespace {

constexpr std::array kOfEngines = {"XDG_RUNTIME_DIR",
                                   "XDG_CONFIG_HOME",
                                   "XDG_DATA_HOME",
                                   "DBUS_SESSION_BUS_ADDRESS",
                                   "CONTAINERS_CONF",
                                   "CONTAINERS_REGISTRIES_CONF",
                                   "CONTAINERS_STORAGE_CONF",
                                   "REGISTRY_AUTH_FILE",
                                   "DOCKER_CONFIG",
                                   "DOCKER_CONTEXT",
                                   "DOCKER_HOST",
                                   "DOCKER_CERT_PATH",
                                   "DOCKER_TLS_VERIFY"};

// Prefixes of variables that Podman, Docker, their libraries and Go's runtime
// read.
constexpr std::array kEnginePrefixes = {
    "XDG_", "DBUS_",    "CONTAINER", "_CONTAINER", "DOCKER_",  "REGISTRY_",
    "LD_",  "STORAGE_", "BUILDAH_",  "LIBPOD_",    "PODMAN_",  "GO",
    "SSL_", "NOTIFY_",  "LISTEN_",   "MALLOC_",    "GLIBC_",   "TMP",
    "TERM", "HTTP",     "http",      "NO_PROXY",   "no_proxy", "GNUPG",
    "OCI_", "_OCI_",    "SSH_",      "USER",       "UMASK"};

}  // namespace

std::string_view ToString(EngineKind kind) {
  return kind == EngineKind::kPodman ? "podman" : "docker";
}

std::string Describe(const ContainerEngine& engine) {
  std::vector<std::string> options = engine.global_options;
  options.insert(options.end(), engine.create_options.begin(),
                 engine.create_options.end());
  std::string text =
      absl::StrCat(std::string(ToString(engine.kind)), " ", engine.version);
  if (!options.empty()) {
    absl::StrAppend(&text, " (", absl::StrJoin(options, " "), ")");
  }
  return text;
}

absl::Status Validate(const ContainerSettings& settings) {
  constexpr std::array kEngines = {"", "podman", "docker", "none"};
  if (std::find(kEngines.begin(), kEngines.end(), settings.engine) ==
      kEngines.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--container-engine must be podman, docker or none: ",
                     settings.engine));
  }
  for (const std::string& mount : settings.mounts) {
    if (mount.rfind('/', 0) == 0) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "--container-mount must begin with an absolute path: ", mount));
  }
  return absl::OkStatus();
}

Environment EngineEnvironment(const char* const* environ) {
  Environment environment = AllowedEnvironment(environ);
  environment.emplace("PATH", "/usr/local/bin:/usr/bin:/bin");
  for (auto& [name, value] : ParseEnvironment(environ)) {
    if (std::find(kOfEngines.begin(), kOfEngines.end(), name) !=
        kOfEngines.end()) {
      environment[name] = std::move(value);
    }
  }
  return environment;
}

bool EnginesRead(const std::string& name) {
  if (ProgramsMayInherit(name)) return true;
  return std::any_of(
      kEnginePrefixes.begin(), kEnginePrefixes.end(),
      [&](const char* prefix) { return absl::StartsWith(name, prefix); });
}

}  // namespace vernier
