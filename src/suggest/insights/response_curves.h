#ifndef VERNIER_SUGGEST_INSIGHTS_RESPONSE_CURVES_H_
#define VERNIER_SUGGEST_INSIGHTS_RESPONSE_CURVES_H_

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <vector>

#include "suggest/insights/examined_study.h"
#include "suggest/insights/insights.h"

namespace vernier {

/// The largest number of places along a curve: even steps of a number's scale,
/// or every value if there are no more, or this many first categories.
inline constexpr int kSlicePlaces = 41;
inline constexpr int kContourPlaces = 32;

/// Returns the row through which a curve over `coordinates` is drawn: `best`,
/// or, if one of them is inactive there, the best of the results in which all
/// are active. nullopt if there is none.
std::optional<Eigen::RowVectorXd> RowThrough(
    const ExaminedStudy& study, const Eigen::RowVectorXd& best,
    const std::vector<std::size_t>& coordinates);

/// Returns the model's expectation along `coordinate`, with all others as in
/// `row`. With another value of a parent, the parameters that it activates are
/// at their defaults or halfway.
Slice MakeSlice(const ExaminedStudy& study, const Eigen::RowVectorXd& row,
                std::size_t coordinate);

/// Like MakeSlice, over two different coordinates.
Contour MakeContour(const ExaminedStudy& study, const Eigen::RowVectorXd& row,
                    std::size_t first, std::size_t second);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_INSIGHTS_RESPONSE_CURVES_H_
