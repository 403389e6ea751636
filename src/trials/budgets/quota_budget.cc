#include "trials/budgets/quota_budget.h"

#include <climits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "store/study_names.h"

namespace vernier {
namespace {

void AddLive(const StudySnapshot& study, ProjectUse* use) {
  if (!IsJob(study) || study.live_attempts == 0) return;
  for (const TrialId id : study.open) {
    const TrialRecord& trial = study.trials.Get(id);
    if (trial.attempts.empty()) continue;
    const AttemptRecord& attempt = trial.attempts.back();
    if (IsTerminal(attempt.state)) continue;
    ++use->parallel_trials;
    use->gpus += static_cast<int>(attempt.devices.size());
  }
}

bool HasTrial(const ProjectQuota& quota, const ProjectUse& use) {
  return use.parallel_trials < quota.max_parallel_trials.value_or(INT_MAX);
}

}  // namespace

std::map<std::string, ProjectUse> UseByProject(const StoreSnapshot& snapshot) {
  std::map<std::string, ProjectUse> uses;
  for (const auto& [id, study] : snapshot) {
    ProjectUse& use = uses[ProjectOf(*study)];
    ++use.studies;
    AddLive(*study, &use);
  }
  return uses;
}

QuotaBudget::QuotaBudget(std::string project, const ProjectQuota& quota,
                         const ProjectUse& use)
    : project_(std::move(project)), quota_(quota), use_(use) {}

bool QuotaBudget::Take(int gpus) {
  // An attempt that leases no GPUs does not wait for those that do.
  const bool has_gpus =
      gpus == 0 || use_.gpus + gpus <= quota_.max_gpus.value_or(INT_MAX);
  if (!HasTrial(quota_, use_) || !has_gpus) return false;
  ++use_.parallel_trials;
  use_.gpus += gpus;
  return true;
}

void QuotaBudget::GiveBack(int gpus) {
  --use_.parallel_trials;
  use_.gpus -= gpus;
}

std::string QuotaBudget::WaitFor(int gpus) const {
  const std::string where =
      absl::StrCat("room in the quota of project ", project_, ": ");
  if (!HasTrial(quota_, use_)) {
    return absl::StrCat(where, use_.parallel_trials, " of ",
                        quota_.max_parallel_trials.value_or(0),
                        " parallel trials run");
  }
  return absl::StrCat(where, use_.gpus, " of ", quota_.max_gpus.value_or(0),
                      " GPUs are in use, and a trial needs ", gpus);
}

}  // namespace vernier
