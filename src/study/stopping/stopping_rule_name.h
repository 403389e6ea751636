#ifndef VERNIER_STUDY_STOPPING_STOPPING_RULE_NAME_H_
#define VERNIER_STUDY_STOPPING_STOPPING_RULE_NAME_H_

#include <string_view>

#include "base/enum_name.h"
#include "study/early_stopping.h"

namespace vernier {

/// Names in job files and in stored data.
inline constexpr EnumName<StoppingRule> kStoppingRuleNames[] = {
    {"AUTO", StoppingRule::kAuto},
    {"MEDIAN", StoppingRule::kMedian},
    {"DECAY_CURVE", StoppingRule::kDecayCurve},
    {"ASHA", StoppingRule::kAsha},
    {"HYPERBAND", StoppingRule::kHyperband},
    {"NONE", StoppingRule::kNone},
};

/// "AUTO" and so on.
constexpr std::string_view ToString(StoppingRule rule) {
  for (const auto& each : kStoppingRuleNames) {
    if (each.value == rule) return each.name;
  }
  return "UNKNOWN";
}

/// True if the study has any limit.
constexpr bool HasLimit(const StudyLimits& limits) {
  return limits.target.has_value() || limits.no_progress.has_value() ||
         limits.max_time.has_value() || limits.max_steps.has_value() ||
         limits.max_gpu_time.has_value();
}

}  // namespace vernier

#endif  // VERNIER_STUDY_STOPPING_STOPPING_RULE_NAME_H_
