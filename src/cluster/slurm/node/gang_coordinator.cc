#include "cluster/slurm/node/gang_coordinator.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/clock.h"
#include "base/process_environment.h"
#include "base/random_bits.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"
#include "base/whole_number.h"
#include "cluster/attempt/exit_record.h"
#include "cluster/attempt/kill_request.h"
#include "cluster/attempt/launch_file.h"
#include "cluster/gang/gang_run.h"
#include "cluster/gang/gang_setup.h"
#include "cluster/gang/package_preparation.h"
#include "cluster/gang/work_folder.h"
#include "cluster/process/command_run.h"
#include "cluster/process/process_gang.h"
#include "cluster/program_search.h"
#include "cluster/slurm/gang_files.h"
#include "cluster/slurm/gang_plan.h"
#include "cluster/slurm/node/gang_progress.h"
#include "cluster/slurm/node/node_address.h"
#include "study/job_spec.h"

namespace vernier {
namespace {

// The coordinator and the members communicate by files in the attempt's folder
// only (gang_files.h). It polls the members' exit records. The first one that
// decides, a request of the service or a signal of Slurm makes it ask the
// members to end and wait for all steps, whose end proves that no process is
// left. It writes the attempt's record only if it knows why the gang ended;
// otherwise Slurm's state of the job must explain that.

using std::chrono::milliseconds;

constexpr int kUnusablePlan = 2;
// The job's exit code if Slurm's own state of the job explains the end better
// than a record could.
constexpr int kNoRecord = 75;
// The pauses between polls of the members' files. They are short at first,
// because many programs in tests and failing trials end at once.
constexpr milliseconds kQuickLook{20};
constexpr milliseconds kSlowLook{200};
constexpr std::chrono::seconds kQuickTime{10};
// Time beyond the grace period for the members to write how they ended.
constexpr std::chrono::seconds kRecordMargin{15};
constexpr std::chrono::seconds kBeatPeriod{3};

int CoordinatorComplains(const std::string& what, int exit_code) {
  std::fprintf(stderr, "vernier slurm-gang: %s\n", what.c_str());
  return exit_code;
}

// Returns the nodes of the job and all its components, for scontrol.
std::string AllNodes() {
  std::string nodes = EnvironmentVariable("SLURM_JOB_NODELIST");
  const int size = std::atoi(EnvironmentVariable("SLURM_HET_SIZE").c_str());
  for (int i = 0; i < size; ++i) {
    const std::string more =
        EnvironmentVariable(absl::StrCat("SLURM_JOB_NODELIST_HET_GROUP_", i));
    if (!more.empty()) absl::StrAppend(&nodes, nodes.empty() ? "" : ",", more);
  }
  return nodes;
}

bool HasManyNodes() {
  return EnvironmentVariable("SLURM_JOB_NUM_NODES") != "1" ||
         !EnvironmentVariable("SLURM_HET_SIZE").empty();
}

// Returns the output of `scontrol show KIND NAME --oneliner`; empty if it
// fails.
std::string ShowByScontrol(const std::string& kind, const std::string& name) {
  Command command;
  const auto path = FindProgram("scontrol", EnvironmentVariable("PATH"), "/");
  if (!path.ok()) return "";
  command.path = *path;
  command.argv = {"scontrol", "show", kind, name, "--oneliner"};
  command.environment = ParseEnvironment(environ);
  command.time_limit = std::chrono::seconds(30);
  constexpr std::size_t kMaxOutput = 8u << 20;  // Of some 4,000 nodes.
  command.max_output = kMaxOutput;
  const absl::StatusOr<CommandEnd> end = RunCommand(command);
  return end.ok() && end->is_success() ? end->output : "";
}

// Returns the `hosts` of RunGangMember.
std::string HostsFor(const std::string& address) {
  if (!HasManyNodes()) return "";
  if (address.starts_with("interface:")) return address;
  constexpr char kNames[] = "names";
  if (address == "nodename") return kNames;
  const std::string nodes = ShowByScontrol("node", AllNodes());
  if (nodes.empty()) return kNames;
  return absl::StrJoin(ParseNodeAddresses(nodes), ",",
                       absl::PairFormatter("="));
}

// Notes whether Slurm preempts this job, and returns it. Without the note, a
// gang that SIGTERM ended would count as failed.
bool NotePreemptionOf(const std::string& attempt_dir) {
  const std::string time =
      ScontrolValue(ShowByScontrol("job", EnvironmentVariable("SLURM_JOB_ID")),
                    "PreemptTime");
  if (time.empty() || time == "None" || time == "Unknown") return false;
  NotePreemption(attempt_dir, time).IgnoreError();
  return true;
}

// Returns whether SIGTERM may have ended the gang or its start.
bool MayHaveBeenTerminated(const ExitRecord& record) {
  if (record.stopped_by_request) return false;
  if (!record.deciding) return record.launch_failed;
  return record.ends[*record.deciding].is_by_termination();
}

/// Runs one gang, from the start of its steps to the end of all of them.
class Coordinator {
 public:
  Coordinator(std::string attempt_dir, const JobSpec& spec,
              const GangPlan& plan, const Clock& clock)
      : attempt_dir_(std::move(attempt_dir)),
        spec_(spec),
        plan_(plan),
        clock_(clock),
        progress_(GangReplicas(spec.training_input)) {}

