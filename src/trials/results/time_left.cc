#include "trials/results/time_left.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "store/study_kinds.h"
#include "trials/results/best_trials.h"

namespace vernier {
namespace {

using Seconds = std::chrono::duration<double>;

// Old trials are poor predictors, because the search has moved to other
// parameters.
constexpr int kLastTrials = 32;
// Among so many of the newest trials that many have usually completed.
constexpr std::int64_t kNewestTrials = 500;
constexpr double kLongest = 1e9;  // 30 years.

std::optional<Seconds> MeanOfLast(const StudySnapshot& study) {
  Seconds sum{0};
  int count = 0;
  const std::int64_t newest = std::ssize(study.trials);
  const std::int64_t oldest = std::max(newest - kNewestTrials, std::int64_t{0});
  for (std::int64_t id = newest; id > oldest && count < kLastTrials; --id) {
    const TrialBrief trial = study.trials.Brief(TrialId(id));
    if (trial.state != TrialState::kCompleted || !trial.started_at ||
        !trial.ended_at) {
      continue;
    }
    sum += std::max<Seconds>(*trial.ended_at - *trial.started_at, Seconds(0));
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

}  // namespace

std::optional<std::chrono::seconds> TimeLeft(const StudySnapshot& study,
                                             Timestamp now) {
  const auto job = AsJob(study);
  if (!job.has_value() || job->run().state != JobState::kRunning ||
      job->run().wanted != JobWanted::kRun) {
    return std::nullopt;
  }
  const std::int64_t to_begin = std::max<std::int64_t>(
      job->run().max_trials - std::ssize(study.trials), 0);
  const std::int64_t open = std::ssize(study.open);
  if (to_begin + open == 0) return std::nullopt;
  const std::optional<Seconds> mean = MeanOfLast(study);
  if (!mean.has_value()) return std::nullopt;
  Seconds work = *mean * static_cast<double>(to_begin);
  Seconds longest{0};  // Nothing ends before the youngest trial does.
  for (const TrialId id : study.open) {
    const TrialBrief trial = study.trials.Brief(id);
    const Seconds age = now - trial.started_at.value_or(now);
    const Seconds left = std::clamp(*mean - age, Seconds(0), *mean);
    work += left;
    longest = std::max(longest, left);
  }
  const std::int64_t slots = std::clamp<std::int64_t>(
      open, 1, std::max(MaxParallelTrialsOf(job->run()), 1));
  const Seconds left = std::max(work / static_cast<double>(slots), longest);
  return std::chrono::seconds(
      std::llround(std::clamp(std::ceil(left.count()), 1.0, kLongest)));
}

}  // namespace vernier
