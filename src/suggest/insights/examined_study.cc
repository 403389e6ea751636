#include "suggest/insights/examined_study.h"

#include <algorithm>
#include <numeric>

namespace vernier {

std::vector<Eigen::Index> BestRowsFirst(const SurrogateModel& model) {
  using Eigen::Index;
  const Eigen::VectorXd& means = model.gp.fitted_means();
  std::vector<Index> order(static_cast<std::size_t>(means.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return means[a] > means[b]; });
  return order;
}

}  // namespace vernier
