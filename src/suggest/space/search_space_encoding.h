#ifndef VERNIER_SUGGEST_SPACE_SEARCH_SPACE_ENCODING_H_
#define VERNIER_SUGGEST_SPACE_SEARCH_SPACE_ENCODING_H_

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "study/parameter.h"
#include "suggest/space/parameter_scale.h"

namespace vernier {

enum class CoordinateKind {
  kContinuous,   ///< One column in [0, 1].
  kStepped,      ///< INTEGER, DISCRETE: one column, only some values valid.
  kCategorical,  ///< One column per category: 1/sqrt(2) for the one chosen.
};

/// A parameter that can vary, and its columns of an encoded point.
struct Coordinate {
  /// Positions in the search space. There are several if conditional parameters
  /// have the same name and kind under different conditions. At most one of
  /// them is active, and they share what the model learns.
  std::vector<std::size_t> parameters;
  CoordinateKind kind = CoordinateKind::kContinuous;
  Eigen::Index first_column = 0;
  Eigen::Index num_columns = 1;
  std::int64_t num_levels = 0;  ///< >= 2; 0 if continuous.
};

/// The numbers from `low` to `high`.
struct NumberRange {
  double low = 0;
  double high = 0;
};

/// Maps the parameters of a search space to rows of real numbers, whose
/// Euclidean distances are meaningful to the model, and back.
///
/// Numbers are stretched over [0, 1] by their scale; the model sees the value
/// that a trial would really get, rounded. Any two categories lie at distance
/// 1, so that no order is invented. Parameters with only one possible value
/// have no coordinate. A coordinate whose parameters are all inactive is
/// imputed: it lies at its default, or else halfway (a categorical equally far
/// from all its values), so that it does not distinguish such points. A row is
/// valid if its active coordinates hold possible values and the others are
/// imputed. Immutable, so thread-safe.
///
/// Where constraints leave only a part of a parameter's range (NumberRange),
/// that part is stretched over [0, 1] in its stead, so that distances mean as
/// much there as in a space without constraints. What lies outside of the part
/// is encoded beyond [0, 1], in proportion.
class SearchSpaceEncoding {
 public:
  /// `space` is borrowed and must outlive the object. `left` has the parts of
  /// the ranges that constraints leave, by coordinate; empty: there are none. A
  /// categorical, a coordinate that others depend on, and one of whose range no
  /// width is left, keep the whole.
  explicit SearchSpaceEncoding(const std::vector<ParameterSpec>& space,
                               const std::vector<NumberRange>& left = {});

  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  Eigen::Index num_columns() const { return num_columns_; }
  bool is_conditional() const { return is_conditional_; }

  /// The most coordinates that one configuration can have active; >= 1 unless
  /// there is no coordinate.
  std::size_t max_active() const { return max_active_; }

  /// Returns the row of `parameters`, which must fit the space.
  Eigen::RowVectorXd Encode(const Parameters& parameters) const;

  /// Returns the active parameters of the configuration nearest to `row`, each
  /// coordinate by itself. `row` may be any finite row.
  Parameters Decode(const Eigen::RowVectorXd& row) const;

  /// Returns the value of a coordinate nearest to `row`, active or not.
  ParameterValue Value(std::size_t coordinate,
                       const Eigen::RowVectorXd& row) const {
    return ReadValue(coordinates_[coordinate].parameters.front(), row);
  }

  /// Returns the spec of a coordinate's parameters, which differ only in their
  /// conditions.
  const ParameterSpec& SpecOf(std::size_t coordinate) const {
    return space_[coordinates_[coordinate].parameters.front()];
  }

  /// Returns the row of a point of the unit cube, one number in [0, 1) per
  /// coordinate. A uniform point gives equally likely categories, discrete
  /// values and (on a linear scale) integers.
  Eigen::RowVectorXd FromUnitCube(const Eigen::RowVectorXd& unit) const;

  /// Like FromUnitCube, but inactive coordinates hold values instead of being
  /// imputed.
  Eigen::RowVectorXd RawFromUnitCube(const Eigen::RowVectorXd& unit) const;

  /// Returns the row of every parameter's default, else of the middle of its
  /// scale, with the first of each list of categories.
  Eigen::RowVectorXd Centre() const;

  /// Returns the level of a stepped or categorical coordinate nearest to `row`.
  std::int64_t Level(std::size_t coordinate,
                     const Eigen::RowVectorXd& row) const;

