#ifndef VERNIER_SUGGEST_SEARCH_SPACE_ENCODING_H_
#define VERNIER_SUGGEST_SEARCH_SPACE_ENCODING_H_

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "study/parameter.h"
#include "suggest/parameter_scale.h"

namespace vernier {

enum class CoordinateKind {
  kContinuous,   ///< One column in [0, 1].
  kStepped,      ///< INTEGER, DISCRETE: one column, only some values valid.
  kCategorical,  ///< One column per category: 1/sqrt(2) for the one chosen.
};

/// A parameter that can vary, and its columns of an encoded point.
struct Coordinate {
  std::size_t parameter = 0;  ///< Position in the search space.
  CoordinateKind kind = CoordinateKind::kContinuous;
  Eigen::Index first_column = 0;
  Eigen::Index num_columns = 1;
  std::int64_t num_levels = 0;  ///< >= 2; 0 if continuous.
};

/// Maps the parameters of a search space to rows of real numbers in which
/// Euclidean distance means something, and back.
///
/// Numbers are stretched over [0, 1] by their scale; the model sees the value
/// that a trial would really get, rounded. Two different categories lie at
/// distance 1 whichever they are: no order is invented. Parameters with only
/// one possible value have no coordinate. Immutable, so thread-safe.
class SearchSpaceEncoding {
 public:
  /// `space` is borrowed and must outlive the object.
  explicit SearchSpaceEncoding(const std::vector<ParameterSpec>& space);

  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  Eigen::Index num_columns() const { return num_columns_; }

  /// Row of `parameters`, which must fit the space.
  Eigen::RowVectorXd Encode(const Parameters& parameters) const;

  /// Parameters of the valid configuration nearest to `row`, each coordinate
  /// by itself. Any finite row will do.
  Parameters Decode(const Eigen::RowVectorXd& row) const;

  /// Row of a point of the unit cube, one number in [0, 1) per coordinate. A
  /// uniform point gives equally likely categories, discrete values and (on a
  /// linear scale) integers.
  Eigen::RowVectorXd FromUnitCube(const Eigen::RowVectorXd& unit) const;

  /// Row in the middle of every scale, with the first of each list of
  /// categories.
  Eigen::RowVectorXd Centre() const;

  /// Level of a stepped or categorical coordinate nearest to `row`.
  std::int64_t Level(std::size_t coordinate,
                     const Eigen::RowVectorXd& row) const;

  /// Moves a stepped or categorical coordinate of `row` to `level`.
  void SetLevel(std::size_t coordinate, std::int64_t level,
                Eigen::RowVectorXd* row) const;

  /// Moves every coordinate of `row` to its nearest valid value.
  void Snap(Eigen::RowVectorXd* row) const;

 private:
  // How one coordinate's levels lie on its column.
  struct Steps {
    ParameterScale scale;
    std::vector<double> units;  // DISCRETE: increasing, one per level.
  };

  double UnitOfLevel(std::size_t coordinate, std::int64_t level) const;
  std::int64_t NearestLevel(std::size_t coordinate, double unit) const;

  const std::vector<ParameterSpec>& space_;
  std::vector<Coordinate> coordinates_;
  std::vector<Steps> steps_;  // One per coordinate.
  Eigen::Index num_columns_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SEARCH_SPACE_ENCODING_H_
