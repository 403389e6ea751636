#ifndef VERNIER_SUGGEST_ACQUISITION_PROJECTED_LBFGS_H_
#define VERNIER_SUGGEST_ACQUISITION_PROJECTED_LBFGS_H_

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "suggest/acquisition/acquisition_function.h"

namespace vernier {

struct ProjectedLbfgsOptions {
  int max_rounds = 60;     ///< Evaluations of each climber; >= 1.
  int history = 8;         ///< Pairs kept; >= 1.
  double max_step = 0.5;   ///< Of one iteration, in any column.
  double min_step = 1e-6;  ///< Shorter steps end a climb.
  double min_gain = 1e-7;  ///< Smaller gains end it, too.
  /// Moves a point, in the columns that are free, into the allowed part of the
  /// cube. Returns false if it finds no such place; then a shorter step is
  /// tried. Null: all of the cube is allowed.
  std::function<bool(const std::vector<bool>& is_free,
                     Eigen::RowVectorXd* point)>
      project = nullptr;
};

struct ClimbResult {
  Eigen::MatrixXd points;  ///< As `starts`, each no worse than its start.
  Eigen::VectorXd values;
};

/// Climbs `function` from each row of `starts` within [0, 1], in the columns
/// that its row of `is_free` allows; the other columns stay. Each climber has
/// its own quasi-Newton state, but all are evaluated together, one batch per
/// round (Irie et al. 2025 explain why the states must not be shared). The line
/// search uses Armijo's condition, and variables at an active bound are left
/// out of an iteration. With a projection each trial of the line search is
/// projected, so that a climb follows a border that it has reached; starts must
/// be allowed. Deterministic.
ClimbResult ClimbTogether(const AcquisitionFunction& function,
                          const Eigen::MatrixXd& starts,
                          const std::vector<std::vector<bool>>& is_free,
                          const ProjectedLbfgsOptions& options);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_PROJECTED_LBFGS_H_
