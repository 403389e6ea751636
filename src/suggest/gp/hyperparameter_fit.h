#ifndef VERNIER_SUGGEST_GP_HYPERPARAMETER_FIT_H_
#define VERNIER_SUGGEST_GP_HYPERPARAMETER_FIT_H_

#include <vector>

#include "absl/status/statusor.h"
#include "suggest/gp/hyperparameter_prior.h"
#include "suggest/gp/regression_data.h"

namespace vernier {

struct HyperparameterFitOptions {
  /// Evaluations of the objective per starting point; >= 1. The limit is not in
  /// seconds, because suggestions would then depend on how busy the machine is.
  int max_evaluations = 60;
  /// In nats; > 0. The fit stops when a step gains less.
  double min_gain = 1e-3;
};

/// Finds the most probable hyperparameters by bounded L-BFGS (NLopt's LD_LBFGS,
/// after Nocedal 1980 and Luksan) from each of `starts`, which are clamped to
/// the prior's bounds. Returns the best result. `starts` must not be empty.
/// Deterministic. FAILED_PRECONDITION if NLopt is not installed; INTERNAL if
/// the objective cannot be evaluated at any starting point. Within a call that
/// must end (UseInCall), its error.
absl::StatusOr<LogHyperparameters> FitHyperparameters(
    const RegressionData& data, const HyperparameterPrior& prior,
    const std::vector<LogHyperparameters>& starts,
    const HyperparameterFitOptions& options);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_HYPERPARAMETER_FIT_H_
