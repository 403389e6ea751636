#include "cluster/local/local_launcher.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/attempt/kill_request.h"
#include "cluster/attempt/launch_retry.h"
#include "cluster/containers/monitor_sweep.h"
#include "cluster/local/supervisor_process.h"
#include "cluster/machine/gpu_inventory.h"
#include "cluster/machine/nvml_library.h"
#include "cluster/process/process_identity.h"
#include "cluster/process/process_sweep.h"

namespace vernier {
namespace {

// In the normal case nothing is polled: a byte on the status pipe reports that
// the gang runs, the pidfd reports the supervisor's end, and then the attempt's
// folder shows the result (InspectAttempt). Only attempts without a reachable
// supervisor are polled (LookAgain). If such an attempt must end, Sweep kills
// its processes by their nonce until a pass over /proc finds none, and only
// then reports the end.

using std::chrono::milliseconds;
using Kind = AttemptObservation::Kind;

constexpr std::int64_t kMinLogCap = 65536;

// Converts the kernel's record of a process's start, in clock ticks since boot,
// to a time. So the age of an adopted gang survives restarts of the service.
SteadyTime TimeOfTicks(std::uint64_t ticks) {
  const auto per_second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  return SteadyTime{std::chrono::microseconds(ticks * 1'000'000 / per_second)};
}

bool IsReadable(int fd) {
  pollfd poll_fd{fd, POLLIN, 0};
  return ::poll(&poll_fd, 1, 0) > 0;
}

void ReapChild(const UniqueFd& process) {
  siginfo_t info;
  ::waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(process.get()),
           &info, WEXITED | WNOHANG);
}

// The intervals between polls of an attempt whose processes are being killed,
// and of one whose supervisor could not be opened or was adopted before its
// gang ran.
constexpr milliseconds kSweepInterval{20};
constexpr milliseconds kLookInterval{250};

constexpr char kRestarted[] = "The machine was restarted.";
constexpr char kForced[] =
    "It did not end in time after it was asked to, and was killed.";

}  // namespace

absl::Status Validate(const LocalLauncherOptions& options) {
  const std::pair<const char*, milliseconds> periods[] = {
      {"kill_margin", options.kill_margin},
      {"continue_period", options.continue_period}};
  for (const auto& [name, value] : periods) {
    if (value > milliseconds(0)) continue;
    return absl::InvalidArgumentError(std::string(name) + " must be > 0 ms: " +
                                      std::to_string(value.count()));
  }
  if (options.log_cap_bytes < kMinLogCap) {
    return absl::InvalidArgumentError(
        "log_cap_bytes must be >= " + std::to_string(kMinLogCap) + ": " +
        std::to_string(options.log_cap_bytes));
  }
  return Validate(options.containers);
}

absl::StatusOr<std::unique_ptr<LocalLauncher>> LocalLauncher::Create(
    LocalLauncherOptions options, const Clock& clock) {
  VERNIER_RETURN_IF_ERROR(Validate(options));
  std::unique_ptr<LocalLauncher> launcher(
      new LocalLauncher(std::move(options), clock));
  VERNIER_ASSIGN_OR_RETURN(launcher->boot_id_, ReadBootId());
  const GpuSources sources = DefaultGpuSources();
  VERNIER_ASSIGN_OR_RETURN(launcher->devices_,
                           FindGpus(launcher->options_.gpus, sources));
  VERNIER_RETURN_IF_ERROR(launcher->epoll_.Open());
  launcher->WatchGpus(sources.nvml_library);
  return launcher;
}

// Watches the machine's GPUs; those of --gpus=fake:N do not exist.
void LocalLauncher::WatchGpus(const std::string& nvml_library) {
  if (devices_.empty() || options_.gpus.starts_with("fake:")) return;
  absl::StatusOr<std::unique_ptr<NvmlLibrary>> nvml =
      NvmlLibrary::Load(nvml_library);
  if (!nvml.ok()) return;
  std::vector<std::string> ids;
  for (const Device& device : devices_) ids.push_back(device.id);
  const std::shared_ptr<const NvmlLibrary> library = *std::move(nvml);
  GpuMonitor::Options options;
  options.policy = options_.gpu_policy;
  options.on_change = [this] { Wake(); };
  gpu_monitor_ = std::make_unique<GpuMonitor>(
      ids, [library](const std::string& id) { return library->Examine(id); },
      std::move(options));
}

