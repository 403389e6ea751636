#ifndef VERNIER_TESTS_TRIALS_RESULTS_STUDY_OF_TWO_METRICS_H_
#define VERNIER_TESTS_TRIALS_RESULTS_STUDY_OF_TWO_METRICS_H_

#include <optional>
#include <vector>

#include "tests/trials/study_builder.h"

namespace vernier {

/// A study that minimizes both metrics, the first of which has the reference.
/// Its trials end one after the other, each with the values of both; one
/// without any fails.
inline StudySnapshot StudyOfTwoMetrics(
    const std::vector<std::vector<double>>& results,
    std::optional<double> reference = std::nullopt) {
  JobSpec spec = TuningSpec(100, 2);
  HyperparameterSpec& tuning = *spec.training_input.hyperparameters;
  tuning.goal = Goal::kMinimize;
  spec.vernier.objectives = {{tuning.metric_tag, Goal::kMinimize, reference},
                             {"latency", Goal::kMinimize}};
  StudyBuilder builder(spec);
  for (const std::vector<double>& result : results) {
    if (result.empty()) {
      builder.Failed(TrialEndCause::kUserError);
      continue;
    }
    builder.Completed(result[0]).With([&](TrialRecord* trial) {
      trial->final_report = MetricReport{
          1, {}, {{tuning.metric_tag, result[0]}, {"latency", result[1]}}};
    });
  }
  return builder.Build();
}

}  // namespace vernier

#endif  // VERNIER_TESTS_TRIALS_RESULTS_STUDY_OF_TWO_METRICS_H_
