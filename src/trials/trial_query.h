#ifndef VERNIER_TRIALS_TRIAL_QUERY_H_
#define VERNIER_TRIALS_TRIAL_QUERY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/store.h"

namespace vernier {

/// Which trials of a study to show, and in which order.
struct TrialQuery {
  /// A FilterExpression over state, trial, objective, step, cause and the
  /// names of parameters; a parameter that is named like one of these keys is
  /// written parameters.NAME.
  std::string filter;
  /// A key as in `filter`, "-" before it for descending, or "best". Trials
  /// without the value come last; ties are by trial id. Empty: by trial id.
  std::string sort;
  int limit = 0;  ///< 0: all.
};

/// Returns the trials that `query` asks for. `objective` is the final value,
/// or while a trial is open its last one. Pure. O(n log n).
///
/// Errors: INVALID_ARGUMENT for a broken filter, an unknown key (the message
/// lists those there are) or a negative limit.
absl::StatusOr<std::vector<TrialId>> SelectTrials(const StudySnapshot& study,
                                                  const TrialQuery& query);

}  // namespace vernier

#endif  // VERNIER_TRIALS_TRIAL_QUERY_H_
