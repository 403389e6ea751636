#ifndef VERNIER_TRIALS_JOBS_TRIAL_STOPS_H_
#define VERNIER_TRIALS_JOBS_TRIAL_STOPS_H_

#include <string>
#include <vector>

#include "store/study_kinds.h"
#include "trials/jobs/job_outcome.h"
#include "trials/jobs/study_plan.h"
#include "trials/limits/study_limits.h"
#include "trials/stopping/early_stopping.h"

namespace vernier {

/// An open trial as it will be once the changes planned so far are stored.
struct OpenTrial {
  TrialId id{};
  TrialState state = TrialState::kRequested;
  bool has_live_attempt = false;
  bool kill_wanted = false;
  bool is_backing_off = false;
  bool is_paused = false;  ///< By the stopping rule.
  int attempts = 0;
};

/// Returns the key of the trial's newest attempt.
AttemptKey NewestAttempt(StudyId study, const OpenTrial& trial);

/// Plans those ends of a job's trials that their programs do not decide: by a
/// user, a limit, the stopping rule or a preemption. Intent and reason become
/// changes of the plan, so they are stored before anything is killed. An
/// attempt that ends in this same plan keeps its own end. Not thread-safe: one
/// MakePlan call owns it.
class TrialStops {
 public:
  /// Borrows all. Trials that end at once leave `open`, and count in `ended`.
  TrialStops(JobRef job, std::vector<OpenTrial>* open, StudyPlan* plan,
             EndedNow* ended)
      : job_(job), open_(*open), plan_(*plan), ended_(*ended) {}

  /// Cancels every trial with its job.
  void CancelAll();

  /// Ends every attempt; the trials start again later.
  void PreemptAll();

  /// Ends the trials because the study has done enough; `enough` says whether
  /// those that run end, too.
  void StopForLimit(const EnoughDone& enough);

  /// Stops and pauses the trials that the stopping rule names.
  void ApplyVerdicts(const EarlyVerdicts& verdicts);

  /// Ends the trials that the stopping rule has paused, because the job has
  /// nothing else left to do and they will never continue.
  void StopPaused();

 private:
  void StopEarly(const std::string& reason, OpenTrial* trial);
  void Stop(TrialEndCause cause, const std::string& reason, OpenTrial* trial);
  void Move(TrialEvent event, TrialEndCause cause, const std::string& reason,
            OpenTrial* trial);
  void WantEnd(TrialEndCause cause, const std::string& reason,
               OpenTrial* trial);
  void ForgetEnded();

  const JobRef job_;
  std::vector<OpenTrial>& open_;
  StudyPlan& plan_;
  EndedNow& ended_;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_TRIAL_STOPS_H_
