#ifndef VERNIER_TESTS_SUGGEST_CURVES_CURVE_EXAMPLES_H_
#define VERNIER_TESTS_SUGGEST_CURVES_CURVE_EXAMPLES_H_

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "suggest/stopping/stopping_policy.h"
#include "suggest/stopping/stopping_policy_factory.h"
#include "tests/suggest/study_examples.h"

namespace vernier {

/// The value of a training at a step, for a place in [0, 1].
using CurveFunction = std::function<double(double place, std::int64_t step)>;

inline constexpr std::int64_t kLastStep = 40;

inline Curve CurveOf(const CurveFunction& value, double place,
                     std::int64_t last, std::int64_t stride = 1) {
  Curve curve;
  for (std::int64_t step = stride; step <= last; step += stride) {
    curve.push_back({step, value(place, step)});
  }
  return curve;
}

inline TrialCurve TrialAt(std::int64_t number, double place) {
  TrialCurve trial;
  trial.trial = number;
  trial.parameters = {{"x", place}};
  return trial;
}

/// Values fall from 1 to an end that is best, 0.1, at a place of 0.7.
inline double FallingCurve(double place, std::int64_t step) {
  const double end = 0.1 + std::abs(place - 0.7);
  return end + (1.5 - end) * std::exp(-static_cast<double>(step) / 6);
}

/// `count` complete trainings, spread over the space, to be minimised.
inline CurveStudy CompleteStudy(const CurveFunction& value, int count,
                                std::int64_t last = kLastStep,
                                std::int64_t stride = 1) {
  CurveStudy study;
  study.space = {DoubleParameter("x", 0, 1)};
  study.goal = Goal::kMinimize;
  for (int i = 0; i < count; ++i) {
    TrialCurve trial = TrialAt(i + 1, std::fmod(0.618 * (i + 1), 1.0));
    trial.reports = CurveOf(value, std::get<double>(trial.parameters[0].value),
                            last, stride);
    trial.state = CurveState::kCompleted;
    trial.final_value = trial.reports.back().value;
    study.trials.push_back(std::move(trial));
  }
  return study;
}

/// Adds a running trial that has reached `step`; its number is the last one.
inline void AddRunning(const CurveFunction& value, double place,
                       std::int64_t step, CurveStudy* study,
                       std::int64_t stride = 1) {
  TrialCurve trial = TrialAt(std::ssize(study->trials) + 1, place);
  trial.reports = CurveOf(value, place, step, stride);
  study->trials.push_back(std::move(trial));
}

/// Adds a complete training.
inline void AddComplete(const CurveFunction& value, double place,
                        CurveStudy* study) {
  AddRunning(value, place, kLastStep, study);
  TrialCurve& trial = study->trials.back();
  trial.state = CurveState::kCompleted;
  trial.final_value = trial.reports.back().value;
}

/// Returns the rule's verdict on the last trial; nullopt if it should continue.
inline std::optional<StoppingVerdict> VerdictOfLast(
    StoppingRule rule, const CurveStudy& study,
    const EarlyStoppingOptions& options = {}, int free_slots = 0) {
  for (const StoppingVerdict& verdict :
       MakeStoppingPolicy(rule, options)->Judge(study, free_slots)) {
    if (verdict.trial == study.trials.back().trial) return verdict;
  }
  return std::nullopt;
}

/// Returns the step at which the rule stops a training at `place`; 0 if it does
/// not.
inline std::int64_t StoppedAt(StoppingRule rule, const CurveStudy& study,
                              const CurveFunction& value, double place,
                              std::int64_t last = kLastStep,
                              std::int64_t stride = 1) {
  const auto policy = MakeStoppingPolicy(rule, {});
  for (std::int64_t step = stride; step < last; step += stride) {
    CurveStudy now = study;
    AddRunning(value, place, step, &now, stride);
    if (!policy->Judge(now, 0).empty()) return step;
  }
  return 0;
}

}  // namespace vernier

#endif  // VERNIER_TESTS_SUGGEST_CURVES_CURVE_EXAMPLES_H_
