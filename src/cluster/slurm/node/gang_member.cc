#include "cluster/slurm/node/gang_member.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/clock.h"
#include "base/process_environment.h"
#include "base/status_macros.h"
#include "base/whole_number.h"
#include "cluster/attempt/exit_record.h"
#include "cluster/attempt/launch_file.h"
#include "cluster/gang/gang_run.h"
#include "cluster/gang/gang_setup.h"
#include "cluster/process/port_reservation.h"
#include "cluster/slurm/gang_files.h"
#include "cluster/slurm/node/node_address.h"
#include "study/job_spec.h"

namespace vernier {
namespace {

// Members need each other's addresses before they can start. Each reserves its
// ports, writes its address into its file, and polls the files of all others.
// Only then does it run its program, as a gang of one (GangRun), and it holds
// its ports until the program has ended.

constexpr int kCannotRecord = 74;
constexpr int kUnusable = 2;
// The others are there within milliseconds, or wait for a node. So the pauses
// grow with the time waited, but only slowly, since each pause is a delay.
constexpr int kFirstPauseMs = 2;
constexpr int kLongestPauseMs = 250;
constexpr int kPauseGrowth = 8;  // By one part in this many.

// Variables that describe the job to programs, or select their GPUs.
// SLURM_NTASKS and the like are left out, because libraries that find them take
// the step for the whole gang.
constexpr const char* kPassedOn[] = {
    "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "SLURM_CLUSTER_NAME",
    "SLURM_CONF",           "SLURM_JOB_ID",         "SLURM_JOB_PARTITION",
    "SLURMD_NODENAME"};

absl::StatusOr<std::string> OwnHost(const std::string& hosts) {
  constexpr std::string_view kInterface = "interface:";
  if (hosts.starts_with(kInterface)) {
    return InterfaceAddress(hosts.substr(kInterface.size()));
  }
  const std::string node = EnvironmentVariable("SLURMD_NODENAME");
  for (const auto piece : absl::StrSplit(hosts, ',')) {
    const std::pair<std::string, std::string> entry =
        absl::StrSplit(piece, absl::MaxSplits('=', 1));
    if (entry.first == node) return entry.second;
  }
  // Either all replicas are on one node, or the nodes' names serve as
  // addresses.
  return hosts.empty() ? "127.0.0.1" : node;
}

/// Returns whether Slurm has sent SIGTERM, which BlockGangSignals keeps
/// pending.
bool IsTerminated() {
  sigset_t pending;
  sigemptyset(&pending);
  ::sigpending(&pending);
  return sigismember(&pending, SIGTERM) == 1;
}

bool DiedOfTermination(const ExitRecord& record) {
  return record.deciding && record.ends[*record.deciding].is_by_termination();
}

bool AwaitTermination() {
  constexpr int kTries = 100;
  constexpr int kPauseMs = 10;
  for (int i = 0; i < kTries && !IsTerminated(); ++i) {
    ::poll(nullptr, 0, kPauseMs);
  }
  return IsTerminated();
}

/// One replica of a gang whose other replicas run elsewhere.
class Member {
 public:
  Member(std::string attempt_dir, const LaunchFile& launch, const JobSpec& spec,
         ReplicaId replica)
      : attempt_dir_(std::move(attempt_dir)),
        launch_(launch),
        spec_(spec),
        replica_(replica) {}

  ExitRecord Run() {
    std::optional<std::string> hosts;
    if (!Await([&] { return (hosts = ReadHosts(attempt_dir_)).has_value(); })) {
      return StoppedBeforeStart();
    }
    const absl::Status published = Publish(*hosts);
    if (!published.ok()) return FailedStart(published);
    if (!AwaitOthers()) return StoppedBeforeStart();
    absl::StatusOr<ReplicaProgram> program = MakeProgram();
    if (!program.ok()) return FailedStart(program.status());
    GangRun::Options options;
    options.attempt_dir = attempt_dir_;
    options.work_dir = launch_.work_dir;
    options.grace = spec_.vernier.kill_grace;
    options.log_cap_bytes = launch_.log_cap_bytes;
    options.on_all_run = [this] {
      // This is a hint: an error only delays when the service learns of the
      // start.
      NoteMemberRuns(attempt_dir_, replica_).IgnoreError();
    };
    options.stop_asked = [this] { return IsGangToEnd(attempt_dir_); };
    const SystemClock clock;
    ExitRecord record =
        GangRun(std::move(options), clock).Run({*std::move(program)});
    // Slurm's SIGTERM reaches the program and this process one after the other,
    // so the program may have died of it before this process could see it.
    if (!record.stopped_by_request && DiedOfTermination(record) &&
        AwaitTermination()) {
      record.stopped_by_request = true;
    }
    return record;
  }

