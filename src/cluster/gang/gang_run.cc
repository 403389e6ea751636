#include "cluster/gang/gang_run.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "base/small_file.h"
#include "base/status_macros.h"
#include "cluster/attempt/gang_verdict.h"
#include "cluster/attempt/kill_request.h"

namespace vernier {
namespace {

// One loop of poll waits for output, the ends of children and signals (Poll).
// Each end is judged: the first one that decides (DecidingReplica), or a
// request to stop, sends SIGTERM to the rest. After the grace period, or once
// all have ended, every remaining descendant is killed. That reaches all of
// them, since this process is a child subreaper and therefore adopts orphans.

using std::chrono::milliseconds;

constexpr std::size_t kMessageLines = 20;
// Enough for the long traces that TensorFlow prints after an exception.
constexpr std::size_t kTailLines = 200;
constexpr std::size_t kTailBytes = 16384;
constexpr std::size_t kReadBytes = 65536;
constexpr int kAskAgainMs = 200;              // Containers, and stop_asked.
constexpr milliseconds kKillPatience{10000};  // For processes that cannot die.

sigset_t GangSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGCHLD, SIGTERM, SIGINT}) sigaddset(&signals, signal);
  return signals;
}

// Engines report an end by signal N as the status 128 + N, as shells do.
constexpr int kSignalStatus = 128;

ReplicaEnd EndFromStatus(int status) {
  ReplicaEnd end;
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.exit_code = WEXITSTATUS(status);
  }
  return end;
}

bool MayBeRefusal(const ReplicaEnd& end) {
  // 125 to 127 are the engines' own codes, 1 that of some first processes.
  return end.exit_code == 1 || (end.exit_code >= 125 && end.exit_code <= 127);
}

// Returns whether the first process in a container could not run the program,
// as shown by what catatonit and tini, the engines' --init, print in that case.
bool IsRefusalOfInit(const std::string& lines) {
  for (const char* words : {"failed to exec pid1:", "[FATAL tini"}) {
    if (lines.find(words) != std::string::npos) return true;
  }
  return false;
}

// Returns the number of processes that the kernel has killed for lack of memory
// since boot; nullopt if that is unknown.
std::optional<std::int64_t> CountOomKills() {
  const absl::StatusOr<std::string> text = ReadSmallFile("/proc/vmstat");
  if (!text.ok()) return std::nullopt;
  constexpr char kName[] = "\noom_kill ";
  const std::size_t at = text->find(kName);
  if (at == std::string::npos) return std::nullopt;
  return std::atoll(text->c_str() + at + sizeof(kName) - 1);
}

}  // namespace

void BlockGangSignals() {
  ::signal(SIGHUP, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);  // The write fails instead, as on a full disk.
  const sigset_t signals = GangSignals();
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
}

GangRun::GangRun(Options options, const Clock& clock)
    : options_(std::move(options)), clock_(clock) {}

absl::Status GangRun::Start(const std::vector<ReplicaProgram>& programs) {
  const sigset_t signals = GangSignals();
  signals_.Reset(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals_.is_open()) return absl::ErrnoToStatus(errno, "signalfd");
  for (const ReplicaProgram& program : programs) {
    VERNIER_ASSIGN_OR_RETURN(
        ReplicaLogWriter log,
        ReplicaLogWriter::Create(LogDirectory(options_.attempt_dir),
                                 ReplicaName(program.replica),
                                 options_.log_cap_bytes));
    VERNIER_ASSIGN_OR_RETURN(
        LogTimesWriter times,
        LogTimesWriter::Create(LogDirectory(options_.attempt_dir),
                               ReplicaName(program.replica)));
    log.Append(program.preface.data(), program.preface.size());
    logs_.push_back(std::move(log));
    log_times_.push_back(std::move(times));
  }
  if (options_.containers != nullptr) {
    VERNIER_RETURN_IF_ERROR(options_.containers->Create());
  }
  VERNIER_ASSIGN_OR_RETURN(gang_,
                           ProcessGang::Start(programs, options_.work_dir));
  return absl::OkStatus();
}

ExitRecord GangRun::Run(const std::vector<ReplicaProgram>& programs) {
  const SteadyTime started = clock_.Steady();
  oom_kills_before_ = CountOomKills();
  programs_ = &programs;
  ends_.resize(programs.size());
  for (const ReplicaProgram& program : programs) {
    record_.replicas.push_back(program.replica);
  }
  const absl::Status start = Start(programs);
  if (!start.ok()) {
    if (options_.containers != nullptr) {
      options_.containers->Remove().IgnoreError();
    }
    record_.launch_failed = true;
    record_.message =
        "The replicas could not be started: " + std::string(start.message());
    record_.ends.resize(programs.size());
    return record_;
  }
  while (phase_ != Phase::kKilling) {
    Poll();
    if (phase_ == Phase::kEnding && IsEndingOver()) phase_ = Phase::kKilling;
  }
  absl::Status removed;
  if (options_.containers != nullptr) {
    JudgeContainer();
    removed = options_.containers->Remove();
  }
  KillDescendants();
  if (!removed.ok()) removed = options_.containers->Remove();
  DrainOutputs();
  Finish(started);
  if (!removed.ok()) {
    record_.message += "\nIts containers could not be removed: " +
                       std::string(removed.message());
  }
  return record_;
}

