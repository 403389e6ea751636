#include "trials/jobs/job_outcome.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "trials/jobs/failure_policy.h"

namespace vernier {
namespace {

TrialBrief TrialAt(const StudySnapshot& study, std::size_t number) {
  return study.trials.Brief(TrialId{static_cast<std::int64_t>(number)});
}

bool HasSucceeded(const StudySnapshot& study) {
  return std::any_of(study.ended.begin(), study.ended.end(),
                     [](const auto& one) {
                       return one.second > 0 && CountsAsSucceeded(one.first);
                     });
}

bool HasValue(const StudySnapshot& study) {
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    if (TrialAt(study, n).final_measurement.has_value()) return true;
  }
  return false;
}

std::string LastEnded(const StudySnapshot& study) {
  std::optional<TrialBrief> last;
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialBrief trial = TrialAt(study, n);
    if (!IsTerminal(trial.state)) continue;
    if (!last.has_value() || trial.ended_at >= last->ended_at) last = trial;
  }
  if (!last.has_value()) return "";
  return absl::StrCat("trial ", ToInt(last->id), ": ",
                      study.trials.Share(last->id)->message);
}

}  // namespace

std::optional<std::string> FailureAtTheEnd(JobRef job, const EndedNow& now) {
  const auto& tuning = job.run().spec->training_input.hyperparameters;
  std::string why;
  if (!now.has_success && !HasSucceeded(job)) {
    why = "no trial succeeded";
  } else if (tuning.has_value() && !now.has_value && !HasValue(job)) {
    why = absl::StrCat("no trial has a value of the metric \"",
                       tuning->metric_tag, "\"");
  } else {
    return std::nullopt;
  }
  const std::string last = now.last.empty() ? LastEnded(job) : now.last;
  return last.empty() ? why : absl::StrCat(why, "; the last one, ", last);
}

}  // namespace vernier
