#ifndef VERNIER_SUGGEST_SPACE_POINT_IDENTITY_H_
#define VERNIER_SUGGEST_SPACE_POINT_IDENTITY_H_

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <vector>

#include "study/parameter.h"
#include "suggest/space/search_space_encoding.h"

namespace vernier {

/// Tells whether other points are the same as one. Integers, discrete values
/// and categories must be equal, however close their places are on a wide
/// scale. Two real numbers are the same within a tolerance, in encoded
/// coordinates.
class PointIdentity {
 public:
  /// Of a search over the whole space: a trial so close teaches nothing.
  static constexpr double kTolerance = 1e-6;
  /// Of a search of small parts of a space, which refines further: below what
  /// ParameterScale::ValueAt rounds to, so that only equal numbers are the
  /// same.
  static constexpr double kFineTolerance = 1e-9;

  /// The point that `row` decodes to. `encoding` is borrowed.
  PointIdentity(const SearchSpaceEncoding& encoding,
                const Eigen::RowVectorXd& row, double tolerance);

  /// `other` need not fit the space. Encodes nothing, so that one point can be
  /// compared with all results of a large study.
  bool IsSame(const Parameters& other) const;

 private:
  // A real number's coordinate, and its place there.
  struct Place {
    std::size_t coordinate = 0;
    double column = 0;
  };

  bool IsSameValue(std::size_t position, const ParameterValue& other) const;

  const SearchSpaceEncoding& encoding_;
  const double tolerance_;
  const Parameters point_;
  std::vector<std::optional<Place>> places_;  // Parallel to point_.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_POINT_IDENTITY_H_