std::vector<UnusableDevice> LocalLauncher::UnusableDevices(
    const std::vector<std::string>& free) {
  if (gpu_monitor_ == nullptr) return {};
  return gpu_monitor_->Check(free);
}

std::vector<UnusableDevice> LocalLauncher::GpuTroubles() const {
  if (gpu_monitor_ == nullptr) return {};
  return gpu_monitor_->Unusable();
}

LocalLauncher::LocalLauncher(LocalLauncherOptions options, const Clock& clock)
    : options_(std::move(options)),
      clock_(clock),
      spawn_environment_(SupervisorEnvironment()),
      engine_environment_(EngineEnvironment(environ)) {}

LocalLauncher::~LocalLauncher() = default;

absl::Status LocalLauncher::AddWakeFd(int fd) {
  return fd == -1 ? absl::OkStatus() : epoll_.WatchEdge(fd);
}

absl::Status LocalLauncher::Launch(const LaunchRequest& request) {
  VERNIER_RETURN_IF_ERROR(CheckLaunchRequest(request));
  const LiveAttempt identity{request.attempt, request.nonce, request.run_dir};
  if (const auto known = attempts_.find(request.attempt);
      known != attempts_.end()) {
    if (known->second.identity.nonce == request.nonce &&
        known->second.observation.kind != Kind::kNeverStarted) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError("the attempt was revoked");
  }
  const absl::StatusOr<ClaimContent> claim = ReadClaim(request.run_dir);
  VERNIER_RETURN_IF_ERROR(TryAgain(claim.status()));
  if (claim->kind != ClaimContent::Kind::kEmpty) {
    // An earlier process of the service started or revoked the attempt.
    if (Find(identity).observation.kind != Kind::kNeverStarted) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError("the attempt was revoked");
  }
  VERNIER_RETURN_IF_ERROR(TryAgain(PrepareLaunch(
      request, {options_.resolve, !devices_.empty(), options_.log_cap_bytes,
                options_.containers, Durability::kVolatile})));
  Attempt attempt;
  attempt.identity = identity;
  attempt.observation.attempt = request.attempt;
  VERNIER_RETURN_IF_ERROR(Spawn(attempt));
  attempts_.emplace(request.attempt, std::move(attempt));
  return absl::OkStatus();
}

absl::Status LocalLauncher::Spawn(Attempt& attempt) {
  VERNIER_ASSIGN_OR_RETURN(
      SupervisorProcess supervisor,
      SpawnSupervisor(options_.binary, attempt.identity.run_dir,
                      spawn_environment_));
  attempt.is_child = true;
  attempt.supervisor = std::move(supervisor.process);
  attempt.status = std::move(supervisor.status);
  for (const UniqueFd* fd : {&attempt.supervisor, &attempt.status}) {
    by_fd_[fd->get()] = attempt.identity.attempt;
    epoll_.Watch(fd->get());
  }
  return absl::OkStatus();
}

LocalLauncher::Attempt& LocalLauncher::Find(const LiveAttempt& identity) {
  const auto [place, is_new] = attempts_.try_emplace(identity.attempt);
  Attempt& attempt = place->second;
  if (is_new) {
    attempt.identity = identity;
    attempt.observation.attempt = identity.attempt;
    Inspect(attempt);
  }
  return attempt;
}

void LocalLauncher::Inspect(Attempt& attempt) {
  const AttemptInspection inspection =
      InspectAttempt(attempt.identity, boot_id_);
  attempt.needs_look = false;
  TakeInspection(attempt, inspection);
  if (attempt.needs_look) {
    to_look_at_.insert(attempt.identity.attempt);
  } else {
    to_look_at_.erase(attempt.identity.attempt);
  }
}