 private:
  ExitRecord FailedStart(const absl::Status& why) const {
    return FailedLaunch(CouldNotStart(replica_, why));
  }

  absl::Status Publish(const std::string& hosts) {
    const std::uint64_t seed =
        std::hash<std::string>()(launch_.nonce + ReplicaName(replica_));
    VERNIER_ASSIGN_OR_RETURN(
        PortReservation ports,
        PortReservation::Reserve(DefaultPortRange(), 1, seed));
    VERNIER_ASSIGN_OR_RETURN(const std::string host, OwnHost(hosts));
    const MemberAddress address{host, ports.ports().front(),
                                ports.master_port()};
    ports_.emplace(std::move(ports));
    return PublishAddress(attempt_dir_, replica_, address);
  }

  // Waits until `is_there` returns true. Returns false if the gang must end
  // instead.
  bool Await(const std::function<bool()>& is_there) {
    int pause = kFirstPauseMs;
    while (!is_there()) {
      if (IsTerminated() || IsGangToEnd(attempt_dir_)) return false;
      ::poll(nullptr, 0, pause);
      pause = std::min(pause + 1 + pause / kPauseGrowth, kLongestPauseMs);
    }
    return true;
  }

  bool AwaitOthers() {
    for (const ReplicaId other : GangReplicas(spec_.training_input)) {
      std::optional<MemberAddress> address;
      const bool is_there = Await([&] {
        return (address = ReadAddress(attempt_dir_, other)).has_value();
      });
      if (!is_there) return false;
      if (other == replica_) position_ = addresses_.size();
      if (other.role == ReplicaRole::kMaster) {
        master_port_ = address->master_port;
      }
      addresses_.push_back({other, address->host, address->port});
    }
    return true;
  }

  absl::StatusOr<ReplicaProgram> MakeProgram() {
    VERNIER_ASSIGN_OR_RETURN(
        GangContext context,
        MakeGangContext(attempt_dir_, launch_, spec_, environ));
    context.addresses = addresses_;
    context.master_port = master_port_;
    VERNIER_ASSIGN_OR_RETURN(ReplicaProgram program,
                             MakeReplicaProgram(launch_, context, position_));
    for (const char* name : kPassedOn) {
      const std::string value = EnvironmentVariable(name);
      if (!value.empty()) program.environment.emplace(name, value);
    }
    return program;
  }

  const std::string attempt_dir_;
  const LaunchFile& launch_;
  const JobSpec& spec_;
  const ReplicaId replica_;
  std::optional<PortReservation> ports_;  // Held as long as the program runs.
  std::vector<ReplicaAddress> addresses_;
  std::size_t position_ = 0;  // Of this replica in them.
  int master_port_ = 0;
};

int MemberComplains(const std::string& what, int exit_code) {
  std::fprintf(stderr, "vernier slurm-replica: %s\n", what.c_str());
  return exit_code;
}

}  // namespace

int RunGangMember(const std::string& attempt_dir, const std::string& role) {
  BlockGangSignals();
  // Orphaned descendants become children of this process, so that none escapes.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const std::optional<std::int64_t> role_number = ParseWholeNumber(role);
  const std::optional<std::int64_t> index =
      ParseWholeNumber(EnvironmentVariable("SLURM_PROCID"));
  constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();
  if (!role_number || !index || *role_number > kMaxInt || *index > kMaxInt) {
    return MemberComplains("it is no task of a step", kUnusable);
  }
  const absl::StatusOr<LaunchFile> launch = ReadLaunchFile(attempt_dir);
  if (!launch.ok()) {
    return MemberComplains(std::string(launch.status().message()), kUnusable);
  }
  const absl::StatusOr<JobSpec> spec = JobOf(*launch);
  if (!spec.ok()) {
    return MemberComplains(std::string(spec.status().message()), kUnusable);
  }
  const ReplicaId replica{static_cast<ReplicaRole>(*role_number),
                          static_cast<int>(*index)};
  const std::vector<ReplicaId> gang = GangReplicas(spec->training_input);
  if (std::find(gang.begin(), gang.end(), replica) == gang.end()) {
    return MemberComplains("the gang has no " + ReplicaTitle(replica),
                           kUnusable);
  }
  ExitRecord record = Member(attempt_dir, *launch, *spec, replica).Run();
  record.nonce = launch->nonce;
  const absl::Status written =
      WriteExitRecord(MemberFolder(attempt_dir, replica), record);
  if (!written.ok()) {
    return MemberComplains(std::string(written.message()), kCannotRecord);
  }
  return 0;
}

}  // namespace vernier
