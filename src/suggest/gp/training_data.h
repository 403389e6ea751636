#ifndef VERNIER_SUGGEST_GP_TRAINING_DATA_H_
#define VERNIER_SUGGEST_GP_TRAINING_DATA_H_

#include <cstddef>
#include <vector>

#include "suggest/gp/output_warp.h"
#include "suggest/gp/regression_data.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// The least known noise of a target, whose spread is about 1: that of a result
/// reported as exact.
inline constexpr double kMinKnownNoise = 1e-6;

/// A study's observations, made ready for a model.
struct TrainingData {
  RegressionData regression;
  std::vector<Eigen::Index> row_of_result;  ///< Of each observation.
  bool has_feasible = false;  ///< Some observation has an objective.
  bool is_constant = true;    ///< All targets are equal, or all infeasible.
  WarpedObjectives warp;      ///< Of the rows that are not censored.
  /// Rows of trainings that were stopped early, ascending; their targets are
  /// those of their last values. Empty if nearly all were stopped early, and
  /// those values are then used as they are.
  std::vector<Eigen::Index> censored;
  /// Rows whose targets are estimates of the values that cut-short trainings
  /// would have reached, ascending.
  std::vector<Eigen::Index> estimated;
};

/// Encodes and warps the first `num_results` of the view's completed
/// observations, >= 1, which must fit the space. Repetitions of a point become
/// one row with less noise and the median of their objectives; in a study that
/// repeats points, with their mean. The row is
/// infeasible only if all of them were. It uses only full trainings if there
/// are any, and else estimates of the values that cut-short ones would have
/// reached. A reported variance is scaled like the objective at that place.
/// Rows are in order of first appearance.
TrainingData MakeTrainingData(const StudyView& view,
                              const SearchSpaceEncoding& encoding,
                              std::size_t num_results,
                              WarpReference reference = WarpReference::kAll);

/// Returns the length scales of a space's columns.
LengthScaleGroups MakeLengthScaleGroups(const SearchSpaceEncoding& encoding);

/// Returns the rows of `data` that are not censored, ascending.
std::vector<Eigen::Index> UncensoredRows(const TrainingData& data);

/// Returns the rows that were measured: neither censored nor estimated,
/// ascending.
std::vector<Eigen::Index> MeasuredRows(const TrainingData& data);

/// Returns up to `size` row indices, ascending, for a model that cannot afford
/// all rows: the best 40 %, the 30 % nearest to the best, and the rest spread
/// out, each as far as possible from those taken before. O(n size D).
std::vector<Eigen::Index> ChooseSubset(const RegressionData& data,
                                       Eigen::Index size);

/// Returns the given rows of `data`.
RegressionData TakeRows(const RegressionData& data,
                        const std::vector<Eigen::Index>& rows);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_TRAINING_DATA_H_
