#ifndef VERNIER_SUGGEST_GP_DESCENDING_ORDER_H_
#define VERNIER_SUGGEST_GP_DESCENDING_ORDER_H_

#include <Eigen/Core>
#include <cstddef>
#include <limits>
#include <vector>

namespace vernier {

/// Returns the indices of `values` by descending value, ties by ascending
/// index; no more than `most` of them. O(n log n).
std::vector<Eigen::Index> DescendingOrder(
    const Eigen::VectorXd& values,
    std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_DESCENDING_ORDER_H_
