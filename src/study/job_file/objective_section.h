#ifndef VERNIER_STUDY_JOB_FILE_OBJECTIVE_SECTION_H_
#define VERNIER_STUDY_JOB_FILE_OBJECTIVE_SECTION_H_

#include <vector>

#include "base/enum_name.h"
#include "study/config/object_reader.h"
#include "study/metrics/metric_goal.h"

namespace vernier {

/// The names of goals in AI Platform's API; the first is its "not given".
inline constexpr EnumName<Goal> kGoalNames[] = {
    {"GOAL_TYPE_UNSPECIFIED", Goal::kMaximize},
    {"MAXIMIZE", Goal::kMaximize},
    {"MINIMIZE", Goal::kMinimize},
};

/// `objectives` of the vernier section: [{metric, goal, reference}].
std::vector<MetricGoal> ReadObjectives(ObjectReader& section);

/// Its `metricConstraints`: [{metric, min, max}].
std::vector<OutcomeConstraint> ReadMetricConstraints(ObjectReader& section);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_OBJECTIVE_SECTION_H_