void GangRun::Poll() {
  std::vector<pollfd> fds;
  fds.push_back({signals_.get(), POLLIN, 0});
  fds.push_back({gang_->start_fd(), POLLIN, 0});  // poll skips -1.
  for (const ReplicaProcess& process : gang_->processes()) {
    fds.push_back({process.output.get(), POLLIN, 0});
  }
  int timeout = options_.stop_asked ? kAskAgainMs : -1;
  if (phase_ == Phase::kEnding) {
    const auto left =
        std::chrono::ceil<milliseconds>(deadline_ - clock_.Steady());
    timeout = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    if (options_.containers != nullptr) {
      timeout = std::min(timeout, kAskAgainMs);
      options_.containers->RepeatRequests();
    }
  }
  if (::poll(fds.data(), fds.size(), timeout) < 0) return;
  for (std::size_t i = 2; i < fds.size(); ++i) {
    // The number of reads is limited, so that a replica that prints without end
    // does not delay signals.
    if (fds[i].revents != 0) PumpOutput(i - 2, 4);
  }
  NoteStart();
  if (fds[0].revents != 0) TakeSignals();
  if (phase_ == Phase::kRunning && options_.stop_asked &&
      options_.stop_asked()) {
    RequestStop();
  }
  Judge();
}

void GangRun::TakeSignals() {
  signalfd_siginfo info;
  bool child_ended = false;
  while (::read(signals_.get(), &info, sizeof(info)) ==
         static_cast<ssize_t>(sizeof(info))) {
    if (info.ssi_signo == SIGCHLD) {
      child_ended = true;
    } else {
      RequestStop();
    }
  }
  // SIGCHLD signals are merged, so one may stand for several children.
  if (child_ended) Reap();
}

void GangRun::Reap() {
  int status = 0;
  while (true) {
    const pid_t pid = ::waitpid(-1, &status, WNOHANG);
    if (pid < 0 && errno == EINTR) continue;
    if (pid <= 0) {
      has_children_ = pid == 0;
      break;
    }
    if (options_.containers != nullptr &&
        options_.containers->TakeChild(pid, status == 0)) {
      continue;
    }
    std::vector<ReplicaProcess>& processes = gang_->processes();
    for (std::size_t i = 0; i < processes.size(); ++i) {
      if (processes[i].pid == pid) ends_[i] = EndOf(i, status);
    }
  }
  // A child that could not run its program reported that before it ended.
  NoteStart();
}

void GangRun::NoteStart() {
  if (all_run_ || record_.launch_failed) return;
  const ProcessGang::StartReport report = gang_->TakeStartReport();
  if (report.state == ProcessGang::StartState::kAllRun) {
    all_run_ = true;
    if (options_.on_all_run) options_.on_all_run();
  } else if (report.state == ProcessGang::StartState::kFailed) {
    const ReplicaProgram& program = (*programs_)[report.position];
    const absl::Status why = absl::ErrnoToStatus(report.error, program.path);
    record_.launch_failed = true;
    record_.message = "The replica " + ReplicaTitle(program.replica) +
                      " could not be started: " + std::string(why.message());
    phase_ = Phase::kKilling;
  }
}

void GangRun::Judge() {
  if (phase_ != Phase::kRunning) return;
  record_.deciding = DecidingReplica(ends_);
  if (!record_.deciding) return;
  // The kernel's counter covers the whole machine, so it is evidence only
  // together with SIGKILL.
  if (ends_[*record_.deciding]->signal == SIGKILL) {
    const std::optional<std::int64_t> now = CountOomKills();
    record_.out_of_memory = now && oom_kills_before_ && now > oom_kills_before_;
  }
  BeginEnding(options_.grace);
}

void GangRun::RequestStop() {
  if (phase_ != Phase::kRunning) return;
  record_.stopped_by_request = true;
  record_.deciding = 0;
  const auto asked = ReadKillRequest(options_.attempt_dir);
  BeginEnding(asked.ok() ? asked->value_or(options_.grace) : options_.grace);
}

void GangRun::BeginEnding(milliseconds grace) {
  phase_ = Phase::kEnding;
  deadline_ = clock_.Steady() + grace;
  std::vector<ReplicaProcess>& processes = gang_->processes();
  for (std::size_t i = 0; i < processes.size(); ++i) {
    // It is not reaped yet, so no other process group can have its number.
    if (ends_[i]) continue;
    if (IsContainer(i)) {
      options_.containers->RequestEnd(i);
      continue;
    }
    ::kill(-processes[i].pid, SIGTERM);
    ::kill(processes[i].pid, SIGTERM);  // It may not lead its group yet.
    ::kill(-processes[i].pid,
           SIGCONT);  // If stopped, it would not handle SIGTERM.
  }
}

