#ifndef VERNIER_SUGGEST_GP_METRIC_LEVELS_H_
#define VERNIER_SUGGEST_GP_METRIC_LEVELS_H_

#include <Eigen/Core>
#include <vector>

#include "suggest/gp/training_data.h"

namespace vernier {

/// The values of a metric that has few of them, such as 0 and 1 or a small
/// count, as targets of its model.
///
/// A model takes such values for a smooth function, whose means lie a little
/// above one value here and a little below it there. On a front, these
/// differences would look like trade-offs, and a search for the best of them
/// would never end. Immutable.
class MetricLevels {
 public:
  /// Results of `data` with different values are levels if each value occurs
  /// twice on average; otherwise there are no levels.
  explicit MetricLevels(const TrainingData& data);

  bool is_empty() const { return levels_.empty(); }

  /// Returns the level nearest to each target, or the targets without levels.
  Eigen::VectorXd Nearest(const Eigen::VectorXd& targets) const;

  /// Returns what a trial must exceed in order to be better than a trial at
  /// each of these levels: it lies halfway to the next better level, and as far
  /// above the best level as above the one before it. Without levels, the
  /// targets.
  Eigen::VectorXd Exceeded(const Eigen::VectorXd& levels) const;

 private:
  std::vector<double> levels_;  // Ascending; none or at least two.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_METRIC_LEVELS_H_
