#ifndef VERNIER_SUGGEST_SPACE_STUDY_VIEW_H_
#define VERNIER_SUGGEST_SPACE_STUDY_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "study/belief.h"
#include "study/job_spec.h"
#include "study/parameter.h"
#include "study/parameter_constraint.h"
#include "study/repeats.h"
#include "suggest/space/prior_study.h"

namespace vernier {

/// The predicted final value of a training that has not come to its own end.
///
/// The estimates of similar trials have correlated errors, since they were
/// learned from the same finished trainings. The covariance of two estimates'
/// errors is the product of their `shared_errors`.
struct FinalEstimate {
  double mean = 0;      ///< In the user's own sign; finite.
  double variance = 0;  ///< Of the error that is this trial's own; > 0.
  /// The effect here of one standard deviation of each common cause of error,
  /// in the objective's units; as many in all estimates of a view, or none.
  std::vector<double> shared_errors = {};

  friend bool operator==(const FinalEstimate&, const FinalEstimate&) = default;
};

/// The aim of a study of several metrics for one of them.
struct MetricAim {
  Goal goal = Goal::kMaximize;
  /// The worst value that is still useful, in the user's own sign; finite.
  /// Unset: it is derived from the results.
  std::optional<double> reference = std::nullopt;
};

/// Two bounds on one metric, whose slacks are neighbours: the first says by how
/// much a value lies above the lower bound, and the second by how much below
/// the upper one.
struct SlackBand {
  std::size_t first = 0;  ///< The position of the lower bound's slack.
  double width = 0;       ///< Of what lies between the bounds; >= 0, finite.
};

/// A trial whose end is information about its parameters.
struct Observation {
  Parameters parameters;
  /// The final value in the user's own sign; nullopt: infeasible. Finite.
  std::optional<double> objective;
  /// In a study of several metrics: the final values of all, parallel to
  /// StudyView::metrics, the first of them `objective`. Finite; unset: the
  /// trial lacks it. Empty if the trial is infeasible.
  std::vector<std::optional<double>> values = {};
  /// The margin by which the trial meets each bound, in the user's own units,
  /// as many as StudyView::num_constraints; negative: it does not.
  /// Finite; unset: not known. Empty if the trial is infeasible.
  std::vector<std::optional<double>> slacks = {};
  /// `objective` is the last value of a training that was cut short.
  bool is_stopped_early = false;
  /// The variance of the noise in `objective`, in its squared units; unset:
  /// unknown. >= 0.
  std::optional<double> variance = std::nullopt;
  /// The duration of the trial in seconds; unset: unknown. > 0.
  std::optional<double> duration = std::nullopt;
  /// The merit below which differences hardly count, after this result and
  /// those before it, if that is below the median (WithLeastUseful). Unset: the
  /// median.
  std::optional<double> least_useful = std::nullopt;
  /// The estimate of the final value that the training would have reached. Set
  /// by LearnFromCurves, and only with `is_stopped_early`.
  std::optional<FinalEstimate> estimate = std::nullopt;
  /// The same for the other metrics of a study of several, parallel to
  /// StudyView::metrics; the first is unused. Empty: there are none.
  std::vector<std::optional<FinalEstimate>> other_estimates = {};
  /// The number of the trial in the study; 0: it is of another study.
  std::int64_t trial = 0;
  /// Who proposed the parameters (Proposal::source); empty: nobody did.
  std::string source = {};
};

/// A point that somebody outside of the engine thinks worth a trial.
struct Proposal {
  std::string source;     ///< The name of who proposed it; not empty.
  Parameters parameters;  ///< Of the space, within its constraints.
};

/// Returns the final value with its sign changed, if necessary, so that larger
/// is better. nullopt if it is infeasible or of a training that was stopped
/// early.
std::optional<double> FullObjective(const Observation& observation, Goal goal);

/// True if the observation is known to meet all constraints.
bool MeetsConstraints(const Observation& observation);

/// A read-only snapshot of a study, with all that a suggester may know about
/// it. Trials whose end is no information about their parameters, and which may
/// be tried again (lost machines, cancelled jobs), are in no list.
struct StudyView {
  std::vector<ParameterSpec> space;  ///< >= 1 parameter, validated.
  /// Constraints on the values of a suggestion together; read for `space`.
  /// Observations need not meet them.
  std::vector<ParameterConstraint> parameter_constraints = {};
  Goal goal = Goal::kMaximize;
  /// All metrics of a study with several metrics, or with constraints; the
  /// first has `goal`. Empty: there is one metric, without constraints.
  std::vector<MetricAim> metrics = {};
  /// The number of bounds on trials' results. With any, `metrics` is not empty.
  std::size_t num_constraints = 0;
  /// Those of the bounds that are pairs, ascending.
  std::vector<SlackBand> bands = {};
  /// With ViewOfBand: half the width of the band; unset otherwise. >= 0.
  std::optional<double> half_band = std::nullopt;
  std::uint64_t seed = 0;
  /// Observations of an earlier study that this one resumes, then this study's
  /// own, in the order in which they became known.
  std::vector<Observation> completed;
  std::vector<Parameters> pending;  ///< Requested, active or stopping.
  /// Trials that taught nothing and must not be tried again, because a user has
  /// stopped them.
  std::vector<Parameters> given_up;
  /// Points that are tried if their sources are trusted (ProposalSuggester), in
  /// the order in which they came.
  std::vector<Proposal> proposals = {};
  /// The sources of those of `pending` that were proposed, in any order.
  std::vector<std::string> pending_sources = {};
  /// Of `trials_created`, those whose points were proposed.
  std::int64_t trials_proposed = 0;
  /// Number of trials ever created in this study. The k-th point returned is
  /// for trial `trials_created + k` (k from 1); random streams and sequence
  /// positions depend on that number, never on how calls were grouped.
  std::int64_t trials_created = 0;
  /// Earlier studies of the same kind, of which nobody knows whether they tell
  /// the truth about this one; null: there are none. They change suggestions of
  /// one metric only.
  std::shared_ptr<const std::vector<PriorStudy>> priors = nullptr;
  /// What the user believes about the best values of parameters.
  std::vector<Belief> beliefs = {};
  /// As StudySpec::repeats. If there are any, equal parameters are one point,
  /// whose value is the mean of its results.
  Repeats repeats = {};
  /// The weight of the durations in `completed`, in [0, 1]: the search
  /// maximizes the gain divided by the expected duration to this power.
  double cost_weight = 0;
  /// The fraction of a whole training after which a stopping rule gives up a
  /// trial that is far behind; in (0, 1]. 1: none is given up. Set by
  /// LearnFromCurves.
  double stopped_part = 1;
};

/// Returns the number of results of points that nobody proposed. O(1) where
/// nobody ever proposed one.
std::size_t NumOwnResults(const StudyView& view);

/// Returns the value that a model of a metric of a study of several learns
/// from; nullopt: there is none, or the trial is infeasible.
std::optional<double> ValueOfMetric(const Observation& observation,
                                    std::size_t metric);

/// True if ViewOfMetric keeps the observation.
bool SaysSomethingOf(const Observation& observation, std::size_t metric);

/// Returns `view` as a study of its `metric`-th metric alone. Trials that lack
/// it are left out, and so are those that were stopped early unless the metric
/// is the first, since their last values say nothing about the others.
/// Infeasible ones stay.
StudyView ViewOfMetric(const StudyView& view, std::size_t metric);

/// Returns `view` as a study of its `constraint`-th slack alone, which is
/// maximized.
StudyView ViewOfSlack(const StudyView& view, std::size_t constraint);

/// Returns `view` as a study of the metric that one of its bands is about: of
/// its distance from the middle of the band, upwards. Its `half_band` is set.
StudyView ViewOfBand(const StudyView& view, const SlackBand& band);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_STUDY_VIEW_H_
