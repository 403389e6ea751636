// Random studies of hostile curves: every stopping rule gives lawful advice
// with a reason, twice the same, and what curves teach is finite.

#include <fuzzer/FuzzedDataProvider.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "suggest/stopping/learn_from_curves.h"
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

TrialCurve TakeTrial(FuzzedDataProvider& data, std::int64_t number) {
  TrialCurve trial;
  trial.trial = number;
  trial.parameters = {{"x", data.ConsumeFloatingPointInRange<double>(0, 1)}};
  trial.state = static_cast<CurveState>(data.ConsumeIntegralInRange(1, 4));
  std::vector<CurvePoint> reports;
  const int count = data.ConsumeIntegralInRange(0, 80);
  std::int64_t step = data.ConsumeIntegralInRange<std::int64_t>(-2, 40);
  const std::int64_t most = data.ConsumeBool() ? 3 : std::int64_t{1} << 55;
  for (int i = 0; i < count && data.remaining_bytes() > 0; ++i) {
    reports.push_back({step, TakeValue(data)});
    step += data.ConsumeIntegralInRange<std::int64_t>(1, most);
  }
  trial.reports = MakeCurve(std::move(reports));
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
  for (int i = 1; i <= count; ++i) study.trials.push_back(TakeTrial(data, i));
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
        data.ConsumeIntegralInRange<std::int64_t>(0, std::int64_t{1} << 53);
  }
  options.reduction_factor =
      data.ConsumeFloatingPointInRange<double>(1.001, 100);
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
    Require(policy->Judge(study, 2).size() == verdicts.size());
  }
  StudyView view;
  view.space = study.space;
  view.goal = study.goal;
  LearnFromCurves(study, &view);
  for (const Observation& observation : view.completed) {
    Require(observation.estimate.has_value() &&
            std::isfinite(observation.estimate->mean) &&
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
