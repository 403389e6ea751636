#ifndef VERNIER_STUDY_STUDY_SPEC_H_
#define VERNIER_STUDY_STUDY_SPEC_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "study/belief.h"
#include "study/early_stopping.h"
#include "study/job_spec.h"
#include "study/metrics/former_names.h"
#include "study/metrics/metric_goal.h"
#include "study/parameter.h"
#include "study/parameter_constraint.h"
#include "study/prior_study_settings.h"
#include "study/repeats.h"

namespace vernier {

/// Returns the margin by which `value` meets `constraint`; negative: it does
/// not.
double SlackOf(const OutcomeConstraint& constraint, double value);

/// Returns the constraint's bounds, the min first, as constraints of their own:
/// two if it has both, otherwise itself.
std::vector<OutcomeConstraint> BoundsOf(const OutcomeConstraint& constraint);

/// The owner's statement about the noise of the metrics. Values are stored.
enum class ObservationNoise { kUnspecified = 0, kLow = 1, kHigh = 2 };

/// The parameters that a study tunes, its goals, and its method.
struct StudySpec {
  std::vector<MetricGoal> metrics;  ///< >= 1; names are distinct.
  std::vector<OutcomeConstraint> constraints;
  FormerNames renamed_from;  ///< Of `metrics` and those that are constrained.
  std::vector<ParameterSpec> parameters;  ///< Depth first; none: no tuning.
  /// Constraints on the parameters' values together.
  std::vector<ParameterConstraint> parameter_constraints;
  Algorithm algorithm = Algorithm::kDefault;
  StoppingRule stopping_rule = StoppingRule::kNone;
  EarlyStoppingOptions stopping_options;  ///< Of stopping_rule.
  /// A training that was paused continues from its checkpoint.
  bool can_resume = false;
  StudyLimits limits;
  /// The search maximizes the expected gain divided by the time that a trial
  /// takes.
  bool is_per_cost = false;
  /// Needs a single objective, and kAuto also the default algorithm and no
  /// constraints on metrics.
  Repeats repeats;
  /// Need a single objective, the default algorithm, and no constraints on
  /// metrics.
  PriorStudySettings prior_studies;
  /// By ascending parameter, each of which has one at most. Need the default
  /// algorithm.
  std::vector<Belief> beliefs;
  ObservationNoise noise = ObservationNoise::kUnspecified;

  friend bool operator==(const StudySpec&, const StudySpec&) = default;
};

/// Returns OK, or INVALID_ARGUMENT that names the field, its value and the
/// bound. Parameters follow ParseJob's rules; metrics have rules of their own.
absl::Status ValidateStudySpec(const StudySpec& spec);

/// Validates only the metrics, constraints and repeats, likewise.
absl::Status ValidateMetrics(const StudySpec& spec);

/// Returns why the study cannot have its `repeats`, to follow the field's name;
/// empty if it can.
std::string WhyNotRepeated(const StudySpec& spec);

/// Returns why the study cannot learn from its `prior_studies`, to follow the
/// field's name; empty if it can.
std::string WhyNoPriorStudies(const StudySpec& spec);

/// Returns why the study cannot have the `rename` of its `prior_studies`,
/// likewise. A study without parameters may have any.
std::string WhyNoPriorRename(const StudySpec& spec);

/// Returns why the study cannot have its `beliefs`, likewise.
std::string WhyNoBeliefs(const StudySpec& spec);

/// True if the job asks for early stopping and leaves the rule to us:
/// enableTrialEarlyStopping is true and vernier.earlyStopping is not given.
bool AsksForOurStoppingRule(const JobSpec& job);

/// Returns the study of a job. Without tuning it has no parameters, and its
/// metric is AI Platform's default, to be maximized. If
/// AsksForOurStoppingRule(job), its rule is kAuto, whichever API the job came
/// through.
StudySpec StudySpecOf(const JobSpec& job);

/// Returns the study of a job that the store holds. Submission writes the
/// chosen rule into the job, so a stored job with AsksForOurStoppingRule is
/// from an earlier release, where the same field meant the median rule; it
/// keeps that rule.
StudySpec StudySpecOfStored(const JobSpec& job);

/// Returns the metric that the search optimizes; of several, the first.
inline const MetricGoal& ObjectiveOf(const StudySpec& spec) {
  return spec.metrics.front();
}

/// True if a trial's result is more than a value of ObjectiveOf: there are
/// other metrics, or constraints.
inline bool HasOtherMetrics(const StudySpec& spec) {
  return spec.metrics.size() > 1 || !spec.constraints.empty();
}

/// Returns the metrics of which a trial needs values: the objectives, in their
/// order, and those that are only constrained.
std::vector<std::string> NeededMetrics(const StudySpec& spec);

/// Returns one line of JSON, exact; for storage.
std::string StudySpecToJson(const StudySpec& spec);

/// Reads the text that StudySpecToJson wrote. INVALID_ARGUMENT for anything
/// else.
absl::StatusOr<StudySpec> StudySpecFromJson(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_STUDY_STUDY_SPEC_H_
