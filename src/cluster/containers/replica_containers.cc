#include "cluster/containers/replica_containers.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/containers/container_record.h"
#include "cluster/process/command_run.h"
#include "cluster/small_file.h"

namespace vernier {
namespace {

// How long an engine may take to make a container, which for a large image
// unpacks nothing any more; and for the other verbs.
constexpr std::chrono::minutes kCreateLimit{5};
constexpr std::chrono::seconds kVerbLimit{60};
// After so many looks at a container whose first process has no child, it is
// asked all the same. The supervisor looks five times a second.
constexpr int kMaxEarlyLooks = 10;

Command EngineCommand(const ContainerEngine& engine, Words words,
                      const Environment& environment) {
  Command command;
  command.path = engine.path;
  command.argv = std::move(words);
  command.environment = environment;
  command.time_limit = kVerbLimit;
  return command;
}

std::string WhyOf(const CommandEnd& end) {
  if (end.is_timed_out) return "the engine does not answer";
  return LastLineOf(end.output);
}

// What an engine that has ended has printed: a line or two.
std::string ReadOutput(const ReplicaProcess& process) {
  std::string output(std::size_t{16} << 10, '\0');
  const ssize_t n = ::read(process.output.get(), output.data(), output.size());
  output.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  return output;
}

}  // namespace

ReplicaContainers::ReplicaContainers(
    ContainerEngine engine, Environment environment, std::string attempt_dir,
    std::vector<std::optional<ContainerSpec>> specs)
    : engine_(std::move(engine)),
      environment_(std::move(environment)),
      attempt_dir_(std::move(attempt_dir)),
      specs_(std::move(specs)) {}

bool ReplicaContainers::Has(std::size_t position) const {
  return position < specs_.size() && specs_[position].has_value();
}

ReplicaProgram ReplicaContainers::StartProgram(std::size_t position,
                                               ReplicaId replica) const {
  const ContainerSpec& spec = *specs_[position];
  ReplicaProgram program;
  program.replica = replica;
  program.path = engine_.path;
  program.argv = StartWords(engine_, spec.name);
  program.environment = environment_;
  // By this a sweep finds the program if its supervisor was killed.
  program.environment["VERNIER_ATTEMPT"] = spec.nonce;
  return program;
}

std::vector<std::string> ReplicaContainers::Names() const {
  std::vector<std::string> names;
  for (const auto& spec : specs_) {
    if (spec) names.push_back(spec->name);
  }
  return names;
}

absl::Status ReplicaContainers::Create() {
  std::vector<std::string> images;
  for (const auto& spec : specs_) {
    if (spec) images.push_back(spec->image);
  }
  // The record comes first, so that a sweep finds whatever was made before a
  // crash.
  VERNIER_RETURN_IF_ERROR(WriteContainerRecord(
      attempt_dir_, {engine_, Names(), std::move(images)}));
  for (const auto& spec : specs_) {
    if (spec) VERNIER_RETURN_IF_ERROR(CreateOne(*spec));
  }
  return absl::OkStatus();
}

absl::Status ReplicaContainers::CreateOne(const ContainerSpec& spec) const {
  VERNIER_ASSIGN_OR_RETURN(const SplitEnvironment split,
                           Split(spec.environment));
  std::string env_file;
  if (!split.file.empty()) {
    env_file = absl::StrCat(attempt_dir_, "/", spec.name, ".env");
    VERNIER_RETURN_IF_ERROR(
        ReplaceFile(env_file, split.file, Durability::kVolatile));
  }
  Environment environment = environment_;
  environment.insert(split.passed.begin(), split.passed.end());
  environment["VERNIER_ATTEMPT"] = spec.nonce;
  Command command =
      EngineCommand(engine_, CreateWords(engine_, spec, env_file), environment);
  command.time_limit = kCreateLimit;
  const absl::StatusOr<CommandEnd> end = RunCommand(command);
  if (!env_file.empty()) std::remove(env_file.c_str());
  VERNIER_RETURN_IF_ERROR(end.status());
  if (end->is_success()) return CheckLimitsAreKept(spec.limits, end->output);
  return absl::FailedPreconditionError(
      absl::StrCat("its container cannot be made by ", Describe(engine_), ": ",
                   WhyOf(*end)));
}

void ReplicaContainers::RequestEnd(std::size_t position) {
  Begin(requests_[position], position);
}

void ReplicaContainers::Begin(Request& request, std::size_t position) {
  ReplicaProgram program = StartProgram(position, {});
  const std::string& name = specs_[position]->name;
  program.argv = request.is_look ? InspectWords(engine_, name)
                                 : TerminateWords(engine_, name);
  absl::StatusOr<ProcessGang> started = ProcessGang::Start({program}, "/");
  request.process.reset();
  if (started.ok()) request.process.emplace(*std::move(started));
}

void ReplicaContainers::RepeatRequests() {
  for (auto& [position, request] : requests_) {
    if (!request.process) Begin(request, position);
  }
}

// The kernel drops a signal to the first process of a container that has not
// said yet what it does with it (pid_namespaces(7)), and the engine says that
// it was sent. The init has said so before it starts the program, its child.
bool ReplicaContainers::CanBeAsked(Request& request) const {
  const auto state =
      ParseContainerState(ReadOutput(request.process->processes().front()));
  if (!state.ok()) return true;
  if (state->pid == 0) return false;
  const absl::StatusOr<std::vector<pid_t>> children = ListChildren(state->pid);
  // An engine may live where pids are others, and an image may have its own
  // idea of a first process.
  if (!children.ok() || !children->empty()) return true;
  return ++request.early_looks >= kMaxEarlyLooks;
}

bool ReplicaContainers::TakeChild(pid_t pid, bool has_succeeded) {
  for (auto& [position, request] : requests_) {
    if (!request.process || request.process->processes().front().pid != pid) {
      continue;
    }
    if (!request.is_look) {
      // It fails while the container is not running yet.
      request.is_look = true;
      request.process.reset();
      if (has_succeeded) requests_.erase(position);
      return true;
    }
    request.is_look = !has_succeeded || !CanBeAsked(request);
    request.process.reset();
    if (!request.is_look) Begin(request, position);
    return true;
  }
  return false;
}

std::optional<ContainerState> ReplicaContainers::Inspect(
    std::size_t position) const {
  const absl::StatusOr<CommandEnd> end = RunCommand(EngineCommand(
      engine_, InspectWords(engine_, specs_[position]->name), environment_));
  if (!end.ok() || !end->is_success()) return std::nullopt;
  const auto state = ParseContainerState(end->output);
  if (!state.ok()) return std::nullopt;
  return *state;
}

absl::Status ReplicaContainers::Remove() const {
  const std::vector<std::string> names = Names();
  if (names.empty()) return absl::OkStatus();
  return RemoveContainers(engine_, names, environment_);
}

absl::Status RemoveContainers(const ContainerEngine& engine,
                              const std::vector<std::string>& names,
                              const Environment& environment) {
  VERNIER_ASSIGN_OR_RETURN(
      const CommandEnd end,
      RunCommand(
          EngineCommand(engine, RemoveWords(engine, names), environment)));
  // Older versions of Docker's --force complain about what is not there.
  const std::string why = WhyOf(end);
  if (end.is_success() || absl::StrContains(why, "No such container")) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(why);
}

}  // namespace vernier
