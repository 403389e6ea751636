#ifndef VERNIER_SUGGEST_GP_USER_UNITS_H_
#define VERNIER_SUGGEST_GP_USER_UNITS_H_

#include <Eigen/Core>

#include "study/job_spec.h"
#include "study/suggestion.h"
#include "suggest/gp/output_warp.h"
#include "suggest/gp/surrogate_model.h"

namespace vernier {

/// Converts a normal distribution of the target to the user's sign and units:
/// the objectives at the mean and at one standard deviation to either side, all
/// of them at most WarpedObjectives::Furthest.
/// `warp` has a knot; `variance` >= 0.
Prediction InUserUnits(const WarpedObjectives& warp, Goal goal, double mean,
                       double variance);

/// Returns the same for the target at `row`, an encoded place (1 x D). The
/// model's warp has a knot.
Prediction PredictInUserUnits(const SurrogateModel& model, Goal goal,
                              const Eigen::RowVectorXd& row);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_USER_UNITS_H_
