#ifndef VERNIER_TRIALS_BUDGETS_QUOTA_BUDGET_H_
#define VERNIER_TRIALS_BUDGETS_QUOTA_BUDGET_H_

#include <map>
#include <string>

#include "store/access/quota_store.h"
#include "store/store.h"

namespace vernier {

/// The use that counts against a project's quota.
struct ProjectUse {
  int parallel_trials = 0;  ///< Attempts of jobs that are not terminal yet.
  int gpus = 0;             ///< The GPUs that those lease.
  int studies = 0;          ///< Jobs and studies that clients run.
};

/// Returns the use of every project that has any. Pure. O(studies + live
/// attempts).
std::map<std::string, ProjectUse> UseByProject(const StoreSnapshot& snapshot);

/// The room that is left in the quota of one project; plans take from it as
/// they are made. A value.
class QuotaBudget {
 public:
  QuotaBudget(std::string project, const ProjectQuota& quota,
              const ProjectUse& use);

  /// Takes room for an attempt that leases `gpus` GPUs. Returns false, and
  /// changes nothing, if there is none.
  bool Take(int gpus);
  /// Returns the room of an attempt that has ended.
  void GiveBack(int gpus);
  /// Says what an attempt that Take refused waits for: "room in the quota of
  /// project p1: 4 of 4 parallel trials run".
  std::string WaitFor(int gpus) const;

 private:
  std::string project_;
  ProjectQuota quota_;
  ProjectUse use_;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_BUDGETS_QUOTA_BUDGET_H_