  /// Returns the attempt's record, or nullopt if Slurm's state must explain the
  /// end.
  absl::StatusOr<std::optional<ExitRecord>> Run() {
    VERNIER_RETURN_IF_ERROR(StartSteps());
    started_ = clock_.Steady();
    while (!IsOver()) {
      Beat();
      Poll();
      LookAtMembers();
      Decide();
    }
    if (is_out_of_time_ || is_for_slurm_to_tell_) return std::nullopt;
    return progress_.Record(is_stopped_);
  }

 private:
  absl::Status StartSteps() {
    VERNIER_RETURN_IF_ERROR(MakeGangFiles(attempt_dir_, progress_.replicas()));
    VERNIER_ASSIGN_OR_RETURN(
        const std::string srun,
        FindProgram("srun", EnvironmentVariable("PATH"), "/"));
    std::vector<ReplicaProgram> programs;
    for (const GangPlan::Step& step : plan_.steps) {
      ReplicaProgram program;
      program.path = srun;
      program.argv = {"srun"};
      program.argv.insert(program.argv.end(), step.words.begin(),
                          step.words.end());
      for (const std::string& word :
           {plan_.program, std::string("slurm-replica"), attempt_dir_,
            absl::StrCat(static_cast<int>(step.role))}) {
        program.argv.push_back(word);
      }
      program.environment = ParseEnvironment(environ);
      programs.push_back(std::move(program));
    }
    sigset_t signals;
    sigemptyset(&signals);
    for (int signal : {SIGCHLD, SIGTERM, SIGINT}) sigaddset(&signals, signal);
    signals_.Reset(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!signals_.is_open()) return absl::ErrnoToStatus(errno, "signalfd");
    VERNIER_ASSIGN_OR_RETURN(steps_, ProcessGang::Start(programs, "/"));
    // The nodes' addresses are requested from the controller while it starts
    // the steps.
    return PublishHosts(attempt_dir_, HostsFor(plan_.address));
  }

  // Writes the heartbeat: a hint that keeps the service from taking the attempt
  // for lost too early.
  void Beat() {
    const SteadyTime now = clock_.Steady();
    if (beats_ > 0 && now - beat_at_ < kBeatPeriod) return;
    beat_at_ = now;
    NoteHeartbeat(attempt_dir_, ++beats_).IgnoreError();
  }

  void Poll() {
    std::vector<pollfd> fds = {{signals_.get(), POLLIN, 0}};
    for (const ReplicaProcess& step : steps_->processes()) {
      fds.push_back({step.output.get(), POLLIN, 0});
    }
    const bool is_quick = clock_.Steady() - started_ < kQuickTime;
    ::poll(fds.data(), fds.size(),
           static_cast<int>((is_quick ? kQuickLook : kSlowLook).count()));
    for (ReplicaProcess& step : steps_->processes()) Copy(step.output);
    signalfd_siginfo info;
    while (::read(signals_.get(), &info, sizeof(info)) ==
           static_cast<ssize_t>(sizeof(info))) {
      if (info.ssi_signo != SIGCHLD) is_signalled_ = true;
    }
    int status = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
        if (steps_->processes()[i].pid == pid) ended_steps_.insert(i);
      }
    }
  }

