#ifndef VERNIER_STUDY_STUDY_SPEC_H_
#define VERNIER_STUDY_STUDY_SPEC_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "study/early_stopping.h"
#include "study/job_spec.h"
#include "study/metrics/metric_goal.h"
#include "study/parameter.h"
#include "study/parameter_constraint.h"

namespace vernier {

/// By how much `value` meets `constraint`; negative: it does not.
double SlackOf(const OutcomeConstraint& constraint, double value);

/// The owner's word on how noisy the metrics are. Values are stored.
enum class ObservationNoise { kUnspecified = 0, kLow = 1, kHigh = 2 };

/// What a study tunes, towards what, and how.
struct StudySpec {
  std::vector<MetricGoal> metrics;  ///< >= 1; names are distinct.
  std::vector<OutcomeConstraint> constraints;
  std::vector<ParameterSpec> parameters;  ///< Depth first; none: no tuning.
  /// What their values must meet together.
  std::vector<ParameterConstraint> parameter_constraints;
  Algorithm algorithm = Algorithm::kDefault;
  StoppingRule stopping_rule = StoppingRule::kNone;
  EarlyStoppingOptions stopping_options;  ///< Of stopping_rule.
  /// A training that was paused goes on from its checkpoint.
  bool can_resume = false;
  StudyLimits limits;
  /// The search maximizes the gain by the time that a trial takes.
  bool is_per_cost = false;
  ObservationNoise noise = ObservationNoise::kUnspecified;

  friend bool operator==(const StudySpec&, const StudySpec&) = default;
};

/// OK, or INVALID_ARGUMENT that names the field, its value and the bound. The
/// rules are ParseJob's for parameters, and the metrics' own.
absl::Status ValidateStudySpec(const StudySpec& spec);

/// Likewise, of its metrics and constraints alone.
absl::Status ValidateMetrics(const StudySpec& spec);

/// Whether the job asks for early stopping and leaves the rule to us:
/// enableTrialEarlyStopping is true and vernier.earlyStopping is not given.
bool AsksForOurStoppingRule(const JobSpec& job);

/// The study of a job. Without tuning it has no parameters, and its metric is
/// AI Platform's default, to be maximized. Where AsksForOurStoppingRule, its
/// rule is kAuto, on every face.
StudySpec StudySpecOf(const JobSpec& job);

/// The study of a job as the store holds it. Submission writes the rule into a
/// job, so that one which AsksForOurStoppingRule is from an earlier release,
/// in which the same field meant the median rule; it keeps that rule.
StudySpec StudySpecOfStored(const JobSpec& job);

/// The metric that the search is about; of several, the first.
inline const MetricGoal& ObjectiveOf(const StudySpec& spec) {
  return spec.metrics.front();
}

/// Whether a trial's result is more than a value of ObjectiveOf: there are
/// other metrics, or constraints.
inline bool HasOtherMetrics(const StudySpec& spec) {
  return spec.metrics.size() > 1 || !spec.constraints.empty();
}

/// The metrics of which a trial needs values: the objectives, in their order,
/// and those that are only constrained.
std::vector<std::string> NeededMetrics(const StudySpec& spec);

/// One line of JSON, exact; for storage.
std::string StudySpecToJson(const StudySpec& spec);

/// Reads what StudySpecToJson wrote. INVALID_ARGUMENT for anything else.
absl::StatusOr<StudySpec> StudySpecFromJson(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_STUDY_STUDY_SPEC_H_
