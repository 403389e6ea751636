#ifndef VERNIER_STUDY_METRICS_FORMER_NAME_RULES_H_
#define VERNIER_STUDY_METRICS_FORMER_NAME_RULES_H_

#include <string>
#include <vector>

#include "study/metrics/former_names.h"

namespace vernier {

/// Returns why metrics that are called so cannot have had these names, to
/// follow the name of a field; empty if they can. Pure.
std::string WhyNoFormerNames(const FormerNames& names,
                             const std::vector<std::string>& metrics);

}  // namespace vernier

#endif  // VERNIER_STUDY_METRICS_FORMER_NAME_RULES_H_