  // Copies the output of srun to the job's log.
  static void Copy(UniqueFd& output) {
    char buffer[4096];
    while (output.is_open()) {
      const ssize_t n = ::read(output.get(), buffer, sizeof(buffer));
      if (n == 0) output.Reset();
      if (n <= 0) return;
      std::fwrite(buffer, 1, static_cast<std::size_t>(n), stderr);
    }
  }

  void LookAtMembers() {
    bool all_run = true;
    const std::vector<ReplicaId>& replicas = progress_.replicas();
    for (std::size_t i = 0; i < replicas.size(); ++i) {
      if (!progress_.has_ended(i)) {
        absl::StatusOr<ExitRecord> record =
            ReadExitRecord(MemberFolder(attempt_dir_, replicas[i]));
        if (record.ok()) progress_.TakeEnd(i, *std::move(record));
      }
      if (runs_noted_ || members_run_.count(i) > 0) continue;
      if (MemberRuns(attempt_dir_, replicas[i])) {
        members_run_.insert(i);
      } else {
        all_run = false;
      }
    }
    if (runs_noted_ || !all_run) return;
    runs_noted_ = true;
    NoteGangRuns(attempt_dir_).IgnoreError();
  }

  void Decide() {
    if (is_ending_) {
      if (clock_.Steady() >= deadline_) is_out_of_time_ = true;
      return;
    }
    const auto asked = ReadKillRequest(attempt_dir_);
    const bool is_asked = asked.ok() && asked->has_value();
    // A result that exists counts, even if a stop was requested meanwhile.
    if (progress_.is_decided()) return BeginEnding(spec_.vernier.kill_grace);
    if (is_asked) {
      is_stopped_ = true;
      return BeginEnding(**asked);
    }
    // Slurm ends the gang, or could not run all of it.
    if (is_signalled_ || progress_.was_ended_from_outside() || IsMemberLost()) {
      is_for_slurm_to_tell_ = true;
      BeginEnding(spec_.vernier.kill_grace);
    }
  }

  // Returns whether a step has ended and one of its members has left no record.
  bool IsMemberLost() const {
    const std::vector<ReplicaId>& replicas = progress_.replicas();
    for (std::size_t i = 0; i < replicas.size(); ++i) {
      if (progress_.has_ended(i)) continue;
      for (const std::size_t step : ended_steps_) {
        if (plan_.steps[step].role == replicas[i].role) return true;
      }
    }
    return false;
  }

  void BeginEnding(milliseconds grace) {
    is_ending_ = true;
    deadline_ = clock_.Steady() + grace + kRecordMargin;
    const absl::Status asked = AskGangToEnd(attempt_dir_);
    if (!asked.ok()) {
      CoordinatorComplains(std::string(asked.message()), 0);
      is_out_of_time_ = true;
    }
  }

  bool IsOver() const {
    if (is_out_of_time_) return true;
    // The steps' ends prove that no process of the gang is left.
    return is_ending_ && ended_steps_.size() == plan_.steps.size();
  }

  const std::string attempt_dir_;
  const JobSpec& spec_;
  const GangPlan& plan_;
  const Clock& clock_;
  GangProgress progress_;
  std::optional<ProcessGang> steps_;
  UniqueFd signals_;
  SteadyTime started_{};
  SteadyTime deadline_{};  // Once it is ending.
  SteadyTime beat_at_{};
  std::int64_t beats_ = 0;
  std::set<std::size_t> members_run_;
  std::set<std::size_t> ended_steps_;
  bool runs_noted_ = false;
  bool is_signalled_ = false;
  bool is_ending_ = false;
  bool is_stopped_ = false;            // On the service's request.
  bool is_out_of_time_ = false;        // Slurm ends what is left with the job.
  bool is_for_slurm_to_tell_ = false;  // Nothing here explains the end.
};

