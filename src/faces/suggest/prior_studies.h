#ifndef VERNIER_FACES_SUGGEST_PRIOR_STUDIES_H_
#define VERNIER_FACES_SUGGEST_PRIOR_STUDIES_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "base/json.h"
#include "study/prior_study_settings.h"
#include "study/study_spec.h"
#include "suggest/space/prior_study.h"

namespace vernier {

/// Reads the field `priorStudies` of a request that creates a study with
/// `spec`, a list of
///
///     {"name": "...", "goal": "MAXIMIZE" or "MINIMIZE", "params": [...],
///      "trials": [{"parameters": {...}, "value": ..} or
///                 {"parameters": {...}, "infeasible": true}],
///      "rename": {"its name": "the name here"}}
///
/// of which `goal` is that of `spec` where it is missing. `params` is a search
/// space as in the request itself, and need not be that of `spec`; without it,
/// values are taken as they are written. Parameters that `spec` has not are
/// left out. A value that is not finite is infeasible. Empty if there is no
/// such field.
///
/// Errors: INVALID_ARGUMENT names the study, the trial and the field.
absl::StatusOr<std::shared_ptr<const std::vector<PriorStudy>>> ReadPriorStudies(
    const Json& request, const StudySpec& spec);

}  // namespace vernier

#endif  // VERNIER_FACES_SUGGEST_PRIOR_STUDIES_H_
