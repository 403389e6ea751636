#ifndef VERNIER_STUDY_JOB_FILE_OBJECTIVE_SECTION_H_
#define VERNIER_STUDY_JOB_FILE_OBJECTIVE_SECTION_H_

#include <vector>

#include "base/enum_name.h"
#include "study/config/object_reader.h"
#include "study/metrics/former_names.h"
#include "study/metrics/metric_goal.h"

namespace vernier {

/// The names of goals in AI Platform's API; the first is its value for "not
/// given".
inline constexpr EnumName<Goal> kGoalNames[] = {
    {"GOAL_TYPE_UNSPECIFIED", Goal::kMaximize},
    {"MAXIMIZE", Goal::kMaximize},
    {"MINIMIZE", Goal::kMinimize},
};

/// Reads `objectives` of the vernier section: [{metric, goal, reference}].
std::vector<MetricGoal> ReadObjectives(ObjectReader& section);

/// Reads `metricConstraints` of the vernier section: [{metric, min, max}].
std::vector<OutcomeConstraint> ReadMetricConstraints(ObjectReader& section);

/// Reads `renamedFrom` of the vernier section: {metric: [former name]}.
FormerNames ReadFormerNames(ObjectReader& section);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_OBJECTIVE_SECTION_H_
