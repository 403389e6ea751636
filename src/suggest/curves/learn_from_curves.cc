#include "suggest/curves/learn_from_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "suggest/curves/curve_model.h"
#include "suggest/curves/shared_errors.h"

namespace vernier {
namespace {

// A lower bound, because steps may begin at 0.
constexpr double kLeastStoppedPart = 1e-3;

// The share of a variance that stays the trial's own in spite of rounding.
constexpr double kMinOwnPart = 1e-6;

// Shared errors are computed among this many of the newest estimates.
constexpr std::size_t kMostTogether = 256;

// Converts to the user's units, to first order around the mean.
std::optional<FinalEstimate> InUserUnits(const CurveModel& model,
                                         const PredictedFinal& final,
                                         const Eigen::RowVectorXd& shared) {
  const double slope = model.scale().Slope(final.mean);
  FinalEstimate estimate;
  estimate.mean = model.scale().ToValue(final.mean);
  const double own = std::max(final.variance - shared.squaredNorm(),
                              kMinOwnPart * final.variance);
  estimate.variance = own * slope * slope;
  if (!std::isfinite(estimate.mean) || !std::isfinite(estimate.variance) ||
      !(estimate.variance > 0)) {
    return std::nullopt;
  }
  for (const double part : shared) {
    estimate.shared_errors.push_back(part * slope);
  }
  return estimate;
}

// Stores the estimate in the observation of the trial; false if there is none.
bool SetEstimate(std::int64_t trial, std::size_t metric,
                 const FinalEstimate& estimate, StudyView* view) {
  const auto found = std::find_if(
      view->completed.begin(), view->completed.end(),
      [&](const Observation& observation) {
        return observation.is_stopped_early && observation.trial == trial;
      });
  if (found == view->completed.end()) return false;
  if (metric == 0) {
    found->estimate = estimate;
  } else {
    found->other_estimates.resize(view->metrics.size());
    found->other_estimates[metric] = estimate;
  }
  return true;
}

bool IsCutShort(const TrialCurve& trial) {
  return !trial.reports.empty() && (trial.state == CurveState::kStoppedEarly ||
                                    trial.state == CurveState::kPaused);
}

bool TeachesAsYet(const CurveModel& model, const TrialCurve& trial) {
  return IsCutShort(trial) && (trial.state == CurveState::kStoppedEarly ||
                               model.PartOf(trial) >= CurveModel::kMinPart);
}

void AddEstimate(const TrialCurve& trial, std::size_t metric,
                 const FinalEstimate& estimate, StudyView* view) {
  if (SetEstimate(trial.trial, metric, estimate, view)) return;
  // A trial that is paused gets its observation with its first metric.
  if (trial.state == CurveState::kStoppedEarly || metric > 0) return;
  Observation observation;
  observation.trial = trial.trial;
  observation.parameters = trial.parameters;
  observation.objective = trial.reports.back().value;
  if (!view->metrics.empty()) {
    observation.values.resize(view->metrics.size());
    observation.values[0] = observation.objective;
    observation.slacks.resize(view->num_constraints);
  }
  observation.is_stopped_early = true;
  observation.estimate = estimate;
  view->completed.push_back(std::move(observation));
  // The trial does not run, and it now counts by its estimate.
  const auto pending =
      std::find(view->pending.begin(), view->pending.end(), trial.parameters);
  if (pending != view->pending.end()) view->pending.erase(pending);
}

// Returns the fraction of a training after which a trial that is far behind is
// given up. It is the lower quartile: trials that come close to the best are
// stopped later, and only the others are cheap. At least one trial must have
// been cut short.
double StoppedPart(const CurveModel& model, const CurveStudy& curves) {
  std::vector<double> parts;
  for (const TrialCurve& trial : curves.trials) {
    if (IsCutShort(trial)) parts.push_back(model.PartOf(trial));
  }
  const auto quartile =
      parts.begin() + static_cast<std::ptrdiff_t>(parts.size() / 4);
  std::nth_element(parts.begin(), quartile, parts.end());
  return std::clamp(*quartile, kLeastStoppedPart, 1.0);
}

// `shared` has a row for each trial.
void AddEstimates(const CurveModel& model, std::size_t metric,
                  const std::vector<const TrialCurve*>& trials,
                  const PredictedFinals& predicted,
                  const Eigen::MatrixXd& shared, StudyView* view) {
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (!predicted.finals[i].has_value()) continue;
    const std::optional<FinalEstimate> estimate = InUserUnits(
        model, *predicted.finals[i], shared.row(static_cast<Eigen::Index>(i)));
    if (estimate.has_value()) AddEstimate(*trials[i], metric, *estimate, view);
  }
}

}  // namespace

void LearnFromCurves(const CurveStudy& curves, CurveModelCache* models,
                     StudyView* view, std::size_t metric) {
  if (std::none_of(curves.trials.begin(), curves.trials.end(), &IsCutShort)) {
    return;
  }
  const CurveModel* const model = models->Get(curves);
  if (model == nullptr) return;
  // That of the first metric, or of the next one that has a model.
  if (metric == 0 || view->stopped_part == 1) {
    view->stopped_part = StoppedPart(*model, curves);
  }
  std::vector<const TrialCurve*> trials;
  for (const TrialCurve& trial : curves.trials) {
    if (TeachesAsYet(*model, trial)) trials.push_back(&trial);
  }
  // The errors of older estimates count as independent of one another.
  const auto middle = trials.end() - static_cast<std::ptrdiff_t>(std::min(
                                         trials.size(), kMostTogether));
  for (auto first = trials.begin(); first != middle;) {
    const auto last =
        first +
        std::min(middle - first, static_cast<std::ptrdiff_t>(kMostTogether));
    const std::vector<const TrialCurve*> some(first, last);
    AddEstimates(*model, metric, some, model->Predict(some),
                 Eigen::MatrixXd(std::ssize(some), 0), view);
    first = last;
  }
  const std::vector<const TrialCurve*> newest(middle, trials.end());
  const PredictedFinals predicted = model->Predict(newest);
  AddEstimates(*model, metric, newest, predicted,
               SharedErrors(predicted.shared_covariance), view);
}

}  // namespace vernier
