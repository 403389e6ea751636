#ifndef VERNIER_SUGGEST_ALGORITHMS_SOURCE_TRUST_H_
#define VERNIER_SUGGEST_ALGORITHMS_SOURCE_TRUST_H_

#include <cstddef>
#include <string>

#include "suggest/space/study_view.h"

namespace vernier {

/// What the trials of one source came to.
struct SourceScore {
  int tried = 0;  ///< Trials that have ended, and those that run.
  /// Of those, how many were better than all results before them, which were
  /// kFewestBeaten at least.
  int wins = 0;
};

/// A first result is better than all before it, whatever it is.
inline constexpr std::size_t kFewestBeaten = 3;

/// Returns the score of the points that `source` has proposed. A trial without
/// a result counts as tried and not as a win, so that a source that nobody
/// knows does not fill all workers at once. In a study of several metrics a
/// result is better than another one unless that is at least as good in all of
/// them. Pure. O(results) for each trial of the source.
SourceScore ScoreOf(const StudyView& view, const std::string& source);

/// Returns the same of the points that nobody proposed, for the last ten of
/// them that have ended.
SourceScore ScoreOfSearch(const StudyView& view);

/// Returns how far a source is trusted, in (0, 1): about the probability that
/// its next point wins. It is a half before its first trial, so that an unknown
/// source gets one, and a loss counts as four, since each costs a trial.
double TrustIn(const SourceScore& score);

/// Returns the same of the search itself, by ScoreOfSearch, and at least
/// 0.08. A source whose only point has lost is therefore tried once more where
/// the last ten points of the search have lost, too, and then never again.
double TrustInSearch(const SourceScore& score);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_SOURCE_TRUST_H_
