#include "suggest/insights/examined_study.h"

#include "suggest/gp/descending_order.h"

namespace vernier {

std::vector<Eigen::Index> BestRowsFirst(const SurrogateModel& model) {
  return DescendingOrder(model.gp.fitted_means());
}

}  // namespace vernier
