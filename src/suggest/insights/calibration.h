#ifndef VERNIER_SUGGEST_INSIGHTS_CALIBRATION_H_
#define VERNIER_SUGGEST_INSIGHTS_CALIBRATION_H_

#include <Eigen/Core>

#include "suggest/gp/gaussian_process.h"
#include "suggest/insights/examined_study.h"
#include "suggest/insights/insights.h"

namespace vernier {

/// What a process would say about each of its targets without it: n entries.
/// Variances are of the target, its noise included.
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

/// Compares each full result with what the others say about it, in the order of
/// the results. Repetitions of a point are left out together. Results outside
/// the model's rows, of which there are 2,000 at most, and those that have no
/// value of their own, are left out of the comparison.
///
/// The warp of the targets and the hyperparameters have seen the result, too,
/// so the comparison is a little kinder than the future.
Calibration Calibrate(const ExaminedStudy& study);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_INSIGHTS_CALIBRATION_H_
