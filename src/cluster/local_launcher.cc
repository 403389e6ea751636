#include "cluster/local_launcher.h"

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <limits>
#include <utility>

#include "cluster/gpu_inventory.h"
#include "cluster/kill_request.h"
#include "cluster/launch_file.h"
#include "cluster/process_identity.h"
#include "cluster/process_sweep.h"
#include "cluster/small_file.h"
#include "cluster/supervisor_process.h"
#include "cluster/trial_environment.h"
#include "study/status_macros.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Kind = AttemptObservation::Kind;

// How often to look at an attempt that cannot call by itself: one whose
// processes are being swept, and one whose supervisor could not be opened or
// was adopted before its gang was up.
constexpr milliseconds kSweepInterval{20};
constexpr milliseconds kLookInterval{250};
constexpr std::int64_t kMinLogCap = 65536;
constexpr std::size_t kNonceDigits = 32;

bool IsOver(const AttemptObservation& observation) {
  return observation.kind != Kind::kStarting &&
         observation.kind != Kind::kRunning;
}

bool IsNonce(const std::string& text) {
  return text.size() == kNonceDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// The kernel counts a process's start in clock ticks since the boot, so the age
// of an adopted gang survives restarts of the service.
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

// What Launch promises to return when it may be tried again.
absl::Status TryAgain(const absl::Status& status) {
  if (status.ok() || absl::IsResourceExhausted(status)) return status;
  return absl::UnavailableError(std::string(status.message()));
}

}  // namespace

absl::Status Validate(const LocalLauncherOptions& options) {
  if (options.max_concurrent_replicas < 0) {
    return absl::InvalidArgumentError(
        "max_concurrent_replicas must be >= 0: " +
        std::to_string(options.max_concurrent_replicas));
  }
  if (options.log_cap_bytes < kMinLogCap) {
    return absl::InvalidArgumentError(
        "log_cap_bytes must be >= " + std::to_string(kMinLogCap) + ": " +
        std::to_string(options.log_cap_bytes));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<LocalLauncher>> LocalLauncher::Create(
    LocalLauncherOptions options, const Clock& clock) {
  VERNIER_RETURN_IF_ERROR(Validate(options));
  std::unique_ptr<LocalLauncher> launcher(
      new LocalLauncher(std::move(options), clock));
  VERNIER_ASSIGN_OR_RETURN(launcher->boot_id_, ReadBootId());
  VERNIER_ASSIGN_OR_RETURN(launcher->devices_, FindGpus(launcher->options_.gpus,
                                                        DefaultGpuSources()));
  launcher->epoll_.Reset(::epoll_create1(EPOLL_CLOEXEC));
  launcher->wake_.Reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!launcher->epoll_.is_open() || !launcher->wake_.is_open()) {
    return absl::ErrnoToStatus(errno, "cannot make an epoll");
  }
  launcher->Watch(launcher->wake_.get());
  return launcher;
}

LocalLauncher::LocalLauncher(LocalLauncherOptions options, const Clock& clock)
    : options_(std::move(options)),
      clock_(clock),
      spawn_environment_(SupervisorEnvironment()) {}

LocalLauncher::~LocalLauncher() = default;

void LocalLauncher::Watch(int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
}

absl::Status LocalLauncher::AddWakeFd(int fd) {
  if (fd == -1) return absl::OkStatus();
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;  // Its owner reads it, not Wait.
  event.data.fd = fd;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
    return absl::ErrnoToStatus(errno, "cannot watch a descriptor");
  }
  return absl::OkStatus();
}

absl::Status LocalLauncher::CheckRequest(const LaunchRequest& request,
                                         int replicas) const {
  if (!IsNonce(request.nonce)) {
    return absl::InvalidArgumentError("a nonce is 32 hex digits: " +
                                      request.nonce);
  }
  for (const std::string* path : {&request.run_dir, &request.code_dir}) {
    if (!path->empty() && path->front() != '/') {
      return absl::InvalidArgumentError("a directory must be absolute: " +
                                        *path);
    }
  }
  if (request.run_dir.empty()) {
    return absl::InvalidArgumentError("the attempt has no directory");
  }
  const int limit = options_.max_concurrent_replicas;
  if (limit > 0 && replicas > limit) {
    return absl::InvalidArgumentError(
        "the gang has more replicas than may run at once on this machine: " +
        std::to_string(replicas) + " > " + std::to_string(limit));
  }
  return SplitDevices(*request.spec, request.devices).status();
}