void LocalLauncher::Adopt(Attempt& attempt, const ClaimContent& content) {
  if (content.kind != ClaimContent::Kind::kClaimed) {
    attempt.needs_look = true;  // The claim is being written now.
    return;
  }
  const Claim& claim = content.claim;
  if (claim.nonce != attempt.identity.nonce) {
    // If the attempt ran, its program may have overwritten the claim; then only
    // the lock shows when it ends.
    if (attempt.identity.has_run) {
      attempt.needs_look = true;
    } else {
      attempt.observation.kind = Kind::kNeverStarted;
    }
    return;
  }
  attempt.observation.kind =
      content.is_running ? Kind::kRunning : Kind::kStarting;
  attempt.identity.has_run |= content.is_running;
  attempt.started = TimeOfTicks(claim.start_ticks);
  // The status pipe belonged to the launcher that spawned it, so the claim is
  // polled until the whole gang runs.
  attempt.needs_look = !content.is_running;
  if (attempt.supervisor.is_open()) return;
  absl::StatusOr<UniqueFd> supervisor =
      OpenProcess(claim.pid, claim.start_ticks);
  if (!supervisor.ok()) {
    attempt.needs_look = true;  // It is dying, or in another pid namespace.
    return;
  }
  attempt.supervisor = *std::move(supervisor);
  by_fd_[attempt.supervisor.get()] = attempt.identity.attempt;
  epoll_.Watch(attempt.supervisor.get());
  if (attempt.is_killed) SendKill(attempt);
}

absl::Status LocalLauncher::Kill(const LiveAttempt& identity,
                                 milliseconds grace) {
  Attempt& attempt = Find(identity);
  if (IsOver(attempt.observation.kind) || attempt.is_killed) {
    return absl::OkStatus();
  }
  if (!attempt.kill_deadline) {
    attempt.kill_deadline = clock_.Steady() + grace + options_.kill_margin;
  }
  const absl::Status written = WriteKillRequest(identity.run_dir, grace);
  // If the request could not be written, for instance on a full disk, SIGTERM
  // alone still ends the gang, with the job's own grace period.
  if (!written.ok() && !attempt.supervisor.is_open()) return written;
  attempt.is_killed = true;
  SendKill(attempt);
  return absl::OkStatus();
}

void LocalLauncher::SendKill(Attempt& attempt) {
  // Without a handle, Adopt sends the signal later, or the supervisor finds the
  // request.
  if (!attempt.supervisor.is_open()) return;
  SignalProcess(attempt.supervisor, SIGTERM).IgnoreError();
  // If the program has stopped its supervisor, SIGTERM waits for SIGCONT.
  SignalProcess(attempt.supervisor, SIGCONT).IgnoreError();
}

std::vector<AttemptObservation> LocalLauncher::Observe(
    const std::vector<LiveAttempt>& live) {
  TakeEvents(0);
  EndByForce();
  bool is_new_orphan = false;
  for (const LiveAttempt& identity : live) {
    is_new_orphan |= attempts_.count(identity.attempt) == 0 &&
                     Find(identity).once_swept.has_value();
  }
  if (is_new_orphan || clock_.Steady() - last_look_ >= LookInterval()) {
    LookAgain();
  }
  const SteadyTime now = clock_.Steady();
  std::vector<AttemptObservation> observations;
  observations.reserve(live.size());
  for (const LiveAttempt& identity : live) {
    const Attempt& attempt = Find(identity);
    observations.push_back(attempt.observation);
    if (attempt.observation.kind == Kind::kRunning) {
      observations.back().lasted = now - attempt.started;
    }
    if (attempt.identity.nonce != identity.nonce) {
      observations.back() = AttemptObservation{};
      observations.back().attempt = identity.attempt;
      observations.back().kind = Kind::kNeverStarted;
    }
  }
  return observations;
}

void LocalLauncher::Forget(const AttemptKey& key) {
  const auto found = attempts_.find(key);
  if (found == attempts_.end()) return;
  Attempt& attempt = found->second;
  to_look_at_.erase(key);
  by_fd_.erase(attempt.supervisor.get());
  by_fd_.erase(attempt.status.get());
  // It is still a child, and only this launcher can reap it.
  if (attempt.is_child && attempt.supervisor.is_open()) {
    const int fd = attempt.supervisor.get();
    unreaped_[fd] = std::move(attempt.supervisor);
  }
  attempts_.erase(found);
}

