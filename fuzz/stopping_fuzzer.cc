// Makes random studies of hostile curves. Every stopping rule gives valid
// advice with a reason, the same each time it is asked, and what a model learns
// from the curves is finite.

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "suggest/curves/curve_model_cache.h"
#include "suggest/curves/curve_sample.h"
#include "suggest/curves/learn_from_curves.h"
#include "suggest/curves/training_length.h"
#include "suggest/stopping/stopping_policy.h"
#include "suggest/stopping/stopping_policy_factory.h"

namespace vernier {
namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

double TakeValue(FuzzedDataProvider& data) {
  const double value = data.ConsumeBool()
                           ? data.ConsumeFloatingPoint<double>()
                           : data.ConsumeFloatingPointInRange<double>(-2, 2);
  return std::isfinite(value) ? value : 0;
}

TrialCurve TakeTrial(FuzzedDataProvider& data, std::int64_t number, Goal goal) {
  TrialCurve trial;
  trial.trial = number;
  trial.parameters = {{"x", data.ConsumeFloatingPointInRange<double>(0, 1)}};
  trial.state = static_cast<CurveState>(data.ConsumeIntegralInRange(1, 4));
  CurveSample sample(goal);
  const int count = data.ConsumeIntegralInRange(0, 80);
  std::int64_t step = data.ConsumeIntegralInRange<std::int64_t>(-2, 40);
  const std::int64_t most = data.ConsumeBool() ? 3 : std::int64_t{1} << 61;
  for (int i = 0; i < count && data.remaining_bytes() > 0; ++i) {
    sample.Add({step, TakeValue(data)});
    const std::int64_t stride =
        data.ConsumeIntegralInRange<std::int64_t>(1, most);
    if (step > std::numeric_limits<std::int64_t>::max() - stride) break;
    step += stride;
  }
  trial.reports = sample.Points();
  if (trial.state == CurveState::kCompleted) {
    trial.final_value = TakeValue(data);
  }
  return trial;
}

CurveStudy TakeStudy(FuzzedDataProvider& data) {
  CurveStudy study;
  ParameterSpec spec;
  spec.name = "x";
  spec.max_value = 1;
  study.space = {spec};
  study.goal = data.ConsumeBool() ? Goal::kMaximize : Goal::kMinimize;
  study.seed = data.ConsumeIntegral<std::uint64_t>();
  study.can_resume = data.ConsumeBool();
  const int count = data.ConsumeIntegralInRange(0, 20);
  for (int i = 1; i <= count; ++i) {
    study.trials.push_back(TakeTrial(data, i, study.goal));
  }
  return study;
}

EarlyStoppingOptions TakeOptions(FuzzedDataProvider& data) {
  EarlyStoppingOptions options;
  if (data.ConsumeBool()) {
    options.min_steps = data.ConsumeIntegralInRange<std::int64_t>(1, 50);
  }
  if (data.ConsumeBool()) {
    options.max_steps =
        options.min_steps.value_or(1) +
        data.ConsumeIntegralInRange<std::int64_t>(0, kMostTrainingSteps - 50);
  }
  options.reduction_factor =
      data.ConsumeFloatingPointInRange<double>(1.001, 100);
  if (data.ConsumeBool()) options.brackets = data.ConsumeIntegralInRange(1, 10);
  options.min_win_probability =
      data.ConsumeFloatingPointInRange<double>(0.001, 0.999);
  return options;
}

void CheckVerdict(const CurveStudy& study, const StoppingVerdict& verdict) {
  Require(verdict.trial >= 1 &&
          verdict.trial <= static_cast<std::int64_t>(study.trials.size()));
  const CurveState state =
      study.trials[static_cast<std::size_t>(verdict.trial) - 1].state;
  Require(!verdict.reason.empty());
  Require(verdict.advice != TrialAdvice::kContinue);
  Require(state == (verdict.advice == TrialAdvice::kResume
                        ? CurveState::kPaused
                        : CurveState::kRunning));
  Require(verdict.advice == TrialAdvice::kStop || study.can_resume);
  if (verdict.advice != TrialAdvice::kStop) return;
  const TrialCurve& trial =
      study.trials[static_cast<std::size_t>(verdict.trial) - 1];
  Require(!IsBestSoFar(study, BestValue(trial.reports, study.goal)));
}

bool AreSame(const std::vector<StoppingVerdict>& one,
             const std::vector<StoppingVerdict>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const StoppingVerdict& a, const StoppingVerdict& b) {
                      return a.trial == b.trial && a.advice == b.advice &&
                             a.reason == b.reason;
                    });
}

// Returns the view of the study's ended trials.
StudyView ViewOf(const CurveStudy& study) {
  StudyView view;
  view.space = study.space;
  view.goal = study.goal;
  for (const TrialCurve& trial : study.trials) {
    const bool is_stopped = trial.state == CurveState::kStoppedEarly;
    if (trial.reports.empty() ||
        !(is_stopped || trial.state == CurveState::kCompleted)) {
      continue;
    }
    Observation observation;
    observation.parameters = trial.parameters;
    observation.objective =
        trial.final_value.value_or(trial.reports.back().value);
    observation.is_stopped_early = is_stopped;
    view.completed.push_back(std::move(observation));
  }
  return view;
}

void TryAll(FuzzedDataProvider& data) {
  const CurveStudy study = TakeStudy(data);
  const EarlyStoppingOptions options = TakeOptions(data);
  for (const StoppingRule rule :
       {StoppingRule::kMedian, StoppingRule::kDecayCurve, StoppingRule::kAsha,
        StoppingRule::kHyperband}) {
    const auto policy = MakeStoppingPolicy(rule, options);
    const auto verdicts = policy->Judge(study, 2);
    for (const StoppingVerdict& verdict : verdicts) {
      CheckVerdict(study, verdict);
    }
    Require(AreSame(policy->Judge(study, 2), verdicts));
  }
  StudyView view = ViewOf(study);
  const std::size_t num_ended = view.completed.size();
  CurveModelCache models(options);
  LearnFromCurves(study, &models, &view);
  Require(view.stopped_part > 0 && view.stopped_part <= 1);
  for (std::size_t i = 0; i < view.completed.size(); ++i) {
    const Observation& observation = view.completed[i];
    if (!observation.estimate.has_value()) {
      Require(i < num_ended);
      continue;
    }
    Require(observation.is_stopped_early);
    Require(std::isfinite(observation.estimate->mean) &&
            observation.estimate->variance > 0 &&
            std::isfinite(observation.estimate->variance));
  }
}

}  // namespace
}  // namespace vernier

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes,
                                      std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  vernier::TryAll(data);
  return 0;
}
