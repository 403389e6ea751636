#ifndef VERNIER_TRIALS_ASK_TELL_STUDY_H_
#define VERNIER_TRIALS_ASK_TELL_STUDY_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "store/store.h"
#include "study/study_spec.h"
#include "suggest/algorithms/suggester.h"
#include "suggest/curves/curve_model_cache.h"
#include "suggest/curves/curve_sample.h"
#include "suggest/insights/insights.h"
#include "suggest/space/prior_study.h"
#include "suggest/stopping/stopping_policy.h"
#include "trials/engine/result_models.h"
#include "trials/results/front.h"
#include "trials/results/point_means.h"

namespace vernier {

/// The outcome of a trial.
struct TrialOutcome {
  /// nullopt for an infeasible or stopped trial. A trial with a value that is
  /// not finite is infeasible, too.
  std::optional<double> objective;
  std::optional<double> variance;  ///< Of its noise; >= 0, finite.
  std::optional<double> duration = std::nullopt;  ///< In seconds; finite, > 0.
  /// The trial's last report stands for its value.
  bool is_stopped_early = false;
  /// The other values of a study of several metrics or with constraints, by
  /// name. One that is not finite makes the trial infeasible.
  std::vector<MetricValue> others = {};
};

/// A study in memory whose trials the caller runs, without a store or a
/// service. Its suggester gets the same view as for a study in the store
/// (MakeStudyView), but its errors go to the caller: nothing replaces a model
/// that cannot be fitted.
///
/// A trial is pending from Ask until Tell has its outcome, it is abandoned, or
/// its lease ends. While pending, it keeps suggestions away from its point. An
/// outcome may still be told after a trial was abandoned or its lease has
/// ended. Not thread-safe.
class AskTellStudy {
 public:
  /// The time for which a trial stays pending without an outcome.
  struct Lease {
    std::chrono::microseconds length;  ///< > 0.
    const Clock* clock;                ///< Must outlive the study.
  };

  /// Returns INVALID_ARGUMENT, naming the constraints, if they leave nothing of
  /// the search space; see CheckNotEmpty.
  static absl::Status CheckSpace(const StudySpec& spec);

  /// `spec` must be valid, and so must its space. Without a lease trials are
  /// pending forever, and no clock is read. If `suggester` is null, it is made
  /// for the spec's algorithm.
  AskTellStudy(StudySpec spec, std::uint64_t seed,
               std::optional<Lease> lease = std::nullopt,
               std::unique_ptr<Suggester> suggester = nullptr);

  /// Lets suggestions learn from earlier studies.
  void SetPriors(std::shared_ptr<const std::vector<PriorStudy>> priors);

  /// Sets the part of a time budget that is left, in [0, 1], until the next
  /// call. Later suggestions spend it like those of a job with limits.maxTime
  /// (StudyView::cost_weight). No effect with StudySpec::is_per_cost.
  void SetTimeBudgetLeft(double part);

  /// Suggests 1 to `count` trials, pending from then on. Their ids follow those
  /// of all earlier trials. Errors: those of Suggester::Suggest; the study is
  /// unchanged then.
  absl::StatusOr<std::vector<std::shared_ptr<const TrialRecord>>> Ask(
      int count);

  /// The most points that Prepare chooses in advance.
  static constexpr int kMostAhead = 16;

  /// Chooses one of the points of the next Ask in advance, assuming that it
  /// asks for as many as the last one. That Ask is then faster, unless an
  /// outcome comes first. Returns whether there is another point to choose. It
  /// changes no answer of Ask.
  bool Prepare();

  /// Takes a value that a trial reported during its training, and returns why
  /// the trial should be stopped, by the spec's stopping rule; empty if it
  /// should continue. Reports teach the suggester once the trial was stopped. A
  /// later value for a step replaces the earlier one. A value that is not
  /// finite makes the trial infeasible if it is stopped before it has reported
  /// another one.
  ///
  /// NOT_FOUND: no such trial. FAILED_PRECONDITION: it has its outcome.
  absl::StatusOr<std::string> Report(TrialId id, std::int64_t step,
                                     double value);

  /// NOT_FOUND: no such trial. FAILED_PRECONDITION: it has its outcome, or is
  /// to be stopped early without having reported. INVALID_ARGUMENT: variance or
  /// duration are no such.
  absl::Status Tell(TrialId id, const TrialOutcome& outcome);

  /// Ends the lease of a trial that was lost. No effect the second time.
  /// NOT_FOUND: no such trial. FAILED_PRECONDITION: it has its outcome.
  absl::Status Abandon(TrialId id);

