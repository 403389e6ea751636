#include "cluster/containers/engine_probe.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/json.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"
#include "cluster/containers/probe_program.h"
#include "cluster/process/command_run.h"
#include "cluster/process/interruptible_lock.h"
#include "cluster/process/process_identity.h"
#include "cluster/program_search.h"

namespace vernier {
namespace {

// Whether Podman works here depends on the kernel, the runtime and the
// environment of this process, which no version number tells. So combinations
// of runtime and limits are tried with a real container, which runs a tiny
// static program, until one works; Docker's daemon is only asked for its
// version. The result is recorded with the boot id, so that it is found anew
// after a restart of the machine.

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::chrono::seconds kProbeLimit{15};
constexpr int kVersion = 1;

std::string RecordPath(const ContainerSettings& settings) {
  return settings.state_dir + "/engine.json";
}

// A folder with the probe program as its only file, removed at the end.
class ProbeRoot {
 public:
  absl::Status Make(const std::string& state_dir) {
    const std::string parent = state_dir.empty() ? "/tmp" : state_dir;
    std::string path = parent + "/probe-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) {
      return absl::ErrnoToStatus(errno, path);
    }
    path_ = path;
    const std::string program = path_ + "/probe";
    VERNIER_RETURN_IF_ERROR(
        ReplaceFile(program, ProbeProgram(), Durability::kVolatile));
    if (::chmod(program.c_str(), 0755) != 0 ||
        ::chmod(path_.c_str(), 0755) != 0) {
      return absl::ErrnoToStatus(errno, program);
    }
    return absl::OkStatus();
  }
  ~ProbeRoot() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string LimitWord(const char* name, rlim_t hard, rlim_t most) {
  const rlim_t limit = std::min(hard, most);
  return absl::StrCat("--ulimit=", name, "=", limit, ":", limit);
}

// Returns the sets of limits to try. The engine's own limits come first; they
// fail if a process may not raise its limits although it is root.
std::vector<Words> LimitSets() {
  rlimit files = {1024, 1024};
  rlimit processes = {1000, 1000};
  ::getrlimit(RLIMIT_NOFILE, &files);
  ::getrlimit(RLIMIT_NPROC, &processes);
  const std::string own_files = LimitWord("nofile", files.rlim_max, 1048576);
  return {{},
          {own_files},
          {own_files, LimitWord("nproc", processes.rlim_max, 32768)},
          {LimitWord("nofile", files.rlim_max, 1024),
           LimitWord("nproc", processes.rlim_max, 1000)}};
}

absl::StatusOr<CommandEnd> Run(const ContainerEngine& engine,
                               const Words& words,
                               const Environment& environment) {
  Command command;
  command.path = engine.path;
  command.argv = {std::string(ToString(engine.kind))};
  command.argv.insert(command.argv.end(), words.begin(), words.end());
  command.environment = environment;
  command.time_limit = kProbeLimit;
  return RunCommand(command, OnStop::kCancel);
}

absl::Status Failure(const CommandEnd& end) {
  if (end.is_success()) return absl::OkStatus();
  if (end.is_timed_out) {
    return absl::FailedPreconditionError(
        absl::StrCat("did not end within ", kProbeLimit.count(), " s"));
  }
  return absl::FailedPreconditionError(LastLineOf(end.output));
}

// Runs the probe program in a container with the engine's options.
absl::Status TryContainer(const ContainerEngine& engine,
                          const std::string& root,
                          const Environment& environment) {
  Words words = engine.global_options;
  for (const char* word :
       {"run", "--rm", "--network", "host", "--mount",
        "type=bind,source=/dev/shm,target=/dev/shm", "--log-driver", "none",
        "--security-opt", "label=disable"}) {
    words.emplace_back(word);
  }
  words.insert(words.end(), engine.create_options.begin(),
               engine.create_options.end());
  for (const std::string& word : {std::string("--rootfs"), root}) {
    words.push_back(word);
  }
  words.emplace_back("/probe");
  VERNIER_ASSIGN_OR_RETURN(const CommandEnd end,
                           Run(engine, words, environment));
  return Failure(end);
}

// Finds options with which Podman runs containers.
absl::Status ProbePodman(const ContainerSettings& settings,
                         const Environment& environment,
                         ContainerEngine& engine) {
  if (ProbeProgram().empty()) return absl::OkStatus();
  ProbeRoot root;
  VERNIER_RETURN_IF_ERROR(root.Make(settings.state_dir));
  absl::Status why;
  for (const char* runtime : {"", "runc", "crun"}) {
    const std::string path = environment.at("PATH") + ":/usr/sbin:/sbin";
    if (*runtime != '\0' && !FindProgram(runtime, path, "/").ok()) continue;
    engine.global_options.clear();
    if (*runtime != '\0') engine.global_options = {"--runtime", runtime};
    for (const Words& limits : LimitSets()) {
      engine.create_options = limits;
      const absl::Status tried = TryContainer(engine, root.path(), environment);
      if (tried.ok()) {
        // With an init as first process, SIGTERM also ends programs that do not
        // handle it: the kernel does not deliver an unhandled signal to a
        // container's first process.
        engine.create_options.emplace_back("--init");
        if (!TryContainer(engine, root.path(), environment).ok()) {
          engine.create_options.pop_back();
        }
        return absl::OkStatus();
      }
      if (absl::IsCancelled(tried)) return tried;
      if (why.ok()) why = tried;  // The first says most.
      // Other limits only help against this error.
      if (!absl::StrContains(std::string(tried.message()), "rlimit")) break;
    }
  }
  return why;
}

absl::Status ProbeDocker(const Environment& environment,
                         ContainerEngine& engine) {
  // Docker's daemon chooses such options itself.
  VERNIER_ASSIGN_OR_RETURN(
      const CommandEnd end,
      Run(engine, {"version", "--format", "{{.Server.Version}}"}, environment));
  VERNIER_RETURN_IF_ERROR(Failure(end));
  engine.version = LastLineOf(end.output);
  engine.create_options = {"--init"};
  return absl::OkStatus();
}

absl::StatusOr<ContainerEngine> Probe(EngineKind kind,
                                      const ContainerSettings& settings,
                                      const Environment& environment) {
  ContainerEngine engine;
  engine.kind = kind;
  const auto path =
      FindProgram(std::string(ToString(kind)), environment.at("PATH"), "/");
  if (!path.ok()) return absl::NotFoundError("is not installed");
  engine.path = *path;
  if (kind == EngineKind::kDocker) {
    VERNIER_RETURN_IF_ERROR(ProbeDocker(environment, engine));
    return engine;
  }
  VERNIER_ASSIGN_OR_RETURN(const CommandEnd version,
                           Run(engine, {"--version"}, environment));
  VERNIER_RETURN_IF_ERROR(Failure(version));
  // The line is, for instance, "podman version 4.3.1".
  const std::string line = LastLineOf(version.output);
  engine.version = line.substr(line.rfind(' ') + 1);
  VERNIER_RETURN_IF_ERROR(ProbePodman(settings, environment, engine));
  return engine;
}

absl::Status Remember(const ContainerSettings& settings,
                      const ContainerEngine& engine) {
  if (settings.state_dir.empty()) return absl::OkStatus();
  VERNIER_ASSIGN_OR_RETURN(const std::string boot, ReadBootId());
  Json json = Json::object();
  json["version"] = kVersion;
  json["boot"] = boot;
  json["asked"] = settings.engine;
  json["kind"] = static_cast<int>(engine.kind);
  json["path"] = engine.path;
  json["engine_version"] = engine.version;
  json["global_options"] = engine.global_options;
  json["create_options"] = engine.create_options;
  return ReplaceFile(RecordPath(settings), DumpJson(json) + "\n",
                     Durability::kVolatile);
}

std::optional<ContainerEngine> Recall(const ContainerSettings& settings) {
  if (settings.state_dir.empty()) return std::nullopt;
  const auto text = ReadSmallFile(RecordPath(settings));
  const auto boot = ReadBootId();
  if (!text.ok() || !boot.ok()) return std::nullopt;
  const auto json = ParseJson(*text);
  if (!json.ok()) return std::nullopt;
  try {
    if (json->at("version").get<int>() != kVersion ||
        json->at("boot").get<std::string>() != *boot ||
        json->at("asked").get<std::string>() != settings.engine) {
      return std::nullopt;
    }
    ContainerEngine engine;
    engine.kind = static_cast<EngineKind>(json->at("kind").get<int>());
    engine.path = json->at("path").get<std::string>();
    engine.version = json->at("engine_version").get<std::string>();
    engine.global_options = json->at("global_options").get<Words>();
    engine.create_options = json->at("create_options").get<Words>();
    if (::access(engine.path.c_str(), X_OK) != 0) return std::nullopt;
    return engine;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

absl::StatusOr<ContainerEngine> FindEngine(const ContainerSettings& settings,
                                           const Environment& environment) {
  if (settings.engine == "none") {
    return absl::FailedPreconditionError(
        "this service runs no containers (--container-engine none)");
  }
  if (auto known = Recall(settings)) return *std::move(known);
  UniqueFd lock;
  if (!settings.state_dir.empty()) {
    VERNIER_RETURN_IF_ERROR(MakeDirectories(settings.state_dir));
    VERNIER_ASSIGN_OR_RETURN(
        lock, LockInterruptibly(settings.state_dir + "/engine.lock"));
    // The process that held the lock before may have found the engine.
    if (auto known = Recall(settings)) return *std::move(known);
  }
  std::vector<std::string> reasons;
  for (const EngineKind kind : {EngineKind::kPodman, EngineKind::kDocker}) {
    const std::string name(ToString(kind));
    if (!settings.engine.empty() && settings.engine != name) continue;
    absl::StatusOr<ContainerEngine> found = Probe(kind, settings, environment);
    if (found.ok()) {
      Remember(settings, *found).IgnoreError();
      return found;
    }
    if (absl::IsCancelled(found.status())) return found.status();
    reasons.push_back(
        absl::StrCat(name, absl::IsNotFound(found.status()) ? " " : ": ",
                     std::string(found.status().message())));
  }
  return absl::FailedPreconditionError(
      absl::StrCat("no container engine works on this machine (",
                   absl::StrJoin(reasons, "; "), ")"));
}

}  // namespace vernier
