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

/// The files by which a service and the processes of one attempt on several
/// nodes talk: below `slurm/` in the attempt's folder, on a file system that
/// all share. They poll, since no notification crosses machines; and what is
/// waited for exists from the beginning, empty, since NFS remembers for a
/// minute that a file does not exist.

/// Makes the folder. May be called again.
absl::Status MakeSlurmFolder(const std::string& attempt_dir);
std::string JobScriptPath(const std::string& attempt_dir);
/// What the batch script and Slurm itself print.
std::string JobLogPath(const std::string& attempt_dir);

/// How far the submission of an attempt's job came.
enum class SubmissionMark {
  kNone,       ///< sbatch was never started for it.
  kBegun,      ///< sbatch may have been started.
  kSubmitted,  ///< sbatch has acknowledged it.
};
/// `number` is Slurm's, of kSubmitted. Synced: it survives a power cut.
absl::Status WriteSubmissionMark(const std::string& attempt_dir,
                                 SubmissionMark mark, std::int64_t number = 0);
/// Any error means that it could not be read now.
absl::StatusOr<SubmissionMark> ReadSubmissionMark(
    const std::string& attempt_dir);

/// Who may run the attempt.
struct JobClaim {
  enum class Kind {
    kNone,     ///< Nobody yet.
    kHeld,     ///< One run of the job of this number, for ever.
    kRevoked,  ///< Nobody, for ever.
  };
  Kind kind = Kind::kNone;
  std::int64_t number = 0;  ///< kHeld.
  /// Names one run of the job: a controller that was killed may forget that a
  /// job runs, and start it again under the same number. No blanks.
  std::string run;

  friend bool operator==(const JobClaim&, const JobClaim&) = default;
};
/// Claims the attempt for a job, or revokes it, unless it was claimed or
/// revoked before; returns what holds. Atomic, also on NFS: of all who try,
/// one wins. Synced.
absl::StatusOr<JobClaim> ClaimAttempt(const std::string& attempt_dir,
                                      const JobClaim& claim);
/// Any error means that it could not be read now.
absl::StatusOr<JobClaim> ReadJobClaim(const std::string& attempt_dir);

/// Makes the folders and empty files of a gang: of its members, of their
/// addresses, and the one that asks it to end.
absl::Status MakeGangFiles(const std::string& attempt_dir,
                           const std::vector<ReplicaId>& replicas);
/// The folder of one member, which holds its exit record.
std::string MemberFolder(const std::string& attempt_dir, ReplicaId replica);
/// A member's program runs.
absl::Status NoteMemberRuns(const std::string& attempt_dir, ReplicaId replica);
bool MemberRuns(const std::string& attempt_dir, ReplicaId replica);
/// All programs run. Also read by the service.
absl::Status NoteGangRuns(const std::string& attempt_dir);
bool GangRuns(const std::string& attempt_dir);
/// The gang's batch script is alive; `beat` differs each time. Slurm may take a
/// job for ended whose processes it has lost sight of.
absl::Status NoteHeartbeat(const std::string& attempt_dir, std::int64_t beat);
/// The last one's text; empty if there is none that can be read.
std::string LastHeartbeat(const std::string& attempt_dir);

/// By what the members find their own addresses, as RunGangMember's `hosts`
/// says. It comes while they start, so they wait for it.
absl::Status PublishHosts(const std::string& attempt_dir,
                          const std::string& hosts);
/// nullopt if it is not there yet, or cannot be read now.
std::optional<std::string> ReadHosts(const std::string& attempt_dir);

/// All members are to end.
absl::Status AskGangToEnd(const std::string& attempt_dir);
bool IsGangToEnd(const std::string& attempt_dir);

/// Slurm began to preempt the job at `time`, as it writes it. It gives a gang
/// some time first, and if that ends by itself meanwhile, the job's state does
/// not show why.
absl::Status NotePreemption(const std::string& attempt_dir,
                            const std::string& time);
/// Empty: it did not, or that cannot be read.
std::string PreemptionTime(const std::string& attempt_dir);

/// Where a member listens.
struct MemberAddress {
  std::string host;
  int port = 0;
  int master_port = 0;  ///< The port of MASTER_PORT, if it is the master.

  friend bool operator==(const MemberAddress&, const MemberAddress&) = default;
};
absl::Status PublishAddress(const std::string& attempt_dir, ReplicaId replica,
                            const MemberAddress& address);
/// nullopt if it is not there yet, or cannot be read now.
std::optional<MemberAddress> ReadAddress(const std::string& attempt_dir,
                                         ReplicaId replica);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_GANG_FILES_H_
