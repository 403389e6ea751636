#include "trials/jobs/waits_for.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "base/counted_noun.h"
#include "store/present_space.h"
#include "study/words/duration_text.h"
#include "study/words/end_words.h"
#include "trials/budgets/gpu_pool.h"
#include "trials/jobs/failure_policy.h"
#include "trials/jobs/retry_backoff.h"
#include "trials/stopping/study_curves.h"

namespace vernier {
namespace {

std::string WaitsForRoom(JobRef job) {
  const GpuNeed need = GpuNeedOf(*job.run().spec);
  if (need.gpus > 0 && need.memory_mb > 0) {
    return absl::StrCat("room for its next trial, which needs ", need.memory_mb,
                        " MB of the memory of ", Counted(need.gpus, "GPU"));
  }
  if (need.gpus > 0) {
    return absl::StrCat("room for its next trial, which needs ",
                        Counted(need.gpus, "free GPU"));
  }
  return "the orchestrator to start its next trial";
}

bool HasImages(const TrainingInput& input) {
  for (const RoleSpec* role : {&input.master, &input.worker,
                               &input.parameter_server, &input.evaluator}) {
    if (role->count > 0 && !role->config.image_uri.empty()) return true;
  }
  return false;
}

std::string AttemptInJobWaitsFor(JobRef job, const AttemptRecord& attempt) {
  const bool is_launching =
      attempt.state == AttemptState::kLaunching && !attempt.kill_wanted;
  if (is_launching && HasImages(job.run().spec->training_input)) {
    return "its image to be here and its containers to come up";
  }
  if (is_launching && !job.run().spec->training_input.package_uris.empty()) {
    return "the job's packages to be installed and its program to come up";
  }
  return AttemptWaitsFor(attempt);
}

// Returns " in 10 s" or the like if the machine failed the trial's last
// attempt; otherwise an empty text.
std::string DescribeBackoff(const TrialRecord& trial) {
  const auto wait = BackoffAfter(MachineFailuresInARow(trial), RetryBackoff{});
  if (wait.count() == 0) return "";
  return absl::StrCat(" in ", DurationText(wait),
                      trial.attempts.back().devices.empty()
                          ? ""
                          : " and on other GPUs, if there are any");
}

// Returns whether the job's packages are still being installed: no trial has
// got beyond its start yet.
bool IsInstalling(JobRef job) {
  if (job.run().spec->training_input.package_uris.empty() ||
      job->open.empty() || job->open.size() != job->trials.size()) {
    return false;
  }
  for (TrialId id : job->open) {
    const TrialRecord& trial = job->trials.Get(id);
    if (!trial.attempts.empty() && trial.attempts.back().running_at) {
      return false;
    }
  }
  return true;
}

// Returns the number of trials that wait for the stopping rule to resume them.
std::size_t CountPaused(const StudySnapshot& study) {
  return static_cast<std::size_t>(std::count_if(
      study.open.begin(), study.open.end(),
      [&](TrialId id) { return IsPaused(study.trials.Get(id)); }));
}

}  // namespace

std::string AttemptWaitsFor(const AttemptRecord& attempt) {
  if (IsTerminal(attempt.state)) return "";
  if (attempt.kill_wanted) {
    return absl::StrCat("its program to end, which was asked to (",
                        CauseWords(ToString(attempt.kill_cause)), ")");
  }
  switch (attempt.state) {
    case AttemptState::kIntended:
      return "its program to be started";
    case AttemptState::kLaunching:
      return "its program to come up";
    default:
      return "its program to end";
  }
}

std::string TrialWaitsFor(const StudySnapshot& study, const TrialRecord& trial,
                          const Hindrance& hindrance) {
  if (IsTerminal(trial.state)) return "";
  const auto job = AsJob(study);
  if (!job.has_value()) {
    if (trial.state == TrialState::kRequested) {
      return "a client that asks for a trial";
    }
    return absl::StrCat("its client \"", trial.client_id, "\" to complete it");
  }
  // Without room on the disk, no other condition matters.
  if (!hindrance.trouble.empty()) return hindrance.trouble;
  if (!trial.attempts.empty() && !IsTerminal(trial.attempts.back().state)) {
    const AttemptRecord& attempt = trial.attempts.back();
    const bool is_refused = attempt.state == AttemptState::kIntended &&
                            !attempt.kill_wanted && !hindrance.launch.empty();
    return absl::StrCat(
        AttemptInJobWaitsFor(*job, attempt),
        attempt.number > 1 ? absl::StrCat(" (attempt ", attempt.number, ")")
                           : "",
        is_refused ? absl::StrCat("; the last try failed: ", hindrance.launch)
                   : "");
  }
  if (job->run().wanted == JobWanted::kPause) {
    return absl::StrCat(
        "its job to be resumed, when ",
        trial.attempts.empty()
            ? "it is started"
            : absl::StrCat("attempt ", trial.attempts.size() + 1,
                           " of it is started"),
        "; the job is ", job->run().wanted_reason);
  }
  if (IsPaused(trial)) {
    return absl::StrCat(
        "the stopping rule to resume it, if it is worth more than a new trial; "
        "so far: ",
        PlainEndClause(trial.attempts.back().message));
  }
  if (!trial.attempts.empty()) {
    return absl::StrCat(
        "attempt ", trial.attempts.size() + 1,
        hindrance.room.empty() ? DescribeBackoff(trial) : "", ", since ",
        PlainEndClause(trial.attempts.back().message),
        hindrance.room.empty() ? "" : "; that waits for ", hindrance.room);
  }
  if (!hindrance.room.empty()) return hindrance.room;
  return WaitsForRoom(*job);
}

std::string JobWaitsFor(JobRef job, const Hindrance& hindrance) {
  const JobRun& run = job.run();
  if (IsTerminal(run.state)) return "";
  if (!hindrance.trouble.empty()) return hindrance.trouble;
  if (run.wanted == JobWanted::kStop || run.wanted == JobWanted::kFail) {
    return absl::StrCat(Counted(job->live_attempts, "attempt"),
                        " to end: ", run.wanted_reason);
  }
  const std::size_t paused = CountPaused(job);
  const std::string running =
      IsInstalling(job) ? "its packages to be installed"
      : job->live_attempts > 0
          ? absl::StrCat(Counted(job->live_attempts, "running trial"),
                         " to end")
      : paused > 0 && paused == job->open.size()
          ? WaitsForRoom(job)
          : absl::StrCat(Counted(job->open.size() - paused, "trial"),
                         " to be started");
  if (run.wanted == JobWanted::kPause) {
    const auto live = static_cast<std::size_t>(job->live_attempts);
    std::string text = absl::StrCat("a resume: it is ", run.wanted_reason);
    if (live > 0) {
      absl::StrAppend(&text, ", and ", Counted(live, "running trial"),
                      " to end");
    }
    if (job->open.size() > live) {
      const std::size_t idle = job->open.size() - live;
      absl::StrAppend(&text, "; ", Counted(idle, "trial"),
                      idle == 1 ? " waits" : " wait",
                      " for the resume to be tried again");
    }
    return text;
  }
  if (!hindrance.launch.empty()) {
    return absl::StrCat("a trial to be started; the last try failed: ",
                        hindrance.launch);
  }
  if (hindrance.room.empty()) {
    return job->open.empty() ? WaitsForRoom(job) : running;
  }
  return job->live_attempts == 0
             ? hindrance.room
             : absl::StrCat(running, "; for its next trial also ",
                            hindrance.room);
}

}  // namespace vernier