  /// Moves a stepped or categorical coordinate of `row` to `level`. If other
  /// parameters depend on it, Snap must be called then.
  void SetLevel(std::size_t coordinate, std::int64_t level,
                Eigen::RowVectorXd* row) const;

  /// Moves one coordinate of `row` to its place in RawFromUnitCube for the
  /// number `u`.
  void SetFromUnit(std::size_t coordinate, double u,
                   Eigen::RowVectorXd* row) const;

  /// Returns the smallest and the largest number with which SetFromUnit gives a
  /// numeric coordinate a value from `low` to `high`. `low` <= `high`, and for
  /// a stepped one some value lies between them.
  std::pair<double, double> UnitsBetween(std::size_t coordinate, double low,
                                         double high) const;

  /// Moves a coordinate of `row` to `value`, a possible one.
  void WriteValue(std::size_t coordinate, const ParameterValue& value,
                  Eigen::RowVectorXd* row) const;

  /// Returns the number that a column of a DOUBLE or INTEGER stands for, as if
  /// all numbers were possible and none was rounded. Increasing.
  double NumberAt(std::size_t coordinate, double column) const {
    const Steps& steps = steps_[coordinate];
    return steps.scale.FromUnit(steps.part.ToWhole(column));
  }

  /// Returns the row all of whose coordinates are imputed.
  const Eigen::RowVectorXd& Imputed() const { return imputed_; }

  /// Returns the column of a numeric coordinate at `number`, which may be
  /// beyond the range or between two possible values; not finite where the
  /// scale is not defined.
  double PlaceOf(std::size_t coordinate, double number) const;

  /// Returns true for each parameter of the space that is active in `row`.
  std::vector<bool> ActiveParameters(const Eigen::RowVectorXd& row) const;

  /// Moves every active coordinate of `row` to its nearest valid value, and
  /// imputes the others.
  void Snap(Eigen::RowVectorXd* row) const;

  /// Returns true for each coordinate one of whose parameters is active in
  /// `row`. The inactive coordinates of `row` need not be imputed.
  std::vector<bool> ActiveCoordinates(const Eigen::RowVectorXd& row) const;

  /// True if another parameter depends on this coordinate.
  bool HasChildren(std::size_t coordinate) const {
    return has_children_[coordinate];
  }

 private:
  // The part of a unit interval that is stretched over the whole of it.
  struct Part {
    double first = 0;
    double width = 1;

    double ToWhole(double unit) const { return first + unit * width; }
    double FromWhole(double unit) const { return (unit - first) / width; }
  };

  // The positions of one coordinate's values on its column.
  struct Steps {
    ParameterScale scale;
    std::vector<double> units = {};  // DISCRETE: increasing, one per level.
    Part part = {};                  // Of the scale.
    // INTEGER: the part of the cells. DISCRETE: of the levels, each of which
    // takes as much as any other.
    Part cells = {};
  };

  // The condition of a parameter, in terms of its parent's level.
  struct Condition {
    std::size_t parent = 0;
    std::vector<std::int64_t> parent_levels;  // Empty: always.
  };

  static constexpr std::size_t kFixed = static_cast<std::size_t>(-1);

  void AddCoordinate(std::size_t parameter);
  void AddCondition(std::size_t parameter);
  void Narrow(std::size_t coordinate, const NumberRange& left);
  void CountActive();
  double ColumnOfLevel(std::size_t coordinate, std::int64_t level) const;
  std::int64_t NearestLevel(std::size_t coordinate, double column) const;
  ParameterValue ReadValue(std::size_t parameter,
                           const Eigen::RowVectorXd& row) const;
  void Impute(std::size_t coordinate, Eigen::RowVectorXd* row) const;

  const std::vector<ParameterSpec>& space_;
  std::vector<std::size_t> coordinate_of_parameter_;  // kFixed: none.
  std::vector<Condition> conditions_;                 // One per parameter.
  std::vector<Coordinate> coordinates_;
  std::vector<Steps> steps_;  // One per coordinate, and so are these.
  std::vector<bool> has_children_;
  Eigen::Index num_columns_ = 0;
  Eigen::RowVectorXd imputed_;  // num_columns_.
  bool is_conditional_ = false;
  std::size_t max_active_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_SEARCH_SPACE_ENCODING_H_
