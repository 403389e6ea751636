#include "study/needed_metrics.h"

#include <algorithm>

#include "study/study_spec.h"

namespace vernier {

std::vector<std::string> NeededMetrics(
    const std::vector<MetricGoal>& objectives,
    const std::vector<OutcomeConstraint>& constraints) {
  std::vector<std::string> names;
  names.reserve(objectives.size() + constraints.size());
  for (const MetricGoal& metric : objectives) names.push_back(metric.name);
  for (const OutcomeConstraint& constraint : constraints) {
    if (std::find(names.begin(), names.end(), constraint.metric) ==
        names.end()) {
      names.push_back(constraint.metric);
    }
  }
  return names;
}

std::vector<std::string> NeededMetrics(const StudySpec& spec) {
  return NeededMetrics(spec.metrics, spec.constraints);
}

std::vector<std::string> NeededMetrics(const JobSpec& job) {
  const auto& tuning = job.training_input.hyperparameters;
  if (!tuning.has_value()) return {};
  const VernierSection& section = job.vernier;
  if (!section.objectives.empty()) {
    return NeededMetrics(section.objectives, section.metric_constraints);
  }
  return NeededMetrics({{tuning->metric_tag, tuning->goal}},
                       section.metric_constraints);
}

}  // namespace vernier
