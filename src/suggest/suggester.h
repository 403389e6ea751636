#ifndef VERNIER_SUGGEST_SUGGESTER_H_
#define VERNIER_SUGGEST_SUGGESTER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "study/ids.h"
#include "study/job_spec.h"
#include "study/parameter.h"
#include "study/suggestion.h"

namespace vernier {

/// A trial whose end says something about its parameters.
struct Observation {
  Parameters parameters;
  /// The final value in the user's own sign; nullopt: infeasible. Finite.
  std::optional<double> objective;
  /// `objective` is the last value of a training that was cut short.
  bool is_stopped_early = false;
  /// Of the noise in `objective`, in its squared units; unset: unknown. >= 0.
  std::optional<double> variance = std::nullopt;
};

/// The final value with the sign that makes larger better; nullopt if it is
/// infeasible or of a training that was cut short.
std::optional<double> FullObjective(const Observation& observation, Goal goal);

/// All that a suggester may know about a study: a read-only snapshot. Trials
/// that ended without a lesson (lost machines, cancellations) are in neither
/// list.
struct StudyView {
  std::vector<ParameterSpec> space;  ///< >= 1 parameter, validated.
  Goal goal = Goal::kMaximize;
  std::uint64_t seed = 0;
  /// Observations of an earlier study that this one resumes, then this study's
  /// own, in the order in which they became known.
  std::vector<Observation> completed;
  std::vector<Parameters> pending;  ///< Requested, active or stopping.
  /// Number of trials ever created in this study. The k-th point returned is
  /// for trial `trials_created + k` (k from 1); random streams and sequence
  /// positions depend on that number, never on how calls were grouped.
  std::int64_t trials_created = 0;
};

/// The result to rely on, as opposed to the best one seen: noise may have made
/// that look better than it is.
struct Recommendation {
  std::size_t completed = 0;             ///< Position in StudyView::completed.
  std::optional<Prediction> prediction;  ///< Unset without a model.
};

/// The best full result seen, first of ties; nullopt if there is none.
std::optional<Recommendation> BestObserved(const StudyView& view);

/// Proposes points to try next.
///
/// `Suggest` depends on its argument alone, so the same view gives the same
/// points bit for bit on one kind of processor, and a restart loses nothing. An
/// instance may remember earlier work, so use one per study.
/// Thread-safe: const calls may run at once on one instance.
class Suggester {
 public:
  virtual ~Suggester() = default;

  /// Returns 1 to `count` points, each with a value for every active parameter
  /// of `view.space`, in that order and within bounds. Fewer than `count` means
  /// that a finite space is nearly used up.
  ///
  /// Errors: INVALID_ARGUMENT if count < 1, the space is empty or an
  /// observation does not fit the space; RESOURCE_EXHAUSTED if no untried point
  /// is left (grid search, or a finite space); INTERNAL if the model cannot be
  /// fitted, even with jitter, or memory runs out; FAILED_PRECONDITION if the
  /// default algorithm needs NLopt and it is not installed.
  virtual absl::StatusOr<std::vector<Suggestion>> Suggest(const StudyView& view,
                                                          int count) const = 0;

  /// The result that the model takes for the best, or BestObserved without a
  /// model. nullopt if no result is feasible. Errors as Suggest.
  virtual absl::StatusOr<std::optional<Recommendation>> Recommend(
      const StudyView& view) const;
};

/// Returns the suggester for `algorithm`, with arithmetic for this machine's
/// processor. Never null.
std::unique_ptr<Suggester> MakeSuggester(Algorithm algorithm);

/// Likewise, with the arithmetic of SuggestionRecord::instruction_set, so that
/// a choice can be repeated elsewhere. Null if this build or this processor
/// lacks it.
std::unique_ptr<Suggester> MakeSuggester(Algorithm algorithm,
                                         std::string_view instruction_set);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SUGGESTER_H_
