#ifndef VERNIER_STUDY_FORMER_NAMES_RULE_H_
#define VERNIER_STUDY_FORMER_NAMES_RULE_H_

#include <string>
#include <vector>

#include "study/metrics/former_names.h"

namespace vernier {

/// Returns why a study that needs `metrics` (NeededMetrics) cannot have `names`
/// as its `renamed_from`, to follow the field's name; empty if it can. Pure.
std::string WhyNoFormerNames(const FormerNames& names,
                             const std::vector<std::string>& metrics);

}  // namespace vernier

#endif  // VERNIER_STUDY_FORMER_NAMES_RULE_H_
