#ifndef VERNIER_SUGGEST_SPACE_POINT_RESULTS_H_
#define VERNIER_SUGGEST_SPACE_POINT_RESULTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "study/parameter.h"
#include "study/suggestion.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// The results at one point: of trials with equal parameters.
struct PointResults {
  /// The trials with a value, in the order in which they were added. The first
  /// stands for the point.
  std::vector<std::int64_t> trials;
  Parameters parameters;
  double mean = 0;  ///< Of their values, larger is better.
  /// Of the deviations from the mean.
  double sum_of_squares = 0;
  /// A trial at the point has no value, broke a constraint or was stopped
  /// early, so the point is neither best nor repeated.
  bool is_ruled_out = false;

  int count() const { return static_cast<int>(trials.size()); }
};

/// The results of a study by their points, and the noise that follows from the
/// points with several results: one variance for all of them.
class PointTable {
 public:
  /// Adds the result of a trial at a point; nullopt rules the point out.
  void Add(const Parameters& point, std::int64_t trial,
           std::optional<double> merit);

  /// The points in the order of their first results.
  const std::vector<PointResults>& points() const { return points_; }

  /// Returns the position in points() of a point; nullopt if it has no result.
  std::optional<std::size_t> Find(const Parameters& point) const;

  /// The degrees of freedom behind noise_variance(): the results beyond the
  /// first at each point.
  int degrees() const { return degrees_; }

  /// The variance of one result around the mean of its point; 0 with no
  /// degrees of freedom.
  double noise_variance() const;

  /// The standard error of the point's mean; nullopt with no degrees of
  /// freedom.
  std::optional<double> StandardError(const PointResults& point) const;

  /// Half the width of the 95 % interval of the point's mean, likewise.
  std::optional<double> HalfInterval(const PointResults& point) const;

  /// Returns the value by which points are compared: the mean less one standard
  /// error, so that a single lucky result does not come before a point that was
  /// as good several times (the rule of one standard error; Breiman et al.
  /// 1984, "Classification and regression trees"). With no degrees of freedom,
  /// the mean.
  double Bound(const PointResults& point) const;

  /// Returns the position of the best point, which has the largest Bound; the
  /// first of ties. nullopt if all points are ruled out.
  std::optional<std::size_t> Best() const;

  /// Returns whether `point` is worse than `best` with a confidence of 95 %, by
  /// a one-sided t test with the noise of all points. False with no degrees of
  /// freedom.
  bool IsWorse(const PointResults& point, const PointResults& best) const;

 private:
  std::vector<PointResults> points_;
  // By the point's parameters as text.
  std::unordered_map<std::string, std::size_t> positions_;
  double sum_of_squares_ = 0;
  int degrees_ = 0;
};

/// Returns the full results of the study's own trials in `view`. Points of an
/// earlier study are left out, because no trial here stands for them.
PointTable PointsOf(const StudyView& view);

/// Returns for each point of `points` how many of the `pending` trials try it.
std::vector<int> RunningAt(const PointTable& points,
                           const std::vector<Parameters>& pending);

/// Returns a repeat of a point that has a result, without the record's counts.
/// `running` trials of the point have no result yet; `wanted` as in
/// PointRepeat.
Suggestion RepeatOf(const PointResults& point, int running, int wanted);

/// Returns the number of points behind the results in `view`: that of the
/// results themselves if the study repeats none.
std::size_t NumPoints(const StudyView& view);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_POINT_RESULTS_H_
