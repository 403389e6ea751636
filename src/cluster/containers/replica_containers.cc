#include "cluster/containers/replica_containers.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "cluster/containers/container_record.h"
#include "cluster/process/command_run.h"

namespace vernier {
namespace {

// An end is requested in steps, because a signal that comes too early is lost:
// `inspect` is repeated until the container's init has started its program
// (CanBeAsked), and then `kill` sends SIGTERM. If that fails, the container is
// not running yet, and the steps are repeated. These engine commands run in the
// background; TakeChild advances the request when one ends, and RepeatRequests
// starts the next.

// Time limits for an engine: for making a container, which must not unpack even
// a large image any more, and for the other commands.
constexpr std::chrono::minutes kCreateLimit{5};
constexpr std::chrono::seconds kVerbLimit{60};
// After this many polls of a container whose first process has no child, the
// signal is sent anyway. The supervisor polls five times a second.
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

// Reads the output of an engine's command that has ended: a line or two.
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
  // This lets a sweep find the program if its supervisor was killed.
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
  // The record is written first, so that after a crash a sweep finds all
  // containers that were made.
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

// Returns whether the container can be sent a signal. The kernel drops a signal
// to a container's first process that has no handler for it yet
// (pid_namespaces(7)), while the engine reports success. The init sets its
// handlers before it starts the program, its child.
bool ReplicaContainers::CanBeAsked(Request& request) const {
  const auto state =
      ParseContainerState(ReadOutput(request.process->processes().front()));
  if (!state.ok()) return true;
  if (state->pid == 0) return false;
  const absl::StatusOr<std::vector<pid_t>> children = ListChildren(state->pid);
  // The engine may run in another pid namespace, and an image may use a first
  // process of its own.
  if (!children.ok() || !children->empty()) return true;
  return ++request.early_looks >= kMaxEarlyLooks;
}

bool ReplicaContainers::TakeChild(pid_t pid, bool has_succeeded) {
  for (auto& [position, request] : requests_) {
    if (!request.process || request.process->processes().front().pid != pid) {
      continue;
    }
    if (!request.is_look) {
      // The command fails while the container is not running yet.
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
  // Older versions of Docker's --force fail for containers that do not exist.
  const std::string why = WhyOf(end);
  if (end.is_success() || absl::StrContains(why, "No such container")) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(why);
}

}  // namespace vernier
