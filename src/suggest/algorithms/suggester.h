#ifndef VERNIER_SUGGEST_ALGORITHMS_SUGGESTER_H_
#define VERNIER_SUGGEST_ALGORITHMS_SUGGESTER_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "study/suggestion.h"
#include "suggest/insights/insights.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// The result to rely on. It may differ from the best one seen, which noise may
/// have made look better than it is.
struct Recommendation {
  std::size_t completed = 0;             ///< Position in StudyView::completed.
  std::optional<Prediction> prediction;  ///< Unset without a model.
};

/// Returns the best full result seen that meets the constraints, first of ties;
/// nullopt if there is none. In a study that repeats points, it is the first
/// result of the point that is best by its mean (PointTable::Best).
std::optional<Recommendation> BestObserved(const StudyView& view);

/// Proposes points to try next.
///
/// `Suggest` depends on its argument alone, so the same view gives the same
/// points bit for bit on one kind of processor, and a restart loses nothing. An
/// instance may keep earlier work, so use one per study. Thread-safe: const
/// calls may run at once on one instance.
class Suggester {
 public:
  virtual ~Suggester() = default;

  /// Returns 1 to `count` points, each with a value for every active parameter
  /// of `view.space`, in that order and within bounds, that together meet
  /// `view.parameter_constraints`. Fewer than `count` means that a finite space
  /// is nearly used up.
  ///
  /// Errors: INVALID_ARGUMENT if count < 1, the space is empty or an
  /// observation does not fit the space; RESOURCE_EXHAUSTED if no untried point
  /// is left (grid search, or a finite space); INTERNAL if the model cannot be
  /// fitted, even with jitter, or memory runs out; FAILED_PRECONDITION if the
  /// default algorithm needs NLopt and it is not installed, or if no point is
  /// found that meets the constraints between parameters.
  virtual absl::StatusOr<std::vector<Suggestion>> Suggest(const StudyView& view,
                                                          int count) const = 0;

  /// Returns the result that the model considers best, or BestObserved without
  /// a model. nullopt if no result is feasible. Errors as Suggest.
  virtual absl::StatusOr<std::optional<Recommendation>> Recommend(
      const StudyView& view) const;

  /// Returns what the model expects of the objective at each of `points`, which
  /// must be of the space; nothing if there is no model of one objective.
  /// Pending trials change nothing. Errors as Suggest.
  virtual absl::StatusOr<std::vector<Prediction>> Predict(
      const StudyView& view, const std::vector<Parameters>& points) const;

  /// Returns the model's view of the search space, or the reason why there is
  /// no model. Pending trials change nothing. Takes some 0.2 s with 1,000
  /// results, besides the time to fit the model. Errors as Suggest;
  /// INVALID_ARGUMENT if a contour cannot be drawn.
  virtual absl::StatusOr<Insights> Examine(
      const StudyView& view, const InsightsRequest& request) const;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_SUGGESTER_H_
