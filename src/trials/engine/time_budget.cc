#include "trials/engine/time_budget.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "store/study_kinds.h"

namespace vernier {
namespace {

using Seconds = std::chrono::duration<double>;

double PartLeft(Seconds used, Seconds budget) {
  return std::max(0.0, 1 - used / budget);
}

int MostAtOnce(const JobSpec& spec) {
  const auto& tuning = spec.training_input.hyperparameters;
  return tuning.has_value() ? std::max(1, tuning->max_parallel_trials) : 1;
}

}  // namespace

std::int64_t GpusOf(const JobSpec& spec, const AttemptRecord& attempt) {
  if (RunsOnThisMachine(spec)) {
    return static_cast<std::int64_t>(attempt.devices.size());
  }
  const TrainingInput& input = spec.training_input;
  std::int64_t gpus = 0;
  for (const RoleSpec* role : {&input.master, &input.worker,
                               &input.parameter_server, &input.evaluator}) {
    gpus += std::int64_t{role->count} * GpusPerReplica(spec, *role);
  }
  return gpus;
}

std::optional<double> TimeBudgetLeft(const StudySnapshot& study) {
  const StudyLimits& limits = study.spec->limits;
  const auto job = AsJob(study);
  if (!job.has_value() ||
      !(limits.max_time.has_value() || limits.max_gpu_time.has_value())) {
    return std::nullopt;
  }
  const JobSpec& spec = *job->run().spec;
  Seconds time{0};
  Seconds gpu_time{0};
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const std::shared_ptr<const TrialRecord> trial =
        study.trials.Share(TrialId{static_cast<std::int64_t>(n)});
    for (const AttemptRecord& attempt : trial->attempts) {
      if (!IsTerminal(attempt.state)) continue;
      time += attempt.lasted;
      gpu_time +=
          static_cast<double>(GpusOf(spec, attempt)) * Seconds(attempt.lasted);
    }
  }
  double left = 1;
  if (limits.max_time.has_value()) {
    left = PartLeft(time, MostAtOnce(spec) * Seconds(*limits.max_time));
  }
  if (limits.max_gpu_time.has_value()) {
    left = std::min(left, PartLeft(gpu_time, *limits.max_gpu_time));
  }
  return left;
}

}  // namespace vernier
