#ifndef VERNIER_SUGGEST_CURVES_CURVE_REGRESSION_H_
#define VERNIER_SUGGEST_CURVES_CURVE_REGRESSION_H_

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <vector>

#include "suggest/curves/curve_lessons.h"
#include "suggest/curves/curve_levels.h"
#include "suggest/curves/final_surface.h"
#include "suggest/space/search_space_encoding.h"

namespace vernier {

/// The gain from one level to the end of a curve, as a function of the value at
/// that level, of the change over the last levels and of the parameters: a
/// Gaussian process with a length scale for each. It learns only from complete
/// trainings, in one step where chained changes (CurveChains) take many. So it
/// can learn any dependence of the end on the present value, which chained
/// changes cannot. Immutable, so thread-compatible.
class CurveRegression {
 public:
  /// The smallest number of complete trainings, and the largest, of which the
  /// newest are used.
  static constexpr std::size_t kMinTrainings = 3;
  static constexpr std::size_t kMaxTrainings = 64;

  /// Returns nullopt if too few trainings of `lessons`, whose values are on the
  /// model's scale, have been seen at `level`, or if nothing varies.
  /// Deterministic. O(m^3) for m trainings.
  static std::optional<CurveRegression> Create(
      const SearchSpaceEncoding& encoding,
      const std::vector<CurveLesson>& lessons, std::size_t level);

  /// Returns the final value of a training with the encoded parameters `input`.
  /// `curve` must have the level, and is on the model's scale.
  NormalValue Predict(const Eigen::RowVectorXd& input,
                      const LevelValues& curve) const;

  /// The trainings that it has learned from, by their positions in `lessons`,
  /// in increasing order.
  const std::vector<std::size_t>& trainings() const { return trainings_; }

  /// Returns the prediction of the final value of trainings()[i] from the
  /// others.
  NormalValue LeaveOut(std::size_t i) const;

 private:
  CurveRegression(std::size_t level, std::vector<std::size_t> trainings)
      : level_(level), trainings_(std::move(trainings)) {}

  // Returns the value at the level and the change before it, in common units.
  Eigen::RowVectorXd Features(const LevelValues& curve) const;

  std::size_t level_;
  std::vector<std::size_t> trainings_;
  Eigen::VectorXd values_there_;  // Of the trainings.
  Eigen::RowVectorXd centre_;     // Of the features.
  Eigen::RowVectorXd factor_;
  std::optional<FinalSurface> surface_;  // Of the remaining gain.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_CURVE_REGRESSION_H_