// Returns whether this job may run the attempt.
absl::StatusOr<bool> Claim(const std::string& attempt_dir) {
  JobClaim own{JobClaim::Kind::kHeld, 0, RandomHex()};
  own.number =
      ParseWholeNumber(EnvironmentVariable("SLURM_JOB_ID")).value_or(0);
  if (own.number < 1) return absl::InvalidArgumentError("this is no batch job");
  if (!EnvironmentVariable("SLURM_RESTART_COUNT").empty()) {
    return absl::InvalidArgumentError(
        "the job was requeued; the service starts a new one instead");
  }
  VERNIER_ASSIGN_OR_RETURN(const JobClaim claim,
                           ClaimAttempt(attempt_dir, own));
  return claim == own;
}

absl::StatusOr<std::optional<ExitRecord>> RunAttempt(
    const std::string& attempt_dir, const LaunchFile& launch) {
  VERNIER_ASSIGN_OR_RETURN(const auto killed, ReadKillRequest(attempt_dir));
  if (killed.has_value()) return StoppedBeforeStart();
  const absl::StatusOr<JobSpec> job = JobOf(launch);
  if (!job.ok()) return FailedLaunch(job.status());
  if (!launch.failure.empty()) {
    return FailedLaunch(absl::InvalidArgumentError(launch.failure));
  }
  const JobSpec& spec = *job;
  VERNIER_ASSIGN_OR_RETURN(const GangPlan plan, ReadGangPlan(attempt_dir));
  if (auto obstacle = PreparePackages(launch, spec)) return obstacle;
  const absl::Status made = MakeAttemptFolders(attempt_dir, launch, spec);
  if (!made.ok()) return FailedLaunch(made);
  const SystemClock clock;
  return Coordinator(attempt_dir, spec, plan, clock).Run();
}

}  // namespace

int RunGangCoordinator(const std::string& attempt_dir) {
  BlockGangSignals();
  std::setvbuf(stderr, nullptr, _IOLBF, BUFSIZ);
  const absl::StatusOr<bool> is_ours = Claim(attempt_dir);
  if (!is_ours.ok()) {
    return CoordinatorComplains(std::string(is_ours.status().message()),
                                kUnusablePlan);
  }
  // The job is a duplicate, or the service has given the attempt up.
  if (!*is_ours) return CoordinatorComplains("another job has the attempt", 0);
  const absl::StatusOr<LaunchFile> launch = ReadLaunchFile(attempt_dir);
  if (!launch.ok()) {
    return CoordinatorComplains(std::string(launch.status().message()),
                                kUnusablePlan);
  }
  absl::StatusOr<std::optional<ExitRecord>> record =
      RunAttempt(attempt_dir, *launch);
  if (!record.ok()) {
    return CoordinatorComplains(std::string(record.status().message()),
                                kNoRecord);
  }
  // On a busy node a program dies of a preemption's SIGTERM before its member
  // or this process has seen the signal, which then looks like its own failure.
  if (record->has_value() && MayHaveBeenTerminated(**record) &&
      NotePreemptionOf(attempt_dir)) {
    return CoordinatorComplains("Slurm preempts this job", kNoRecord);
  }
  if (!record->has_value()) {
    NotePreemptionOf(attempt_dir);
    return CoordinatorComplains("the gang was not ended from here", kNoRecord);
  }
  (*record)->nonce = launch->nonce;
  const absl::Status written = WriteExitRecord(attempt_dir, **record);
  if (!written.ok()) {
    return CoordinatorComplains(std::string(written.message()), kNoRecord);
  }
  TidyWorkFolder(launch->work_dir, launch->code_dir);
  const auto& deciding = (*record)->deciding;
  // With this exit code, Slurm's own accounts agree with the record.
  if (!deciding) return (*record)->stopped_by_request ? 0 : 1;
  return (*record)->ends[*deciding].exit_code.value_or(1);
}

}  // namespace vernier
