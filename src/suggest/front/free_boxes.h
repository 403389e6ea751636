#ifndef VERNIER_SUGGEST_FRONT_FREE_BOXES_H_
#define VERNIER_SUGGEST_FRONT_FREE_BOXES_H_

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace vernier {

/// The region above a reference point that no place dominates yet, as boxes
/// that do not overlap and are open towards larger values where nothing bounds
/// them (the decomposition of Lacour et al. 2017, "A box decomposition
/// algorithm to compute the hypervolume indicator", in its plain form: slices
/// along one metric after the other).
struct FreeBoxes {
  /// For each of the m metrics the bounds that occur, ascending. The first is
  /// the reference point's.
  std::vector<std::vector<double>> levels;
  /// For each box its m lower bounds, and then its m upper bounds, as positions
  /// in `levels`. An upper bound that is levels[k].size() is infinite.
  std::vector<std::size_t> bounds;

  std::size_t num_metrics() const { return levels.size(); }
  std::size_t num_boxes() const { return bounds.size() / (2 * levels.size()); }
};

/// Returns the boxes above `reference` (m >= 1) that no row of `merits` (n x m,
/// larger is better) dominates. Rows that are not better than the reference
/// everywhere change nothing. At most n + 1 boxes for two metrics, and of the
/// order of n^(m - 1) for more.
FreeBoxes DecomposeFree(const Eigen::MatrixXd& merits,
                        const Eigen::RowVectorXd& reference);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_FRONT_FREE_BOXES_H_
