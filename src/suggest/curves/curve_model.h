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
#include "suggest/curves/curve_study.h"
#include "suggest/curves/curve_transition.h"
#include "suggest/curves/final_surface.h"
#include "suggest/space/search_space_encoding.h"

namespace vernier {

/// What a curve promises, on the model's scale.
struct PredictedFinal {
  double mean = 0;
  double variance = 1;     ///< > 0; the noise of the final value included.
  std::size_t level = 0;   ///< The last one that the curve has reached.
  double value_there = 0;  ///< Of the curve, on the model's scale.
};

/// What several curves promise.
struct PredictedFinals {
  /// One entry per curve; nullopt where it has reached no level, or where the
  /// prediction is not finite.
  std::vector<std::optional<PredictedFinal>> finals;
  /// The part of the variances, and the covariances, that comes from what the
  /// model has yet to learn; 0 where there is no prediction. The rest is each
  /// training's own.
  Eigen::MatrixXd shared_covariance;
};

/// What is known of a trial by its curve and its parameters.
struct TrialOutlook {
  PredictedFinal final;
  /// By its parameters and the other trials alone; nullopt where `final` is
  /// what the curve alone says, because that predicts better, the other is not
  /// finite, or there is no model of the parameters.
  std::optional<NormalValue> before;
};

/// A joint model of a study's configurations and learning curves, made of the
/// trainings that have ended or are paused.
///
/// Curves are compared at a dozen steps, the levels, on a scale that widens the
/// differences near the best value. From each level to the next, and from the
/// last to the final value, the change is a Gaussian process: linear in the
/// change before, plus a function of the parameters, plus noise
/// (CurveTransition). A trial that was stopped teaches all changes up to there,
/// and only trials that went on teach the later ones. That is no bias, since
/// whether a trial went on depends on its curve so far, its parameters and the
/// other trials alone, which are all known to the model. The changes that
/// are still to come are chained, which is the recursive form of a Gaussian
/// process over levels (Le Gratiet and Garnier 2014, "Recursive co-kriging
/// model for design of computer experiments with multiple levels of fidelity"),
/// with the curve so far as its lowest fidelities.
///
/// Final values, those of stopped trials estimated so, are a Gaussian process
/// of the parameters (FinalSurface). What it says of a trial by its like is
/// joined with what the trial's own curve says. Where there are enough complete
/// trainings, a CurveRegression predicts better than both.
///
/// How wrong predictions are for the trials that came to their end, each left
/// out in turn, widens the variances and chooses between these ways. Not
/// thread-safe.
class CurveModel {
 public:
  /// The fewest trainings that must have come to their own end.
  static constexpr int kMinComplete = 1;

  /// Before this part of a training no curve is judged.
  static constexpr double kMinPart = 0.05;

  /// nullopt if there are too few complete trainings, if their lengths differ
  /// so much that steps cannot mean the same in all of them, or if nothing
  /// varies. Deterministic. O(m^3) for m trials, of which it uses at most 128 a
  /// level.
  static std::optional<CurveModel> Create(const CurveStudy& study,
                                          const EarlyStoppingOptions& options);

  /// What the curves alone say, as likelihoods for a model of the final values
  /// that knows their parameters. All are predicted by the same changes of the
  /// same trainings, so their errors have a part in common. O(m^2 k + m k^2)
  /// for k curves.
  PredictedFinals Predict(const std::vector<const TrialCurve*>& trials) const;

  /// nullopt while the curve has reached no level. O(m^2), but O(m^3) for the
  /// first curve at a level.
  std::optional<TrialOutlook> Judge(const TrialCurve& trial);

  const CurveScale& scale() const { return scale_; }

  /// The best final value, on the model's scale and in the user's units.
  double best() const { return best_; }
  double best_value() const { return best_value_; }

  /// What the best final value would be without its luck, on the model's scale.
  /// The best of many noisy values is one that noise has made better. So each
  /// final value is combined with its prediction from the other trials, by how
  /// noisy reports are; a trial has to beat the best of these.
  /// Without noise it is best().
  const NormalValue& best_without_luck() const { return best_without_luck_; }

  /// The standard deviation of a report at a value of the scale, on the scale.
  double NoiseAt(double scaled) const { return noise_ / scale_.Slope(scaled); }

  /// What the trial with the best final value had at a level; nullopt if it was
  /// not seen there.
  std::optional<double> BestCurveAt(std::size_t level) const;

  /// The last step of a training.
  std::int64_t last_step() const { return levels_.back(); }

  /// What part of a training the reports of a trial, of which there is one,
  /// have come to.
  double PartOf(const TrialCurve& trial) const {
    return static_cast<double>(trial.reports.back().step) /
           static_cast<double>(last_step());
  }

  std::int64_t step(std::size_t level) const { return levels_[level]; }
  int num_complete() const { return num_complete_; }

 private:
  CurveModel() = default;

  // Finds the scale and moves the lessons onto it; false if there is none.
  bool Scale(Goal goal, std::vector<CurveLesson>* lessons);

  // The final values of the lessons at `rows`: known, or estimated.
  RegressionData SurfaceData(const SearchSpaceEncoding& encoding,
                             const std::vector<CurveLesson>& lessons,
                             const std::vector<std::size_t>& rows) const;
  void MakeSurface(const SearchSpaceEncoding& encoding,
                   const std::vector<CurveLesson>& lessons,
                   const CurveErrors& errors);

  PredictedFinals Predict(const SearchSpaceEncoding& encoding,
                          const std::vector<const TrialCurve*>& trials) const;

  // What final values would be without their luck, and the best of them.
  void FindBestWithoutLuck();

  // What a curve, by levels and on the model's scale, has come to.
  LevelValues CurveOf(const TrialCurve& trial) const;

  // What the surface says of a trial without its own curve.
  NormalValue Before(const TrialCurve& trial,
                     const Eigen::RowVectorXd& input) const;

  // The regression at a level, and what it is worth.
  struct LevelRegression {
    CurveRegression regression;
    CurveCalibration calibration;
  };
  // Null where there is none, or where it is worth less than the other ways.
  const LevelRegression* RegressionAt(const SearchSpaceEncoding& encoding,
                                      std::size_t level);

  std::vector<ParameterSpec> space_;
  CurveScale scale_;
  std::vector<std::int64_t> levels_;
  std::vector<CurveTransition> transitions_;  // One per level.
  std::vector<CurveLesson> lessons_;          // On the model's scale.
  std::vector<CurveCalibration> alone_;       // Of curves: one per level.
  std::optional<FinalSurface> surface_;
  std::vector<CurveCalibration> joint_;  // With the surface: one per level.
  // By level, made when first asked for: most levels never are.
  std::map<std::size_t, std::optional<LevelRegression>> regressions_;
  std::map<std::int64_t, Eigen::Index> row_of_;  // Of trials in the surface.
  LevelValues best_curve_;                       // On the model's scale.
  double best_ = 0;
  double best_value_ = 0;
  double noise_ = 0;  // Of a report, in the user's units.
  NormalValue best_without_luck_;
  int num_complete_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_CURVE_MODEL_H_
