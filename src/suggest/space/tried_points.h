#ifndef VERNIER_SUGGEST_SPACE_TRIED_POINTS_H_
#define VERNIER_SUGGEST_SPACE_TRIED_POINTS_H_

#include <Eigen/Core>
#include <optional>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "study/suggestion.h"
#include "suggest/space/feasible_region.h"
#include "suggest/space/finite_space.h"
#include "suggest/space/point_identity.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// The points of a study that need not be tried again: completed, pending,
/// given up, and those just suggested; and the part of the space in which the
/// others lie.
class TriedPoints {
 public:
  /// Starts with the points of the view's three lists; in a space that is
  /// small enough to enumerate they must fit it. The view and `encoding` are
  /// borrowed. `tolerance` as PointIdentity has it.
  TriedPoints(const StudyView& view, const SearchSpaceEncoding& encoding,
              double tolerance = PointIdentity::kTolerance);

  void Add(const Parameters& parameters);

  /// True if the configuration that `row` decodes to was tried
  /// (PointIdentity). O(1) if the space is small enough to enumerate, and else
  /// one pass over the points, which ends for nearly all of them at their first
  /// value.
  bool Contains(const Eigen::RowVectorXd& row) const;

  /// True if the space is small enough to be enumerated and was used up.
  bool IsExhausted() const { return untried_.has_value() && untried_->empty(); }

  /// Returns the reason for that: RESOURCE_EXHAUSTED, or FAILED_PRECONDITION if
  /// the constraints allow no configuration at all.
  absl::Status Exhaustion() const;

  /// The region that the constraints allow.
  const FeasibleRegion& region() const { return region_; }

  /// The untried configurations that are allowed, if the space is small enough
  /// to enumerate.
  const std::optional<UntriedConfigurations>& untried() const {
    return untried_;
  }

  /// Decodes `row`, a valid configuration, if it is allowed and untried;
  /// otherwise draws an allowed and untried one at random (kUntried). In a
  /// space too large to enumerate no draw may succeed, and then a repetition
  /// (kRandom) is better than no trial. The space must not be exhausted.
  /// FAILED_PRECONDITION if no allowed configuration is found.
  absl::StatusOr<Suggestion> Resolve(const Eigen::RowVectorXd& row,
                                     SuggestionMethod method,
                                     std::mt19937_64& rng) const;

 private:
  absl::StatusOr<Suggestion> DrawAllowed(std::mt19937_64& rng) const;
  Suggestion Drawn(const Eigen::RowVectorXd& row, bool is_untried) const;

  const StudyView& view_;
  const SearchSpaceEncoding& encoding_;
  const double tolerance_;
  const FeasibleRegion region_;
  std::vector<Parameters> added_;  // Only if untried_ is not set.
  std::optional<UntriedConfigurations> untried_;
  bool allows_none_ = false;  // Of those that are enumerated.
};

/// Returns a uniform point of the unit cube, one number per coordinate.
Eigen::RowVectorXd DrawUnitPoint(const SearchSpaceEncoding& encoding,
                                 std::mt19937_64& rng);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_TRIED_POINTS_H_
