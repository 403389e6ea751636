#ifndef VERNIER_CLUSTER_SLURM_JOB_LISTING_H_
#define VERNIER_CLUSTER_SLURM_JOB_LISTING_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cluster/slurm/job_state.h"

namespace vernier {

/// A job of this service, as Slurm lists it.
struct ListedJob {
  std::int64_t number = 0;  ///< Slurm's; may be given to another job later.
  SlurmState state = SlurmState::kPending;
  // Each text is cut off at 300 bytes.
  std::string word;    ///< Slurm's word for the state.
  std::string reason;  ///< Why it is pending, or how it ended; may be empty.
  std::string nodes;   ///< "n[1-3]", or empty.

  friend bool operator==(const ListedJob&, const ListedJob&) = default;
};

/// Jobs by JobName. If several jobs have one name, one that is not final is
/// listed, else the newest. The components of a heterogeneous job count as one
/// job, which is final when all are, and then has the state that explains most.
using JobListing = std::map<std::string, ListedJob>;

/// The format for squeue -o that ParseQueue understands.
inline constexpr char kQueueFormat[] = "%i|%T|%r|%N|%j";
/// The format for sacct -o that ParseAccounts understands.
inline constexpr char kAccountsFormat[] = "JobIDRaw,State,NodeList,JobName";

/// Parses the output of squeue with kQueueFormat. Lines about jobs without
/// `prefix` are skipped, and so are other lines, such as warnings. Pure.
///
/// DATA_LOSS if the last line is cut off, since then the rest is unknown, and
/// if there are lines but none is a job's or a warning of Slurm's.
absl::StatusOr<JobListing> ParseQueue(std::string_view text,
                                      std::string_view prefix);

/// Parses, likewise, the output of `sacct -n -P` with kAccountsFormat.
absl::StatusOr<JobListing> ParseAccounts(std::string_view text,
                                         std::string_view prefix);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_JOB_LISTING_H_