bool GangRun::IsEndingOver() const {
  if (clock_.Steady() >= deadline_) return true;
  // A wrapper such as `sh -c` dies of SIGTERM at once, while the program that
  // it started may still write its checkpoint. So after a request to stop, all
  // descendants get the grace period.
  if (record_.stopped_by_request) return !has_children_;
  return std::all_of(ends_.begin(), ends_.end(),
                     [](const auto& end) { return end.has_value(); });
}

bool GangRun::IsContainer(std::size_t position) const {
  return options_.containers != nullptr && options_.containers->Has(position);
}

ReplicaEnd GangRun::EndOf(std::size_t position, int status) const {
  ReplicaEnd end = EndFromStatus(status);
  const int code = end.exit_code.value_or(0);
  if (IsContainer(position) && code > kSignalStatus &&
      code < kSignalStatus + SIGRTMIN) {
    end.exit_code.reset();
    end.signal = code - kSignalStatus;
  }
  return end;
}

// Asks the engine about the container that decided, before it is removed: the
// status alone does not show whether the program or the engine failed.
void GangRun::JudgeContainer() {
  if (!record_.deciding || record_.stopped_by_request ||
      !IsContainer(*record_.deciding)) {
    return;
  }
  const std::size_t position = *record_.deciding;
  const ReplicaEnd& end = *ends_[position];
  if (end.signal != SIGKILL && !MayBeRefusal(end)) return;
  const std::optional<ContainerState> state =
      options_.containers->Inspect(position);
  if (end.signal == SIGKILL) {
    record_.out_of_memory |= state && state->is_out_of_memory;
    return;
  }
  PumpOutput(position, 1);
  const std::string last = logs_[position].LastLines(1);
  if ((!state || state->has_started) && !IsRefusalOfInit(last)) return;
  record_.launch_failed = true;
  record_.deciding.reset();
  record_.message = "The replica " +
                    ReplicaTitle((*programs_)[position].replica) +
                    " could not be started: " + last;
}

void GangRun::KillDescendants() {
  const SteadyTime give_up = clock_.Steady() + kKillPatience;
  // Orphaned descendants become children of this process, so killing children
  // until there are none reaches every one.
  for (Reap(); has_children_ && clock_.Steady() < give_up; Reap()) {
    const auto children = ListChildren(::getpid());
    if (children.ok()) {
      for (const pid_t child : *children) ::kill(child, SIGKILL);
    }
    pollfd fd{signals_.get(), POLLIN, 0};
    constexpr int kAgainMs = 20;  // Meanwhile more may have been forked.
    ::poll(&fd, 1, kAgainMs);
    signalfd_siginfo info;
    while (::read(signals_.get(), &info, sizeof(info)) > 0) {
    }
  }
}

void GangRun::PumpOutput(std::size_t position, int max_reads) {
  UniqueFd& output = gang_->processes()[position].output;
  static char buffer[kReadBytes];
  for (int i = 0; i < max_reads && output.is_open(); ++i) {
    const ssize_t n = ::read(output.get(), buffer, sizeof(buffer));
    if (n > 0) {
      // The time is written first, so that a reader who sees the bytes finds
      // it.
      log_times_[position].Note(logs_[position].end(), clock_.Now());
      logs_[position].Append(buffer, static_cast<std::size_t>(n));
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
      output.Reset();
    }
    if (n < static_cast<ssize_t>(sizeof(buffer))) return;
  }
}

void GangRun::DrainOutputs() {
  // This limits the read to 64 MiB: a process that could not be killed may
  // print forever.
  constexpr int kMaxReads = 1024;
  for (std::size_t i = 0; i < logs_.size(); ++i) PumpOutput(i, kMaxReads);
}

void GangRun::Finish(SteadyTime started) {
  for (const std::optional<ReplicaEnd>& end : ends_) {
    record_.ends.push_back(end.value_or(ReplicaEnd{}));
  }
  record_.lasted = clock_.Steady() - started;
  for (ReplicaLogWriter& log : logs_) log.Mark();
  const bool has_primary =
      !logs_.empty() && record_.replicas.front() == ReplicaId{};
  if (has_primary) record_.lost_output = logs_.front().lost().bytes;
  if (!record_.launch_failed) {
    record_.message = DescribeEnd(record_);
    // Even if the program succeeded, the log's last lines may explain why it
    // reported no value.
    if (record_.deciding && !record_.stopped_by_request) {
      if (!record_.message.empty()) record_.message += "\n";
      const ReplicaLogWriter& log = logs_[*record_.deciding];
      record_.message += log.LastLines(kMessageLines);
      record_.log_tail = log.LastLines(kTailLines, kTailBytes);
    }
  }
  if (has_children_) {
    record_.message += "\nSome of its processes could not be killed.";
  }
}

}  // namespace vernier
