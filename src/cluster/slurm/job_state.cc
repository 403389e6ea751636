#include "cluster/slurm/job_state.h"

#include <utility>

namespace vernier {
namespace {

constexpr std::pair<std::string_view, SlurmState> kWords[] = {
    {"PENDING", SlurmState::kPending},
    {"COMPLETED", SlurmState::kCompleted},
    {"FAILED", SlurmState::kFailed},
    {"CANCELLED", SlurmState::kCancelled},
    {"TIMEOUT", SlurmState::kTimeLimit},
    {"DEADLINE", SlurmState::kTimeLimit},
    {"NODE_FAIL", SlurmState::kNodeFailed},
    {"BOOT_FAIL", SlurmState::kNodeFailed},
    {"PREEMPTED", SlurmState::kPreempted},
    {"REVOKED", SlurmState::kPreempted},
    {"OUT_OF_MEMORY", SlurmState::kOutOfMemory},
};

// Matched by prefix, because sites' limits have many names (AssocGrpGRES,
// QOSMaxJobsPerUserLimit, ...).
constexpr std::pair<std::string_view, std::string_view> kReasons[] = {
    {"Resources", "the nodes that it needs are busy"},
    {"Priority", "other jobs come first"},
    {"Dependency", "it waits for another job of the same attempt to end"},
    {"PartitionNodeLimit",
     "the partition has too few nodes, so that it never starts"},
    {"PartitionTimeLimit",
     "the partition allows less time, so that it never starts"},
    {"PartitionDown", "the partition takes no jobs now"},
    {"PartitionInactive", "the partition takes no jobs now"},
    {"PartitionConfig", "the partition does not allow it"},
    {"ReqNodeNotAvail", "a node that it needs is down or reserved"},
    {"NodeDown", "a node that it needs is down"},
    {"Nodes_required_for_job_are_DOWN", "the nodes that it needs are down"},
    {"Reservation", "its reservation has not begun"},
    {"BeginTime", "its time to begin has not come"},
    {"JobHeldUser", "a user holds it"},
    {"JobHeldAdmin", "an administrator holds it"},
    {"Licenses", "a licence that it needs is in use"},
    {"Assoc", "a limit of the account is reached"},
    {"QOS", "a limit of the QOS is reached"},
    {"MaxJob", "a limit of the site is reached"},
};

}  // namespace

SlurmState StateOfWord(std::string_view word) {
  const std::string_view first = word.substr(0, word.find_first_of(" +"));
  for (const auto& [name, state] : kWords) {
    if (name == first) return state;
  }
  return SlurmState::kRunning;
}

std::string DescribePendingReason(const std::string& reason) {
  // squeue adds brackets and the names of nodes to some reasons.
  const std::size_t begin = reason.find_first_not_of('(');
  if (begin == std::string::npos) return reason;
  const std::string_view bare = std::string_view(reason).substr(begin);
  for (const auto& [name, meaning] : kReasons) {
    if (bare.starts_with(name)) {
      return reason + " (" + std::string(meaning) + ")";
    }
  }
  return reason;
}

}  // namespace vernier