absl::Status LocalLauncher::CheckRoom(int replicas) {
  const int limit = options_.max_concurrent_replicas;
  if (limit == 0) return absl::OkStatus();
  int running = 0;
  for (const auto& [key, attempt] : attempts_) {
    if (!IsOver(attempt.observation)) running += attempt.replicas;
  }
  if (running + replicas <= limit) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      std::to_string(running) + " of " + std::to_string(limit) +
      " replicas run; the gang needs " + std::to_string(replicas));
}

absl::Status LocalLauncher::Prepare(const LaunchRequest& request) const {
  VERNIER_RETURN_IF_ERROR(MakeDirectories(request.run_dir));
  if (request.spec->training_input.hyperparameters) {
    // Made here, so that a metric source can watch it from the start.
    VERNIER_RETURN_IF_ERROR(MakeDirectories(MetricDirectory(request.run_dir)));
  }
  LaunchFile launch;
  launch.attempt = request.attempt;
  launch.nonce = request.nonce;
  launch.spec_json = request.spec_json;
  launch.project = request.project;
  launch.parameters = request.parameters;
  launch.work_dir =
      request.code_dir.empty() ? request.run_dir + "/work" : request.code_dir;
  launch.devices = request.devices;
  launch.machine_has_gpus = !devices_.empty();
  launch.log_cap_bytes = options_.log_cap_bytes;
  // run_dir is JOB/TRIAL/ATTEMPT, and packages are the job's.
  launch.package_dir =
      fs::path(request.run_dir).parent_path().parent_path() / "packages";
  auto resources =
      options_.resolve ? options_.resolve(request) : ResourcesOf(*request.spec);
  if (resources.ok()) {
    launch.resources = *std::move(resources);
  } else if (absl::IsUnavailable(resources.status()) ||
             absl::IsResourceExhausted(resources.status())) {
    return resources.status();
  } else {
    // The supervisor says so in the attempt's exit record, so that it ends as
    // one that could not be launched, and not as one that was lost.
    launch.failure = std::string(resources.status().message());
  }
  return WriteLaunchFile(request.run_dir, launch);
}

absl::Status LocalLauncher::Launch(const LaunchRequest& request) {
  const int replicas =
      static_cast<int>(GangReplicas(request.spec->training_input).size());
  VERNIER_RETURN_IF_ERROR(CheckRequest(request, replicas));
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
  if (claim.ok() && claim->kind != ClaimContent::Kind::kEmpty) {
    // Started, or revoked, before this process was.
    if (Find(identity).observation.kind != Kind::kNeverStarted) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError("the attempt was revoked");
  }
  VERNIER_RETURN_IF_ERROR(CheckRoom(replicas));
  VERNIER_RETURN_IF_ERROR(TryAgain(Prepare(request)));
  Attempt attempt;
  attempt.identity = identity;
  attempt.observation.attempt = request.attempt;
  attempt.replicas = replicas;
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
    Watch(fd->get());
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
  switch (inspection.kind) {
    case AttemptInspection::Kind::kAlive:
      Adopt(attempt, inspection.claim);
      break;
    case AttemptInspection::Kind::kEnded:
      attempt.observation = inspection.observation;
      break;
    case AttemptInspection::Kind::kLost:
      attempt.observation.kind = Kind::kLost;
      attempt.observation.message = "The machine was restarted.";
      break;
    case AttemptInspection::Kind::kNeverStarted:
      attempt.observation.kind = Kind::kNeverStarted;
      break;
    case AttemptInspection::Kind::kOrphaned:
      attempt.is_orphaned = true;
      attempt.needs_look = true;
      break;
    case AttemptInspection::Kind::kUnknown:
      attempt.needs_look = true;
      break;
  }
  if (attempt.needs_look) {
    to_look_at_.insert(attempt.identity.attempt);
  } else {
    to_look_at_.erase(attempt.identity.attempt);
  }
}

void LocalLauncher::Adopt(Attempt& attempt, const ClaimContent& content) {
  if (content.kind != ClaimContent::Kind::kClaimed) {
    attempt.needs_look = true;  // It is being written right now.
    return;
  }
  const Claim& claim = content.claim;
  if (claim.nonce != attempt.identity.nonce) {
    attempt.observation.kind = Kind::kNeverStarted;
    return;
  }
  attempt.replicas = claim.replicas;
  attempt.observation.kind =
      content.is_running ? Kind::kRunning : Kind::kStarting;
  attempt.started = TimeOfTicks(claim.start_ticks);
  // Nobody will tell when the rest of the gang is up.
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
  Watch(attempt.supervisor.get());
  if (attempt.is_killed) SendKill(attempt);
}

