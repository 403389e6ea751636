#include "cluster/local/supervisor.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/process/descriptor_range.h"
#include "base/status_macros.h"
#include "cluster/attempt/exit_record.h"
#include "cluster/attempt/kill_request.h"
#include "cluster/attempt/launch_file.h"
#include "cluster/gang/container_setup.h"
#include "cluster/gang/gang_run.h"
#include "cluster/gang/gang_setup.h"
#include "cluster/gang/package_preparation.h"
#include "cluster/gang/try_with_retries.h"
#include "cluster/gang/work_folder.h"
#include "cluster/local/claim_file.h"
#include "cluster/process/process_identity.h"
#include "cluster/replica_log.h"
#include "study/job_spec.h"

namespace vernier {
namespace {

// The order of steps makes each crash recoverable. The claim is locked and
// durable before anything starts, so that a later launcher can tell a dead
// supervisor from a live one. A kill request is read only after that. The exit
// record is written once no process of the gang is left, and the lock is held
// until then.

int Complain(const absl::Status& status, int exit_code) {
  std::fprintf(stderr, "vernier supervise: %s\n",
               std::string(status.message()).c_str());
  return exit_code;
}

// Returns the supervisor's end of the status pipe, or -1.
int StatusFd() {
  const char* text = std::getenv(kStatusFdVariable);
  int fd = -1;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), fd);
  return fd;
}

void CloseInherited(int kept) {
  constexpr unsigned kFirst = 3;
  if (kept < static_cast<int>(kFirst)) {
    EndDescriptors(kFirst, ~0u, DescriptorEnd::kNow);
    return;
  }
  const unsigned fd = static_cast<unsigned>(kept);
  EndDescriptors(kFirst, fd - 1, DescriptorEnd::kNow);
  EndDescriptors(fd + 1, ~0u, DescriptorEnd::kNow);
  // Replicas must not inherit the pipe, or it would stay open.
  EndDescriptors(fd, fd, DescriptorEnd::kOnExec);
}

absl::StatusOr<Claim> MakeClaim(const LaunchFile& launch,
                                const absl::StatusOr<JobSpec>& spec) {
  Claim claim;
  claim.nonce = launch.nonce;
  claim.pid = ::getpid();
  // A pid can be reused. With the time of its start and the boot id it names
  // one process forever.
  VERNIER_ASSIGN_OR_RETURN(claim.boot_id, ReadBootId());
  VERNIER_ASSIGN_OR_RETURN(claim.start_ticks, ReadStartTicks(claim.pid));
  if (spec.ok()) {
    claim.replicas =
        static_cast<int>(GangReplicas(spec->training_input).size());
  }
  return claim;
}

ExitRecord RunGang(const std::string& attempt_dir, const LaunchFile& launch,
                   const JobSpec& spec, ClaimFile& claim, int status_fd) {
  const absl::StatusOr<PreparedContainers> images =
      PrepareContainers(attempt_dir, launch, spec, environ);
  if (absl::IsCancelled(images.status())) return StoppedBeforeStart();
  if (!images.ok()) return FailedLaunch(images.status());
  const absl::StatusOr<GangSetup> setup =
      SetUpGang(attempt_dir, launch, spec, *images, environ);
  if (!setup.ok()) return FailedLaunch(setup.status());

  GangRun::Options options;
  options.attempt_dir = attempt_dir;
  options.work_dir = launch.work_dir;
  options.grace = spec.vernier.kill_grace;
  options.log_cap_bytes = launch.log_cap_bytes;
  options.containers = setup->containers.get();
  options.on_all_run = [&] {
    // Both are hints: an error only delays when the launcher learns of the
    // start.
    claim.NoteRunning().IgnoreError();
    if (status_fd >= 0 && ::write(status_fd, "r", 1) < 0) ::close(status_fd);
  };
  const SystemClock clock;
  return GangRun(std::move(options), clock).Run(setup->programs);
}

}  // namespace

int RunSupervisor(const std::string& attempt_dir) {
  // A SIGTERM that comes during the start stays pending in the kernel.
  BlockGangSignals();
  const int status_fd = StatusFd();
  CloseInherited(status_fd);
  ::setsid();  // Fails harmlessly if the launcher has seen to it.
  // Orphaned descendants become children of this process, so that none escapes.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);

  const absl::StatusOr<LaunchFile> launch = ReadLaunchFile(attempt_dir);
  if (!launch.ok()) return Complain(launch.status(), kSupervisorNoLaunch);
  const absl::StatusOr<JobSpec> spec = JobOf(*launch);

  absl::StatusOr<ClaimFile> file = ClaimFile::Lock(attempt_dir);
  if (!file.ok()) return Complain(file.status(), kSupervisorRefused);
  const absl::StatusOr<ClaimContent> content = file->Read();
  if (!content.ok() || content->kind != ClaimContent::Kind::kEmpty) {
    return Complain(absl::AbortedError("the attempt was claimed before"),
                    kSupervisorRefused);
  }
  const absl::StatusOr<Claim> claim = MakeClaim(*launch, spec);
  if (!claim.ok()) return Complain(claim.status(), kSupervisorNoRecord);
  // Nothing may start before the claim is durable.
  const absl::Status claimed = file->Write(*claim);
  if (!claimed.ok()) return Complain(claimed, kSupervisorNoRecord);

  // The request is read after the claim was written. A request that is written
  // later is not missed: its writer finds the pid in the claim and sends
  // SIGTERM.
  const auto killed =
      TryWithRetries([&] { return ReadKillRequest(attempt_dir); });
  if (!killed.ok()) return Complain(killed.status(), kSupervisorNoRecord);
  ExitRecord record;
  if (killed->has_value()) {
    record = StoppedBeforeStart();
  } else if (!spec.ok()) {
    record = FailedLaunch(spec.status());
  } else if (!launch->failure.empty()) {
    record = FailedLaunch(absl::InvalidArgumentError(launch->failure));
  } else {
    auto obstacle = PreparePackages(*launch, *spec);
    record = obstacle ? *std::move(obstacle)
                      : RunGang(attempt_dir, *launch, *spec, *file, status_fd);
  }
  record.nonce = launch->nonce;
  const absl::Status written = TryWithRetries([&] {
    MarkLostOutput(attempt_dir, launch->log_cap_bytes);
    return WriteExitRecord(attempt_dir, record);
  });
  // If there was room for the record, there may now be some for a mark.
  MarkLostOutput(attempt_dir, launch->log_cap_bytes);
  if (!written.ok()) return Complain(written, kSupervisorNoRecord);
  // This runs in a process of its own, because the next trial waits for the end
  // of this one.
  TidyWorkFolderBehind(launch->work_dir, launch->code_dir);
  return kSupervisorDone;
}

}  // namespace vernier
