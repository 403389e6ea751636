#ifndef VERNIER_SUGGEST_CURVES_CURVE_MODEL_H_
#define VERNIER_SUGGEST_CURVES_CURVE_MODEL_H_

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "study/early_stopping.h"
#include "suggest/curves/curve_errors.h"
#include "suggest/curves/curve_lessons.h"
#include "suggest/curves/curve_levels.h"
#include "suggest/curves/curve_regression.h"
#include "suggest/curves/curve_scale.h"
#include "suggest/curves/curve_stalls.h"
#include "suggest/curves/curve_study.h"
#include "suggest/curves/curve_transition.h"
#include "suggest/curves/final_surface.h"
#include "suggest/space/search_space_encoding.h"

namespace vernier {

/// The prediction of a curve's final value, on the model's scale.
struct PredictedFinal {
  double mean = 0;
  double variance = 1;     ///< > 0; the noise of the final value included.
  std::size_t level = 0;   ///< The last level that the curve has reached.
  double value_there = 0;  ///< At that level, on the model's scale.
  double stays = 0;  ///< The probability that it stays there (CurveStalls).
};

/// The predictions of several curves' final values.
struct PredictedFinals {
  /// One entry per curve; nullopt where it has reached no level, or where the
  /// prediction is not finite.
  std::vector<std::optional<PredictedFinal>> finals;
  /// The part of the variances, and the covariances, that comes from the
  /// model's own uncertainty; 0 where there is no prediction. The rest is
  /// independent for each training.
  Eigen::MatrixXd shared_covariance;
};

/// The prediction for a trial from its curve and its parameters.
struct TrialOutlook {
  PredictedFinal final;
  /// The prediction from its parameters and the other trials alone. nullopt if
  /// `final` uses only the curve, because that predicts better, the other
  /// prediction is not finite, or there is no model of the parameters.
  std::optional<NormalValue> before;
};

/// A joint model of a study's configurations and learning curves, learned from
/// the trainings that have ended or are paused.
///
/// Curves are compared at a dozen steps, the levels, on a scale that widens the
/// differences near the best value. From each level to the next, and from the
/// last to the final value, the change is a Gaussian process: linear in the
/// change before, plus a function of the parameters, plus noise
/// (CurveTransition). A trial that was stopped teaches all changes up to there,
/// and only trials that continued teach the later ones. That is no bias, since
/// the decision to continue depends only on the trial's curve so far, its
/// parameters and the other trials, which are all known to the model. The
/// changes that are still to come are chained, which is the recursive form of a
/// Gaussian process over levels (Le Gratiet and Garnier 2014, "Recursive
/// co-kriging model for design of computer experiments with multiple levels of
/// fidelity"), with the curve so far as its lowest fidelities. A training that
/// has not begun to learn may also stay where it is (CurveStalls), and its
/// estimate is a mixture of both.
///
/// Final values, which are estimated in this way for stopped trials, are a
/// Gaussian process of the parameters (FinalSurface). Its prediction for a
/// trial from similar trials is combined with the prediction from the trial's
/// own curve. If there are enough complete trainings, a CurveRegression
/// predicts better than both.
///
/// The errors of these predictions for the trials that came to their end, each
/// left out in turn, widen the variances and decide which of these ways is
/// used. Not thread-safe.
class CurveModel {
 public:
  /// The fewest trainings that must have come to their own end.
  static constexpr int kMinComplete = 1;

  /// No curve is judged before this fraction of a training.
  static constexpr double kMinPart = 0.05;

  /// nullopt if there are too few complete trainings, if their lengths differ
  /// so much that steps cannot mean the same in all of them, or if nothing
  /// varies. Deterministic. O(m^3) for m trials, of which it uses at most 128 a
  /// level.
  static std::optional<CurveModel> Create(const CurveStudy& study,
                                          const EarlyStoppingOptions& options);

  /// Returns the predictions of the curves alone, as likelihoods for a model of
  /// the final values that knows their parameters. All are predicted from the
  /// same changes of the same trainings, so their errors have a part in common.
  /// Only these estimates, and not those of Judge, count with stalls:
  /// verdicts by them were no better (bench/duel/RESULTS.md). O(m^2 k + m k^2)
  /// for k curves.
  PredictedFinals Predict(const std::vector<const TrialCurve*>& trials) const;

