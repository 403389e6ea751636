#include "cluster/containers/engine_command.h"

#include <cstdio>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace vernier {
namespace {

constexpr char kStateMark[] = "vernier-state ";
// The engines' parsers of --env-file accept lines up to 64 KiB.
constexpr std::size_t kMaxFileLine = 60000;

Words Begin(const ContainerEngine& engine, const std::string& verb) {
  Words words = {std::string(ToString(engine.kind))};
  words.insert(words.end(), engine.global_options.begin(),
               engine.global_options.end());
  words.push_back(verb);
  return words;
}

void Append(const Words& more, Words& words) {
  words.insert(words.end(), more.begin(), more.end());
}

// Quotes one field of the comma-separated values that --mount takes.
std::string Field(const std::string& text) {
  if (text.find_first_of(",\"") == std::string::npos) return text;
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

// Gives replicas this machine's network and a shared /dev/shm, as processes
// without containers have them.
void AppendSurroundings(Words& words) {
  Append({"--network", "host"}, words);
  // --ipc host is not used, because rootless Podman needs a /dev/mqueue for it.
  Append({"--mount", "type=bind,source=/dev/shm,target=/dev/shm"}, words);
  // The output goes to the replica's log, whose size is limited; the engine's
  // own copy would have no limit.
  Append({"--log-driver", "none"}, words);
  // Without this SELinux denies the mounted folders.
  Append({"--security-opt", "label=disable"}, words);
}

void AppendGpus(const ContainerEngine& engine,
                const std::vector<std::string>& gpus, Words& words) {
  if (gpus.empty()) return;
  if (engine.kind == EngineKind::kDocker) {
    // The inner quotes keep docker from splitting the list at its commas.
    Append(
        {"--gpus", absl::StrCat("\"device=", absl::StrJoin(gpus, ","), "\"")},
        words);
    return;
  }
  for (const std::string& gpu : gpus) {
    Append({"--device", "nvidia.com/gpu=" + gpu}, words);
  }
}

void AppendLimits(const ContainerLimits& limits, Words& words) {
  if (limits.memory_bytes > 0) {
    // Swap would only hide that the memory is used up.
    const std::string memory = absl::StrCat(limits.memory_bytes, "b");
    Append({"--memory", memory, "--memory-swap", memory}, words);
  }
  if (limits.processors > 0) {
    Append({"--cpus", absl::StrCat(limits.processors)}, words);
  }
}

// Appends all options except the name and the variables.
void AppendOptions(const ContainerEngine& engine, const ContainerSpec& spec,
                   Words& words) {
  AppendSurroundings(words);
  Append(engine.create_options, words);
  AppendGpus(engine, spec.gpus, words);
  AppendLimits(spec.limits, words);
  for (const std::string& folder : spec.folders) {
    Append({"--mount", absl::StrCat("type=bind,", Field("source=" + folder),
                                    ",", Field("target=" + folder))},
           words);
  }
  for (const std::string& mount : spec.mounts) {
    const bool has_target = mount.find(":/") != std::string::npos;
    const std::string path = mount.substr(0, mount.find(':'));
    Append({"--volume", has_target ? mount : absl::StrCat(path, ":", mount)},
           words);
  }
  if (!spec.work_dir.empty()) Append({"--workdir", spec.work_dir}, words);
  if (!spec.entry_point.empty()) {
    // Docker takes one word here. The others are passed as arguments, which has
    // the same effect.
    Append({"--entrypoint", spec.entry_point.front()}, words);
  }
}

void AppendProgram(const ContainerSpec& spec, Words& words) {
  words.push_back(spec.image);
  if (!spec.entry_point.empty()) {
    words.insert(words.end(), spec.entry_point.begin() + 1,
                 spec.entry_point.end());
  }
  Append(spec.arguments, words);
}

}  // namespace

std::string ContainerName(const std::string& nonce, ReplicaId replica) {
  return absl::StrCat("vernier-", nonce, "-",
                      std::string(ToString(replica.role)), "-", replica.index);
}

absl::StatusOr<SplitEnvironment> Split(const Environment& environment) {
  SplitEnvironment split;
  for (const auto& [name, value] : environment) {
    if (!EnginesRead(name)) {
      split.passed[name] = value;
      continue;
    }
    if (value.find_first_of("\r\n") != std::string::npos ||
        name.size() + value.size() > kMaxFileLine) {
      return absl::InvalidArgumentError(absl::StrCat(
          "a container cannot be given the variable ", name,
          ", whose value has several lines or more than 60,000 bytes"));
    }
    absl::StrAppend(&split.file, name, "=", value, "\n");
  }
  return split;
}

Words CreateWords(const ContainerEngine& engine, const ContainerSpec& spec,
                  const std::string& env_file) {
  Words words = Begin(engine, "create");
  Append({"--name", spec.name, "--label", "vernier.attempt=" + spec.nonce,
          "--label", "vernier.job=" + spec.job, "--label",
          "vernier.trial=" + spec.trial},
         words);
  if (!env_file.empty()) Append({"--env-file", env_file}, words);
  for (const auto& [name, value] : spec.environment) {
    // An option with only a name takes the value from the engine's environment.
    if (!EnginesRead(name)) Append({"--env", name}, words);
  }
  AppendOptions(engine, spec, words);
  AppendProgram(spec, words);
  return words;
}

// Without cgroups of version 2, Podman run by an ordinary user only warns that
// it ignores limits and makes the container all the same; so does Docker if the
// kernel lacks a controller.
absl::Status CheckLimitsAreKept(const ContainerLimits& limits,
                                const std::string& output) {
  if (limits.memory_bytes == 0 && limits.processors == 0) {
    return absl::OkStatus();
  }
  for (const auto line : absl::StrSplit(output, '\n')) {
    if (absl::StrContains(line, "not supported and ignored") ||
        absl::StrContains(line, "Limitation discarded")) {
      return absl::FailedPreconditionError(absl::StrCat(
          "--container-limits cannot be kept on this machine: ", line));
    }
  }
  return absl::OkStatus();
}

RunByHand RunWords(const ContainerEngine& engine, const ContainerSpec& spec) {
  RunByHand run;
  run.verb = Begin(engine, "run");
  run.options = {"--rm"};
  AppendOptions(engine, spec, run.options);
  AppendProgram(spec, run.program);
  return run;
}

Words StartWords(const ContainerEngine& engine, const std::string& name) {
  Words words = Begin(engine, "start");
  // Signals are sent to the container by TerminateWords, never through this
  // program, which would lose them until the container has started.
  words.push_back("--attach");
  // Docker forwards signals and has no option against it.
  if (engine.kind == EngineKind::kPodman) words.push_back("--sig-proxy=false");
  words.push_back(name);
  return words;
}

Words TerminateWords(const ContainerEngine& engine, const std::string& name) {
  Words words = Begin(engine, "kill");
  Append({"--signal", "TERM", name}, words);
  return words;
}

Words RemoveWords(const ContainerEngine& engine,
                  const std::vector<std::string>& names) {
  Words words = Begin(engine, "rm");
  words.push_back("--force");
  words.push_back("--volumes");  // Those that the image itself declares.
  if (engine.kind == EngineKind::kPodman) {
    // Podman needs these; Docker's --force includes both.
    Append({"--ignore", "--time", "0"}, words);
  }
  Append(names, words);
  return words;
}

Words InspectWords(const ContainerEngine& engine, const std::string& name) {
  Words words = Begin(engine, "inspect");
  Append({"--type", "container", "--format",
          absl::StrCat(kStateMark,
                       "{{.State.Status}} {{.State.OOMKilled}} "
                       "{{.State.Pid}} {{.State.StartedAt}}"),
          name},
         words);
  return words;
}

absl::StatusOr<ContainerState> ParseContainerState(const std::string& output) {
  for (const auto line : absl::StrSplit(output, '\n')) {
    const std::string text(line);
    if (text.rfind(kStateMark, 0) != 0) continue;
    const std::vector<std::string> fields =
        absl::StrSplit(text.substr(sizeof(kStateMark) - 1), ' ');
    if (fields.size() < 4) break;
    ContainerState state;
    // A time that is not set is printed as one in the year 1.
    state.has_started = fields[0] != "created" && fields[0] != "configured" &&
                        fields[3].rfind("0001-01-01", 0) != 0;
    state.is_out_of_memory = fields[1] == "true";
    if (!absl::SimpleAtoi(fields[2], &state.pid)) break;
    return state;
  }
  return absl::DataLossError("the engine printed no state: " + output);
}

}  // namespace vernier
