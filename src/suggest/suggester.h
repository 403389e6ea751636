#ifndef VERNIER_SUGGEST_SUGGESTER_H_
#define VERNIER_SUGGEST_SUGGESTER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "study/ids.h"
#include "study/job_spec.h"
#include "study/parameter.h"

namespace vernier {

/// A trial whose end says something about its parameters.
struct Observation {
  Parameters parameters;
  /// The final value in the user's own sign; nullopt: infeasible. Finite.
  std::optional<double> objective;
  /// `objective` is the last value of a training cut short.
  bool is_stopped_early = false;
};

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

/// Proposes points to try next.
///
/// Stateless: `Suggest` depends on its argument alone, so the same view gives
/// the same points bit for bit, and a restart loses nothing.
/// Thread-safe: const calls may run at once on one instance.
class Suggester {
 public:
  virtual ~Suggester() = default;

  /// Returns 1 to `count` points, each with a value for every parameter of
  /// `view.space`, in that order and within bounds. Fewer than `count` means
  /// that a finite space is nearly used up.
  ///
  /// Errors: INVALID_ARGUMENT if count < 1, the space is empty or an
  /// observation does not fit the space; RESOURCE_EXHAUSTED if no untried point
  /// is left (grid search, or a finite space); INTERNAL if the model cannot be
  /// fitted, even with jitter; FAILED_PRECONDITION if the default algorithm
  /// needs NLopt and it is not installed.
  virtual absl::StatusOr<std::vector<Parameters>> Suggest(const StudyView& view,
                                                          int count) const = 0;
};

/// Returns the suggester for `algorithm`. Never null.
std::unique_ptr<Suggester> MakeSuggester(Algorithm algorithm);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SUGGESTER_H_
