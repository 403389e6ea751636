#ifndef VERNIER_SUGGEST_ALGORITHMS_STUDY_PARTS_H_
#define VERNIER_SUGGEST_ALGORITHMS_STUDY_PARTS_H_

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// Returns how good a result is: larger is better, and a failure, or a training
/// that was stopped early, is -infinity.
double MeritOf(const Observation& result, Goal goal);

/// Parts of a study of one metric: studies of few of its results, with all
/// trials that have none.
///
/// Parts are taken from some hundred results: the best, the newest, which show
/// what is not good near them, and some from the whole course of the search.
class StudyParts {
 public:
  /// Parts of the results that `merits` belong to, the first of the study;
  /// >= 1. A larger merit is better. O(size of `merits`); borrows the others.
  /// INVALID_ARGUMENT if a result that parts are taken from does not fit the
  /// space.
  static absl::StatusOr<StudyParts> Create(const StudyView& view,
                                           const SearchSpaceEncoding& encoding,
                                           std::span<const double> merits);

  /// The results of one part, each by its place in the order from the best to
  /// the worst of all that parts are taken from.
  using Ranks = std::vector<std::size_t>;

  /// Returns up to `size` results, those nearest to one of them. In distances
  /// levels and categories hardly count.
  Ranks Near(std::size_t rank, std::size_t size) const;

  /// Returns up to `size` results, the best of which no two are nearer to each
  /// other than `distance`, > 0, in encoded coordinates.
  Ranks Apart(double distance, std::size_t size) const;

  /// Returns the positions of these results in the study, ascending.
  std::vector<std::size_t> Positions(const Ranks& ranks) const;

  /// Returns the study of these results, in the order in which they became
  /// known.
  StudyView Part(const Ranks& ranks) const;

 private:
  StudyParts(const StudyView& view, const SearchSpaceEncoding& encoding)
      : view_(&view), encoding_(&encoding) {}

  absl::Status Read();

  const StudyView* view_;
  const SearchSpaceEncoding* encoding_;
  std::vector<std::size_t> results_;  // Positions in the view, best first.
  Eigen::MatrixXd rows_;              // One each.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_STUDY_PARTS_H_
