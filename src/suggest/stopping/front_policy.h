#ifndef VERNIER_SUGGEST_STOPPING_FRONT_POLICY_H_
#define VERNIER_SUGGEST_STOPPING_FRONT_POLICY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "study/early_stopping.h"
#include "suggest/curves/curve_model_cache.h"
#include "suggest/curves/final_surface.h"
#include "suggest/stopping/metrics_policy.h"

namespace vernier {

/// Stops a trial of a study of several metrics if it enters the front with less
/// than a stated probability: DecayCurvePolicy, with the front in the place of
/// the best.
///
/// The final value of each metric is predicted by itself: from the trial's
/// curve, its parameters and the other trials (CurveModel), or, for a metric
/// that is only reported at the end, from its parameters and the other trials
/// (FinalSurface). The probability that no trial of the front is at least as
/// good in all metrics is the sum over the boxes that the front leaves free
/// (FreeBoxes), with the metrics' errors as independent. The worth of a step is
/// that probability divided by the number of steps to the end, relative to the
/// same for a new trial that promises what this one did before its first
/// report.
///
/// The guards of DecayCurvePolicy hold for every metric with a curve: one in
/// which the trial keeps up with the best, or has been as good as the best
/// final value, keeps it. Without a prediction of some metric, and while no
/// complete trial meets the constraints, nothing is stopped.
class FrontPolicy final : public MetricsPolicy {
 public:
  /// `models` are the metrics', made for the same options; other callers may
  /// use them between calls. None is null.
  FrontPolicy(const EarlyStoppingOptions& options,
              std::vector<std::shared_ptr<CurveModelCache>> models)
      : options_(options), models_(std::move(models)), ends_(models_.size()) {}

  std::vector<StoppingVerdict> Judge(const std::vector<MetricCurves>& metrics,
                                     int free_slots) override;

 private:
  // The prediction of a metric without curves, and what it was made of.
  struct EndModel {
    std::vector<std::pair<std::int64_t, double>> finals;  // By trial.
    std::optional<FinalSurface> surface;
  };

  // Returns the prediction from the final values of `study`; null if there is
  // none.
  const FinalSurface* EndModelOf(const CurveStudy& study, EndModel* kept) const;

  const EarlyStoppingOptions options_;
  const std::vector<std::shared_ptr<CurveModelCache>> models_;
  std::vector<EndModel> ends_;  // One per metric.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STOPPING_FRONT_POLICY_H_
