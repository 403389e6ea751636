#ifndef VERNIER_SUGGEST_ALGORITHMS_REPEATING_SUGGESTER_H_
#define VERNIER_SUGGEST_ALGORITHMS_REPEATING_SUGGESTER_H_

#include <memory>
#include <optional>
#include <vector>

#include "suggest/algorithms/wrapping_suggester.h"
#include "suggest/space/point_results.h"

namespace vernier {

/// Returns the point to try again next, as a suggestion without counts, in a
/// study with a fixed number of trials per point; nullopt if none needs it.
///
/// `running` has the number of trials without a result for each point of
/// `points`. A point is repeated until its results and running trials are
/// `trials` together, unless it is ruled out or worse than the best with
/// confidence (PointTable::IsWorse). A point whose first result is not known
/// yet waits, since it may turn out to be worse. Of several points the one with
/// the best mean comes first; the first of ties. Pure. O(points).
std::optional<Suggestion> NextRepeat(const PointTable& points,
                                     const std::vector<int>& running,
                                     int trials);

/// Wraps a suggester for studies with a fixed number of trials per point:
/// repeats come first, and the wrapped one chooses new points for the rest, so
/// that no worker waits for results of others. Other studies are left to the
/// wrapped suggester as they are. Thread-safe.
class RepeatingSuggester final : public WrappingSuggester {
 public:
  explicit RepeatingSuggester(std::unique_ptr<Suggester> inner);

 private:
  bool Concerns(const StudyView& view) const override;
  absl::StatusOr<std::vector<Suggestion>> FirstPoints(const StudyView& view,
                                                      int count) const override;
  StudyView After(const StudyView& view,
                  const std::vector<Suggestion>& first) const override;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_REPEATING_SUGGESTER_H_
