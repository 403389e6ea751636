#ifndef VERNIER_CLUSTER_SLURM_GANG_FILES_H_
#define VERNIER_CLUSTER_SLURM_GANG_FILES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cluster/replica.h"

namespace vernier {

/// The files through which a service and the processes of one attempt on
/// several nodes communicate. They are below `slurm/` in the attempt's folder,
/// on a file system that all share. Readers poll, since no notification crosses
/// machines. A file that is waited for exists from the beginning, empty,
/// because NFS remembers for a minute that a file does not exist.

/// Makes the folder. May be called again.
absl::Status MakeSlurmFolder(const std::string& attempt_dir);
std::string JobScriptPath(const std::string& attempt_dir);
/// Returns the log of what the batch script and Slurm itself print.
std::string JobLogPath(const std::string& attempt_dir);

/// The progress of submitting an attempt's job.
enum class SubmissionMark {
  kNone,       ///< sbatch was never started for it.
  kBegun,      ///< sbatch may have been started.
  kSubmitted,  ///< sbatch has acknowledged it.
};
/// `number` is Slurm's job number, for kSubmitted only. The mark is synced, so
/// it survives a power cut.
absl::Status WriteSubmissionMark(const std::string& attempt_dir,
                                 SubmissionMark mark, std::int64_t number = 0);
/// Any error means that the mark could not be read now.
absl::StatusOr<SubmissionMark> ReadSubmissionMark(
    const std::string& attempt_dir);

/// The claim that decides who may run the attempt.
struct JobClaim {
  enum class Kind {
    kNone,     ///< Nobody yet.
    kHeld,     ///< One run of the job of this number, forever.
    kRevoked,  ///< Nobody, forever.
  };
  Kind kind = Kind::kNone;
  std::int64_t number = 0;  ///< kHeld.
  /// Identifies one run of the job, because a controller that was killed may
  /// forget that a job runs and start it again under the same number. No
  /// blanks.
  std::string run;

  friend bool operator==(const JobClaim&, const JobClaim&) = default;
};
/// Claims the attempt for a job, or revokes it, unless it was claimed or
/// revoked before; returns the claim that holds. Atomic, also on NFS: if
/// several try, one wins. Synced.
absl::StatusOr<JobClaim> ClaimAttempt(const std::string& attempt_dir,
                                      const JobClaim& claim);
/// Any error means that the claim could not be read now.
absl::StatusOr<JobClaim> ReadJobClaim(const std::string& attempt_dir);

/// Makes a gang's folders and files: those of its members, that of the hosts,
/// and the one that asks the gang to end.
absl::Status MakeGangFiles(const std::string& attempt_dir,
                           const std::vector<ReplicaId>& replicas);
/// Returns the folder of one member, which holds its exit record.
std::string MemberFolder(const std::string& attempt_dir, ReplicaId replica);
/// Notes that a member's program runs.
absl::Status NoteMemberRuns(const std::string& attempt_dir, ReplicaId replica);
bool MemberRuns(const std::string& attempt_dir, ReplicaId replica);
/// Notes that all programs run. The service reads it, too.
absl::Status NoteGangRuns(const std::string& attempt_dir);
bool GangRuns(const std::string& attempt_dir);
/// Shows that the gang's batch script is alive; `beat` differs each time.
/// Needed because Slurm may take a job for ended when it has lost track of its
/// processes.
absl::Status NoteHeartbeat(const std::string& attempt_dir, std::int64_t beat);
/// Returns the text of the last heartbeat; empty if there is none that can be
/// read.
std::string LastHeartbeat(const std::string& attempt_dir);

/// Publishes how members find their own addresses: the `hosts` of
/// RunGangMember. It comes while they start, so they wait for it.
absl::Status PublishHosts(const std::string& attempt_dir,
                          const std::string& hosts);
/// Returns nullopt if there are none yet, or they cannot be read now.
std::optional<std::string> ReadHosts(const std::string& attempt_dir);

/// Asks all members to end.
absl::Status AskGangToEnd(const std::string& attempt_dir);
bool IsGangToEnd(const std::string& attempt_dir);

/// Notes that Slurm began to preempt the job at `time`, in Slurm's format.
/// Slurm gives a gang some time first, and if the gang ends by itself
/// meanwhile, the job's state does not show why.
absl::Status NotePreemption(const std::string& attempt_dir,
                            const std::string& time);
/// Returns the time of NotePreemption; empty if the job was not preempted, or
/// that cannot be read.
std::string PreemptionTime(const std::string& attempt_dir);

/// The address at which a member listens.
struct MemberAddress {
  std::string host;
  int port = 0;
  int master_port = 0;  ///< The port of MASTER_PORT, if it is the master.

  friend bool operator==(const MemberAddress&, const MemberAddress&) = default;
};
absl::Status PublishAddress(const std::string& attempt_dir, ReplicaId replica,
                            const MemberAddress& address);
/// Returns nullopt if there is none yet, or it cannot be read now.
std::optional<MemberAddress> ReadAddress(const std::string& attempt_dir,
                                         ReplicaId replica);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_GANG_FILES_H_