absl::Status LocalLauncher::Kill(const LiveAttempt& identity,
                                 milliseconds grace) {
  Attempt& attempt = Find(identity);
  if (IsOver(attempt.observation) || attempt.is_killed) {
    return absl::OkStatus();
  }
  VERNIER_RETURN_IF_ERROR(WriteKillRequest(identity.run_dir, grace));
  attempt.is_killed = true;
  SendKill(attempt);
  return absl::OkStatus();
}

void LocalLauncher::SendKill(Attempt& attempt) {
  // Without a handle the request waits for Adopt, or for the supervisor to
  // find it.
  if (!attempt.supervisor.is_open()) return;
  SignalProcess(attempt.supervisor, SIGTERM).IgnoreError();
}

std::vector<AttemptObservation> LocalLauncher::Observe(
    const std::vector<LiveAttempt>& live) {
  TakeEvents(0);
  bool is_new_orphan = false;
  for (const LiveAttempt& identity : live) {
    is_new_orphan |=
        attempts_.count(identity.attempt) == 0 && Find(identity).is_orphaned;
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

void LocalLauncher::Wake() {
  const std::uint64_t one = 1;
  if (::write(wake_.get(), &one, sizeof(one)) < 0) {
    // Full: it is awake already.
  }
}

bool LocalLauncher::TakeEvents(int timeout_ms) {
  std::array<epoll_event, 64> events;
  const int n = ::epoll_wait(epoll_.get(), events.data(),
                             static_cast<int>(events.size()), timeout_ms);
  for (int i = 0; i < n; ++i) {
    TakeEvent(events[static_cast<std::size_t>(i)].data.fd);
  }
  return n > 0;
}

void LocalLauncher::TakeEvent(int fd) {
  if (fd == wake_.get()) {
    std::uint64_t count = 0;
    if (::read(fd, &count, sizeof(count)) < 0) return;
    return;
  }
  if (const auto child = unreaped_.find(fd); child != unreaped_.end()) {
    if (!IsReadable(fd)) return;
    ReapChild(child->second);
    unreaped_.erase(child);
    return;
  }
  const auto found = by_fd_.find(fd);
  if (found == by_fd_.end()) return;
  Attempt& attempt = attempts_.at(found->second);
  // One of two events of a batch may have closed what the other is about.
  if (!IsReadable(fd)) return;
  if (fd == attempt.supervisor.get()) {
    TakeSupervisorEnd(attempt);
    return;
  }
  char report = 0;
  if (::read(fd, &report, 1) == 1) {
    attempt.observation.kind = Kind::kRunning;
    attempt.started = clock_.Steady();
  }
  by_fd_.erase(fd);
  attempt.status.Reset();
}

void LocalLauncher::TakeSupervisorEnd(Attempt& attempt) {
  if (attempt.is_child) ReapChild(attempt.supervisor);
  by_fd_.erase(attempt.supervisor.get());
  by_fd_.erase(attempt.status.get());
  attempt.supervisor.Reset();
  attempt.status.Reset();
  attempt.is_child = false;
  Inspect(attempt);
}

milliseconds LocalLauncher::LookInterval() const {
  const bool is_sweeping = std::any_of(
      to_look_at_.begin(), to_look_at_.end(),
      [&](const AttemptKey& key) { return attempts_.at(key).is_orphaned; });
  return is_sweeping ? kSweepInterval : kLookInterval;
}

void LocalLauncher::LookAgain() {
  last_look_ = clock_.Steady();
  if (to_look_at_.empty()) return;
  const std::set<AttemptKey> keys = to_look_at_;
  for (const AttemptKey& key : keys) {
    Attempt& attempt = attempts_.at(key);
    if (!attempt.is_orphaned) Inspect(attempt);
  }
  SweepOrphans();
}

void LocalLauncher::SweepOrphans() {
  std::set<std::string> nonces;
  for (const AttemptKey& key : to_look_at_) {
    const Attempt& attempt = attempts_.at(key);
    if (attempt.is_orphaned) nonces.insert(attempt.identity.nonce);
  }
  if (nonces.empty()) return;
  const std::set<std::string> alive = SweepProcesses(nonces);
  const std::set<AttemptKey> keys = to_look_at_;
  for (const AttemptKey& key : keys) {
    Attempt& attempt = attempts_.at(key);
    if (!attempt.is_orphaned || alive.count(attempt.identity.nonce) > 0) {
      continue;
    }
    attempt.observation.kind = Kind::kLost;
    attempt.observation.message = "Its supervisor was killed.";
    attempt.needs_look = false;
    to_look_at_.erase(key);
  }
}

}  // namespace vernier
