#include "suggest/gp/leave_one_out.h"

namespace vernier {

using Eigen::Index;

LeaveOneOut LeaveOutEach(const GaussianProcess& gp,
                         const Eigen::VectorXd& targets) {
  const Index n = targets.size();
  Eigen::MatrixXd columns(n, 2);
  columns << Eigen::VectorXd::Ones(n), targets;
  const Eigen::MatrixXd solved = gp.Solve(columns);
  const Eigen::ArrayXd ones = solved.col(0).array();
  const Eigen::ArrayXd values = solved.col(1).array();
  const Eigen::ArrayXd diagonal = gp.InverseDiagonal().array();
  // The sums that give the most probable mean (SolveForTargets), each without
  // point i.
  const Eigen::ArrayXd weight = ones.sum() - ones.square() / diagonal;
  const Eigen::ArrayXd weighted = values.sum() - ones * values / diagonal;
  const Eigen::ArrayXd mean = weighted / (weight + 1 / kMeanPriorVariance);
  return {(targets.array() - (values - mean * ones) / diagonal).matrix(),
          diagonal.inverse().matrix()};
}

}  // namespace vernier
