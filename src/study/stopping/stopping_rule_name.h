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
  return NameIn(kStoppingRuleNames, rule);
}

}  // namespace vernier

#endif  // VERNIER_STUDY_STOPPING_STOPPING_RULE_NAME_H_