  /// Adds a trial that was run elsewhere. INVALID_ARGUMENT if it does not fit
  /// the space or meet its constraints, and as Tell.
  absl::StatusOr<TrialId> Add(Parameters parameters,
                              const TrialOutcome& outcome);

  /// Adds a point that `source` thinks worth a trial. An Ask hands it out, with
  /// the source in its record, if the source is trusted by what its points came
  /// to so far (ProposalSuggester); until then it waits. INVALID_ARGUMENT if it
  /// does not fit the space or meet its constraints, if the source has no name,
  /// a long one or one that is not text, or if the algorithm is not the
  /// default; RESOURCE_EXHAUSTED if kMostProposedPoints wait.
  absl::Status Propose(std::string source, Parameters parameters);

  /// Returns the trial; valid until it changes. NOT_FOUND: no such trial.
  absl::StatusOr<const TrialRecord*> Find(TrialId id) const;

  struct Best {
    const TrialRecord* seen;               ///< Best objective; first of ties.
    const TrialRecord* recommended;        ///< Suggester::Recommend.
    std::optional<Prediction> prediction;  ///< Of `recommended`.
    /// The results at the points of `seen` and of `recommended`, if the study
    /// repeats points.
    std::optional<PointMean> seen_point;
    std::optional<PointMean> recommended_point;
  };

  /// Returns the best trials; nullopt while no trial is feasible and meets the
  /// constraints. Errors: those of Suggester::Recommend.
  absl::StatusOr<std::optional<Best>> FindBest() const;

  /// Returns the front, which takes the place of the best trial in a study of
  /// several metrics; nullopt while no trial has all values and meets the
  /// constraints.
  std::optional<Front> FindFront() const;

  /// Returns what the results say about the search space, of the metric at this
  /// position in the spec. Errors: those of ResultModels::Examine.
  ResultModels::InsightsAnswer Examine(const InsightsRequest& request,
                                       std::size_t metric);

  const StudySpec& spec() const { return *study_.spec; }
  /// The trials so far; see study_ for what is set.
  const StudySnapshot& snapshot() const { return study_; }

 private:
  // The reports of a trial, and the sample of them that rules see.
  class ReportedCurve {
   public:
    explicit ReportedCurve(Goal goal) : goal_(goal), sample_(goal) {}

    void Add(const CurvePoint& point);
    const CurveSample& sample() const { return sample_; }

   private:
    Goal goal_;
    std::map<std::int64_t, double> reports_;  // By step.
    CurveSample sample_;
  };

  // Returns the view with what curves teach. `copy` holds it if they do.
  const StudyView& Taught(std::optional<StudyView>* copy) const;
  absl::StatusOr<std::vector<Suggestion>> Choose(int count) const;
  void UpdateCurve(TrialId id);
  void EndTrial(TrialId id, const TrialOutcome* outcome);  // Null: lost.
  std::optional<double> NotFinite(TrialId id,
                                  const TrialOutcome& outcome) const;
  void EndLeases();
  void ForgetAhead();
  absl::Status ChooseAhead(int count);

  const std::optional<Lease> lease_;
  const std::unique_ptr<Suggester> suggester_;
  // Only spec, seed, trials and open trials of the snapshot are set, and the
  // end of a trial is its position among the ends, not a time.
  StudySnapshot study_;
  // The trials that Ask will hand out next. Whatever changes the view drops
  // them; handing them out does not change it.
  std::deque<std::shared_ptr<const TrialRecord>> ahead_;
  // Of `study_`, followed by the points of `ahead_` as pending ones, and
  // without what curves teach. It is kept, because making it would take as long
  // as there are trials.
  StudyView view_;
  bool has_nothing_ahead_ = false;  // More cannot be chosen.
  int last_count_ = 1;
  std::int64_t num_ends_ = 0;
  std::map<TrialId, ReportedCurve> reports_;  // Finite ones.
  // The newest report, if not finite.
  std::map<TrialId, double> not_finite_last_;
  CurveStudy curves_;                              // Of those in `reports_`.
  const std::shared_ptr<CurveModelCache> models_;  // Of those that have ended.
  const std::unique_ptr<StoppingPolicy> policy_;   // Null: no rule.
  ResultModels insights_;  // Apart from the suggester, as in the service.
  std::deque<std::pair<TrialId, SteadyTime>> leases_;  // By trial, since when.
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_ASK_TELL_STUDY_H_
