#ifndef VERNIER_TRIALS_JOBS_STUDY_PLAN_H_
#define VERNIER_TRIALS_JOBS_STUDY_PLAN_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "store/study_kinds.h"
#include "trials/budgets/quota_budget.h"
#include "trials/budgets/replica_budget.h"
#include "trials/jobs/job_times.h"
#include "trials/jobs/launcher.h"
#include "trials/limits/study_limits.h"
#include "trials/stopping/early_stopping.h"

namespace vernier {

/// All that is known about one job at one instant.
struct PlanInput {
  JobRef job;
  const std::map<AttemptKey, AttemptObservation>& observations;
  JobTimes times;
  /// The suggester has said that no untried point is left.
  bool space_exhausted = false;
  /// Trials whose next attempt has to wait for a while (RetryBackoff). They
  /// keep their place among the trials that may run at once.
  std::set<TrialId> backing_off = {};
  /// The service ends, so the running trials are preempted and none is started.
  bool is_draining = false;
  /// The job starts nothing now, because a job with a higher priority lacks
  /// room and this one is preemptible.
  bool yields = false;
  /// The devices of attempts that have ended are not for this plan, nor for
  /// those after it, because a job that comes before this one lacks some. It
  /// comes first in the next step, too, and gets them there.
  bool withholds_devices = false;
  /// The verdicts of the study's stopping rule on its trials; unset if it could
  /// not be asked.
  std::optional<EarlyVerdicts> early = EarlyVerdicts{};
  /// The use with which the study's limits are compared; unset if it has none.
  std::optional<StudyUse> use = {};
  std::optional<NextTrialPromise> promise = {};
  /// The remaining room in the quota of the job's project, from which the plan
  /// takes. Attempts that are over by `observations` use none of it any more.
  /// Null: no quota.
  QuotaBudget* room = nullptr;
  /// The machine's remaining room for replicas, from which the plan takes, too.
  /// Null: no limit.
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
  int attempts = 1;  ///< The attempts that it would start.

  bool any() const { return gpus > 0 || replicas > 0; }
};

/// The actions for one job that are due now.
struct StudyPlan {
  /// The changes to commit as they are and in this order: observations and
  /// their consequences.
  std::vector<Change> changes;
  /// Comes next: the launches of trials that exist.
  std::vector<PlannedLaunch> launches;
  /// Comes last: the devices of each new trial to launch. The new trials get
  /// the next numbers. They take the queued points first, then suggestions.
  std::vector<std::vector<DeviceId>> new_trials;
  /// The room, of its project's quota or of the machine, whose lack kept the
  /// job from starting more trials; empty if there was none.
  std::string room_wait;
  /// The wait of a trial for its next attempt begins now; see
  /// PlanInput::backing_off.
  bool begins_backoff = false;
  /// The room that one more of its attempts would need beyond what is free.
  RoomLack lack;
  /// Devices were free but not used, because PlanInput::withholds_devices says
  /// so, or because they must be examined first.
  bool withheld_devices = false;
  /// The stopping rule, or a limit of the study, has to see the ends of this
  /// plan before it is known what starts next.
  bool plans_again = false;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_STUDY_PLAN_H_