void LocalLauncher::Wait(milliseconds timeout) {
  if (!to_look_at_.empty()) timeout = std::min(timeout, LookInterval());
  constexpr std::int64_t kMax = std::numeric_limits<int>::max();
  TakeEvents(
      static_cast<int>(std::clamp<std::int64_t>(timeout.count(), 0, kMax)));
}

void LocalLauncher::Wake() { epoll_.Wake(); }

void LocalLauncher::TakeEvents(int timeout_ms) {
  for (const int fd : epoll_.Wait(timeout_ms)) TakeEvent(fd);
}

void LocalLauncher::TakeEvent(int fd) {
  if (const auto child = unreaped_.find(fd); child != unreaped_.end()) {
    if (!IsReadable(fd)) return;
    ReapChild(child->second);
    unreaped_.erase(child);
    return;
  }
  const auto found = by_fd_.find(fd);
  if (found == by_fd_.end()) return;
  Attempt& attempt = attempts_.at(found->second);
  // An earlier event of the same batch may have closed this one's descriptor.
  if (!IsReadable(fd)) return;
  if (fd == attempt.supervisor.get()) {
    TakeSupervisorEnd(attempt);
    return;
  }
  TakeStatus(attempt);
}

void LocalLauncher::TakeStatus(Attempt& attempt) {
  char report = 0;
  if (::read(attempt.status.get(), &report, 1) == 1) {
    attempt.observation.kind = Kind::kRunning;
    attempt.identity.has_run = true;
    attempt.started = clock_.Steady();
  }
  by_fd_.erase(attempt.status.get());
  attempt.status.Reset();
}

void LocalLauncher::TakeSupervisorEnd(Attempt& attempt) {
  if (attempt.is_child) ReapChild(attempt.supervisor);
  by_fd_.erase(attempt.supervisor.get());
  attempt.supervisor.Reset();
  // The report that the gang ran may have come in the same batch of events.
  if (attempt.status.is_open()) TakeStatus(attempt);
  attempt.is_child = false;
  Inspect(attempt);
}

// The functions below handle attempts whose supervisor cannot report by itself,
// because it is dead, stopped, or out of reach: the launcher must inspect their
// folders and processes.

void LocalLauncher::TakeInspection(Attempt& attempt,
                                   const AttemptInspection& inspection) {
  switch (inspection.kind) {
    case AttemptInspection::Kind::kAlive:
      Adopt(attempt, inspection.claim);
      break;
    case AttemptInspection::Kind::kEnded:
      attempt.observation = inspection.observation;
      // The attempt did not end by itself: the sweep killed it.
      if (attempt.is_forced && attempt.observation.signal == SIGKILL) {
        attempt.observation.stopped_by_request = true;
      }
      break;
    case AttemptInspection::Kind::kLost:
      if (MayHaveContainers(attempt.identity.run_dir)) {
        // They do not run any more, but the engine still has them.
        SweepFor(attempt, Kind::kLost, kRestarted);
        break;
      }
      attempt.observation.kind = Kind::kLost;
      attempt.observation.message = kRestarted;
      break;
    case AttemptInspection::Kind::kNeverStarted:
      attempt.observation.kind = Kind::kNeverStarted;
      break;
    case AttemptInspection::Kind::kOrphaned:
      SweepFor(attempt, Kind::kLost, "Its supervisor was killed.");
      break;
    case AttemptInspection::Kind::kTampered:
      SweepFor(attempt, Kind::kEnded,
               absl::StrCat("Its end cannot be told: ", inspection.damage,
                            ". A program must leave the files of its attempt's "
                            "folder alone."));
      break;
    case AttemptInspection::Kind::kUnknown:
      attempt.needs_look = true;
      if (attempt.is_forced) SweepFor(attempt, Kind::kEnded, kForced);
      break;
  }
}

