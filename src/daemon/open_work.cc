#include "daemon/open_work.h"

#include <algorithm>

#include "store/study_kinds.h"

namespace vernier {

bool HasOpenJobs(const StoreSnapshot& snapshot) {
  return std::any_of(snapshot.begin(), snapshot.end(), [](const auto& each) {
    return IsJob(*each.second) && !IsFinishedJob(*each.second);
  });
}

bool HasLiveAttempts(const StoreSnapshot& snapshot) {
  return std::any_of(snapshot.begin(), snapshot.end(), [](const auto& each) {
    return each.second->live_attempts > 0;
  });
}

std::chrono::seconds LongestGrace(const StoreSnapshot& snapshot) {
  constexpr std::chrono::seconds kBeyond{15};
  std::chrono::seconds longest{0};
  for (const auto& [id, study] : snapshot) {
    const auto job = AsJob(*study);
    if (!job.has_value() || study->live_attempts == 0) continue;
    longest = std::max(longest, job->run().spec->vernier.kill_grace);
  }
  return longest + kBeyond;
}

}  // namespace vernier
