#ifndef VERNIER_SUGGEST_GP_LEAVE_ONE_OUT_H_
#define VERNIER_SUGGEST_GP_LEAVE_ONE_OUT_H_

#include <Eigen/Core>

#include "suggest/gp/gaussian_process.h"

namespace vernier {

/// The predictions of a process for each of its targets without that target: n
/// entries. Variances are of the target, its noise included.
struct LeaveOneOut {
  Eigen::VectorXd mean;
  Eigen::VectorXd variance;
};

/// Leaves out each data point in turn, with the hyperparameters kept and the
/// constant mean found again, in closed form (Rasmussen and Williams 2006, eq.
/// 5.12, with the mean's own update of rank one). `targets` are those of `gp`.
/// O(n^2), where n fits would take O(n^4).
LeaveOneOut LeaveOutEach(const GaussianProcess& gp,
                         const Eigen::VectorXd& targets);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_LEAVE_ONE_OUT_H_
