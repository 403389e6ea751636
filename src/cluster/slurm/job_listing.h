#ifndef VERNIER_CLUSTER_SLURM_JOB_LISTING_H_
#define VERNIER_CLUSTER_SLURM_JOB_LISTING_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cluster/slurm/job_state.h"

namespace vernier {

/// A job of ours, as Slurm lists it.
struct ListedJob {
  std::int64_t number = 0;  ///< Slurm's; may be given to another job later.
  SlurmState state = SlurmState::kPending;
  // Each text is cut off at 300 bytes.
  std::string word;    ///< Slurm's word for the state.
  std::string reason;  ///< Why it is pending, or how it ended; may be empty.
  std::string nodes;   ///< "n[1-3]", or empty.

  friend bool operator==(const ListedJob&, const ListedJob&) = default;
};

/// By JobName. Of several jobs of one name, one that is not final comes first,
/// then the newest. The components of a heterogeneous job are one job: final
/// when all are, and then in the state that says most.
using JobListing = std::map<std::string, ListedJob>;

/// The format that ParseQueue understands, for squeue -o.
inline constexpr char kQueueFormat[] = "%i|%T|%r|%N|%j";
/// Likewise of ParseAccounts, for sacct -o.
inline constexpr char kAccountsFormat[] = "JobIDRaw,State,NodeList,JobName";

/// Parses what squeue printed with kQueueFormat. Lines about other jobs than
/// those with `prefix`, and lines that are none of these, such as warnings, are
/// skipped. Pure.
///
/// DATA_LOSS if the last line is cut off, since then nothing is known about the
/// rest, and if there are lines but none is a job's or a warning of Slurm's.
absl::StatusOr<JobListing> ParseQueue(std::string_view text,
                                      std::string_view prefix);

/// Likewise what `sacct -n -P` printed with kAccountsFormat.
absl::StatusOr<JobListing> ParseAccounts(std::string_view text,
                                         std::string_view prefix);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_JOB_LISTING_H_
