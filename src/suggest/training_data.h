#ifndef VERNIER_SUGGEST_TRAINING_DATA_H_
#define VERNIER_SUGGEST_TRAINING_DATA_H_

#include <vector>

#include "suggest/regression_data.h"
#include "suggest/search_space_encoding.h"
#include "suggest/suggester.h"

namespace vernier {

/// A study's observations, made ready for a model.
struct TrainingData {
  RegressionData regression;
  bool has_feasible = false;  ///< Some observation has an objective.
  bool is_constant = true;    ///< All targets are equal, or all infeasible.
};

/// Encodes and warps the view's completed observations, which must fit the
/// space; there must be at least one. Repetitions of a point become one row
/// with the median of their objectives (infeasible only if all were) and less
/// noise. Rows are in order of first appearance.
TrainingData MakeTrainingData(const StudyView& view,
                              const SearchSpaceEncoding& encoding);

/// Up to `size` row indices, ascending, for a model that cannot afford them
/// all: the best 40 %, the 30 % nearest to the best, and the rest spread out,
/// each as far as possible from those taken before. O(n size D).
std::vector<Eigen::Index> ChooseSubset(const RegressionData& data,
                                       Eigen::Index size);

/// The given rows of `data`.
RegressionData TakeRows(const RegressionData& data,
                        const std::vector<Eigen::Index>& rows);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_TRAINING_DATA_H_
