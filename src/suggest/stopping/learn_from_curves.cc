#include "suggest/stopping/learn_from_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "suggest/stopping/curve_model.h"

namespace vernier {
namespace {

// A running trial teaches from this part of a training on.
constexpr double kMinPart = 0.1;

// In the user's units, to first order around the mean.
std::optional<FinalEstimate> InUserUnits(const CurveModel& model,
                                         const PredictedFinal& final) {
  const double slope = model.scale().Slope(final.mean);
  const FinalEstimate estimate{model.scale().ToValue(final.mean),
                               final.variance * slope * slope};
  if (!std::isfinite(estimate.mean) || !std::isfinite(estimate.variance) ||
      !(estimate.variance > 0)) {
    return std::nullopt;
  }
  return estimate;
}

void SetEstimate(const TrialCurve& trial, const FinalEstimate& estimate,
                 StudyView* view) {
  const auto found =
      std::find_if(view->completed.begin(), view->completed.end(),
                   [&](const Observation& observation) {
                     return observation.is_stopped_early &&
                            !observation.estimate.has_value() &&
                            observation.parameters == trial.parameters;
                   });
  if (found != view->completed.end()) found->estimate = estimate;
}

}  // namespace

void LearnFromCurves(const CurveStudy& curves, StudyView* view) {
  const bool has_other = std::any_of(
      curves.trials.begin(), curves.trials.end(), [](const TrialCurve& trial) {
        return trial.state != CurveState::kCompleted && !trial.reports.empty();
      });
  if (!has_other) return;
  const std::optional<CurveModel> model = CurveModel::Create(curves, {});
  if (!model.has_value()) return;
  for (const TrialCurve& trial : curves.trials) {
    if (trial.state == CurveState::kCompleted || trial.reports.empty())
      continue;
    const std::optional<PredictedFinal> predicted = model->Predict(trial);
    if (!predicted.has_value()) continue;
    const std::optional<FinalEstimate> estimate =
        InUserUnits(*model, *predicted);
    if (!estimate.has_value()) continue;
    if (trial.state == CurveState::kStoppedEarly) {
      SetEstimate(trial, *estimate, view);
      continue;
    }
    if (static_cast<double>(trial.reports.back().step) <
        kMinPart * static_cast<double>(model->last_step())) {
      continue;
    }
    Observation observation;
    observation.parameters = trial.parameters;
    observation.objective = trial.reports.back().value;
    observation.is_stopped_early = true;
    observation.estimate = *estimate;
    view->completed.push_back(std::move(observation));
  }
}

}  // namespace vernier