  /// Returns nullopt while the curve has reached no level. O(m^2), but O(m^3)
  /// for the first curve at a level.
  std::optional<TrialOutlook> Judge(const TrialCurve& trial);

  const CurveScale& scale() const { return scale_; }

  /// Returns the prediction for a trial that has not reported anything yet, on
  /// the model's scale; nullopt if there is no model of the parameters.
  std::optional<NormalValue> Foresee(const Parameters& parameters) const;

  /// Returns whether a training that breaks no constraint has come to its end.
  /// Without one, what follows means nothing.
  bool has_best() const { return has_best_; }
  /// The best final value, on the model's scale and in the user's units.
  double best() const { return best_; }
  double best_value() const { return best_value_; }

  /// The best final value corrected for its luck, on the model's scale. The
  /// best of many noisy values is usually one that noise has made better. So
  /// each final value is combined with its prediction from the other trials,
  /// weighted by the noise of reports; a trial has to beat the best of these
  /// combinations. Without noise it is best().
  const NormalValue& best_without_luck() const { return best_without_luck_; }

  /// Returns the standard deviation of a report at a value of the scale, on the
  /// scale.
  double NoiseAt(double scaled) const { return noise_ / scale_.Slope(scaled); }

  /// Returns the value that the trial with the best final value had at a level;
  /// nullopt if it was not seen there.
  std::optional<double> BestCurveAt(std::size_t level) const;

  /// The last step of a training.
  std::int64_t last_step() const { return levels_.back(); }

  /// Returns the fraction of a training that a trial has completed, by its last
  /// report. It must have one.
  double PartOf(const TrialCurve& trial) const {
    return static_cast<double>(trial.reports.back().step) /
           static_cast<double>(last_step());
  }

  std::int64_t step(std::size_t level) const { return levels_[level]; }
  int num_complete() const { return num_complete_; }

 private:
  CurveModel() = default;

  // Finds the scale and maps the lessons onto it; false if there is none.
  bool Scale(Goal goal, std::vector<CurveLesson>* lessons);

  // Returns the final values of the lessons at `rows`: known, or estimated.
  RegressionData SurfaceData(const SearchSpaceEncoding& encoding,
                             const std::vector<CurveLesson>& lessons,
                             const std::vector<std::size_t>& rows) const;
  void MakeSurface(const SearchSpaceEncoding& encoding,
                   const std::vector<CurveLesson>& lessons,
                   const CurveErrors& errors);

  // Returns the predictions by the transitions alone.
  PredictedFinals PredictChanges(
      const SearchSpaceEncoding& encoding,
      const std::vector<const TrialCurve*>& trials) const;

  // Corrects the final values for their luck, and keeps the best of them.
  void FindBestWithoutLuck();

  // Returns the trial's curve, by levels and on the model's scale.
  LevelValues CurveOf(const TrialCurve& trial) const;

  // Returns the surface's prediction for a trial without its own curve.
  NormalValue Before(const TrialCurve& trial,
                     const Eigen::RowVectorXd& input) const;

  // The regression at a level, with its accuracy.
  struct LevelRegression {
    CurveRegression regression;
    CurveCalibration calibration;
  };
  // Returns null if there is none, or if it is less accurate than the other
  // ways.
  const LevelRegression* RegressionAt(const SearchSpaceEncoding& encoding,
                                      std::size_t level);

  std::vector<ParameterSpec> space_;
  CurveScale scale_;
  std::vector<std::int64_t> levels_;
  std::vector<CurveTransition> transitions_;  // One per level.
  CurveStalls stalls_;
  std::vector<CurveLesson> lessons_;     // On the model's scale.
  std::vector<CurveCalibration> alone_;  // Of curves: one per level.
  std::optional<FinalSurface> surface_;
  std::vector<CurveCalibration> joint_;  // With the surface: one per level.
  // By level, made when first needed: most levels never are.
  std::map<std::size_t, std::optional<LevelRegression>> regressions_;
  std::map<std::int64_t, Eigen::Index> row_of_;  // Of trials in the surface.
  LevelValues best_curve_;                       // On the model's scale.
  bool has_best_ = false;
  double best_ = 0;
  double best_value_ = 0;
  double noise_ = 0;  // Of a report, in the user's units.
  NormalValue best_without_luck_;
  int num_complete_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_CURVE_MODEL_H_
