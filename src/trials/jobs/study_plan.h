#ifndef VERNIER_TRIALS_JOBS_STUDY_PLAN_H_
#define VERNIER_TRIALS_JOBS_STUDY_PLAN_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "store/store.h"
#include "trials/budgets/quota_budget.h"
#include "trials/budgets/replica_budget.h"
#include "trials/jobs/job_times.h"
#include "trials/jobs/launcher.h"
#include "trials/limits/study_limits.h"
#include "trials/stopping/early_stopping.h"

namespace vernier {

/// What is known of one job at one instant.
struct PlanInput {
  const StudySnapshot& study;
  const std::map<AttemptKey, AttemptObservation>& observations;
  JobTimes times;
  /// The suggester has said that no untried point is left.
  bool space_exhausted = false;
  /// Trials whose next attempt has to wait for a while (RetryBackoff). They
  /// keep their place among those that may run at once.
  std::set<TrialId> backing_off = {};
  /// The service ends, and takes its trials with it: they are preempted, and
  /// none is started.
  bool is_draining = false;
  /// It starts nothing now: a job with a higher priority lacks room, and this
  /// one is preemptible.
  bool yields = false;
  /// The devices of attempts that have ended are not for this plan, nor for
  /// those after it: a job that comes before this one lacks some, and comes
  /// first in the next step, too.
  bool withholds_devices = false;
  /// What the study's stopping rule says of its trials; unset: it could not be
  /// asked.
  std::optional<EarlyVerdicts> early = EarlyVerdicts{};
  /// What a study's limits are compared with; unset without limits.
  std::optional<StudyUse> use = {};
  std::optional<NextTrialPromise> promise = {};
  /// The quota's remaining room of the job's project. Attempts that
  /// `observations` say are over use none any more; it shrinks. Null: no quota.
  QuotaBudget* room = nullptr;
  /// The machine's remaining room for replicas; it shrinks, too. Null: no
  /// limit.
  ReplicaBudget* replica_budget = nullptr;
};

/// An attempt to intend, with the devices it leases.
struct PlannedLaunch {
  AttemptKey attempt;
  std::vector<DeviceId> devices;
  std::string reason = "";  ///< Why a paused trial is resumed.
};

/// GPUs and replicas that a job lacks to start one more attempt.
struct RoomLack {
  int gpus = 0;
  int replicas = 0;
  int attempts = 1;  ///< How many it would start if it could.

  bool any() const { return gpus > 0 || replicas > 0; }
};

/// What to do for one job now.
struct StudyPlan {
  /// To commit unchanged, in order: observations and their consequences.
  std::vector<Change> changes;
  /// Then: launches of trials that exist.
  std::vector<PlannedLaunch> launches;
  /// Then: new trials to launch, with each one's devices. They get the next
  /// trial numbers, and are the queued points first, then suggestions.
  std::vector<std::vector<DeviceId>> new_trials;
  /// The room, of its project's quota or of the machine, whose lack kept it
  /// from starting more; empty: none.
  std::string room_wait;
  /// The wait of a trial for its next attempt begins now; see backing_off.
  bool begins_backoff = false;
  /// What one more of its attempts would need beyond what is free.
  RoomLack lack;
  /// Devices were free but not used, because PlanInput::withholds_devices says
  /// so, or because they must be examined first.
  bool withheld_devices = false;
  /// The stopping rule, or a limit of the study, has to see what this plan ends
  /// before it is known what starts next.
  bool plans_again = false;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_STUDY_PLAN_H_