void LocalLauncher::SweepFor(Attempt& attempt, Kind kind,
                             const std::string& message) {
  attempt.needs_look = true;
  AttemptObservation& end = attempt.once_swept.emplace();
  end.attempt = attempt.identity.attempt;
  end.kind = attempt.is_forced ? Kind::kEnded : kind;
  end.message = attempt.is_forced ? kForced : message;
  end.stopped_by_request = attempt.is_forced;
  // The start of an attempt that was never adopted is unknown.
  if (attempt.started != SteadyTime{}) {
    end.lasted = clock_.Steady() - attempt.started;
  }
}

milliseconds LocalLauncher::LookInterval() const {
  const bool is_sweeping = std::any_of(
      to_look_at_.begin(), to_look_at_.end(), [&](const AttemptKey& key) {
        return attempts_.at(key).once_swept.has_value();
      });
  return is_sweeping ? kSweepInterval : kLookInterval;
}

void LocalLauncher::LookAgain() {
  last_look_ = clock_.Steady();
  if (to_look_at_.empty()) return;
  const std::set<AttemptKey> keys = to_look_at_;
  for (const AttemptKey& key : keys) {
    Attempt& attempt = attempts_.at(key);
    if (!attempt.once_swept) Inspect(attempt);
  }
  Sweep();
}

void LocalLauncher::Sweep() {
  std::set<std::string> nonces;
  std::set<std::string> with_containers;
  for (const AttemptKey& key : to_look_at_) {
    const Attempt& attempt = attempts_.at(key);
    // Without a handle on the supervisor, only the replicas can be killed; the
    // supervisor then ends by itself.
    if (attempt.once_swept || attempt.is_forced) {
      nonces.insert(attempt.identity.nonce);
      if (MayHaveContainers(attempt.identity.run_dir)) {
        with_containers.insert(attempt.identity.nonce);
      }
    }
  }
  if (nonces.empty()) return;
  std::set<std::string> alive = SweepProcesses(nonces);
  const MonitorSweep monitors = SweepMonitors(with_containers);
  if (!monitors.is_complete) return;  // Nothing is proven.
  for (const ContainerMonitor& monitor : monitors.monitors) {
    alive.insert(monitor.nonce);
    containers_.NoteMonitor(monitor);
  }
  const std::set<AttemptKey> keys = to_look_at_;
  for (const AttemptKey& key : keys) {
    Attempt& attempt = attempts_.at(key);
    if (!attempt.once_swept || alive.count(attempt.identity.nonce) > 0) {
      continue;
    }
    // Containers are removed only when no process is left that could make one.
    const ContainerSweep::Progress removal = containers_.Continue(
        attempt.identity.nonce, attempt.identity.run_dir, engine_environment_);
    if (removal == ContainerSweep::Progress::kUnderWay) continue;
    attempt.observation = *attempt.once_swept;
    if (removal == ContainerSweep::Progress::kGivenUp) {
      attempt.observation.message += " Its containers could not be removed.";
    }
    attempt.needs_look = false;
    to_look_at_.erase(key);
  }
}

// Sends SIGCONT now and then, which has no effect on a process that is not
// stopped. A stopped supervisor could not report that its gang runs, before
// which no time limit counts, nor write the record of its end.
void LocalLauncher::Continue(Attempt& attempt, SteadyTime now) {
  if (!attempt.supervisor.is_open() || now < attempt.continue_at) return;
  if (attempt.continue_at != SteadyTime{}) {
    SignalProcess(attempt.supervisor, SIGCONT).IgnoreError();
  }
  attempt.continue_at = now + options_.continue_period;
}

void LocalLauncher::EndByForce() {
  const SteadyTime now = clock_.Steady();
  for (auto& [key, attempt] : attempts_) {
    Continue(attempt, now);
    if (!attempt.kill_deadline || now < *attempt.kill_deadline ||
        IsOver(attempt.observation.kind)) {
      continue;
    }
    attempt.is_forced = true;
    // The kernel kills the replicas together with it, and its pidfd reports the
    // end.
    if (attempt.supervisor.is_open()) {
      SignalProcess(attempt.supervisor, SIGKILL).IgnoreError();
    } else {
      attempt.needs_look = true;
      to_look_at_.insert(key);
    }
  }
}

}  // namespace vernier
