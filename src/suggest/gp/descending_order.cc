#include "suggest/gp/descending_order.h"

#include <algorithm>
#include <numeric>

namespace vernier {

std::vector<Eigen::Index> DescendingOrder(const Eigen::VectorXd& values,
                                          std::size_t most) {
  using Eigen::Index;
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return values[a] > values[b]; });
  order.resize(std::min(order.size(), most));
  return order;
}

}  // namespace vernier
