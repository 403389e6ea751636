#ifndef VERNIER_SUGGEST_CURVES_CURVE_LESSONS_H_
#define VERNIER_SUGGEST_CURVES_CURVE_LESSONS_H_

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "suggest/curves/curve_levels.h"
#include "suggest/curves/curve_study.h"
#include "suggest/curves/curve_transition.h"
#include "suggest/space/search_space_encoding.h"

namespace vernier {

/// The curve of a trial that has ended or is paused, by levels.
struct CurveLesson {
  std::int64_t trial = 0;
  Eigen::RowVectorXd input;     ///< Empty if the space has too many columns.
  LevelValues levels;           ///< In the user's units, then on a scale.
  std::optional<double> final;  ///< Likewise, if the training came to its end.
  bool breaks_constraint = false;  ///< So that it cannot be the best.
};

/// The parameters of a space with more columns are left out of lessons.
inline constexpr Eigen::Index kMaxLessonColumns = 1000;

/// Returns the encoded parameters; empty if the row would be too long.
Eigen::RowVectorXd EncodeForLessons(const SearchSpaceEncoding& encoding,
                                    const Parameters& parameters);

/// Returns the reports of the trials of `study` that are not running, in the
/// order of the trials.
std::vector<CurveLesson> TakeLessons(const CurveStudy& study,
                                     const SearchSpaceEncoding& encoding,
                                     const std::vector<std::int64_t>& levels);

/// Returns the value at the level after `level`, or the final value after the
/// last; nullopt if the lesson did not get there.
std::optional<double> ValueAfter(const CurveLesson& lesson, std::size_t level,
                                 std::size_t num_levels);

/// Returns the change that led to a level; 0 if the level before was not seen.
double ChangeBefore(const LevelValues& levels, std::size_t level);

/// Returns the changes from a level to the next one, or from the last level to
/// the final value, for the newest `most` lessons that continued beyond the
/// level.
TransitionData ChangesAfter(const std::vector<CurveLesson>& lessons,
                            std::size_t level, std::size_t num_levels,
                            std::size_t most);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_CURVE_LESSONS_H_
