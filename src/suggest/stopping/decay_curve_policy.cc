#include "suggest/stopping/decay_curve_policy.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/rng.h"
#include "suggest/gp/normal_distribution.h"
#include "suggest/stopping/training_length.h"

namespace vernier {
namespace {

// No trial is stopped before this part of a training.
constexpr double kMinPart = 0.1;

// How far below the best a trial may end, on the model's scale, without being
// hopeless. Where a search refines, trials differ by less than any prediction
// can tell, and what they would have reached is what the search needs to know:
// without a margin, stops cost smooth problems more in the end than they save.
constexpr double kMargin = 0.3;

// A paused trial is resumed at so many times the probability to pause it.
constexpr double kResumeFactor = 2;

std::uint64_t Mix(std::uint64_t digest, std::uint64_t word) {
  return MixBits(digest ^ word) + 0x9e3779b97f4a7c15;
}

// Of all that CurveModel::Create reads, but for the space and the options,
// which are one for all calls.
std::uint64_t DigestEnded(const CurveStudy& study) {
  std::uint64_t digest = study.space.size();
  for (const TrialCurve& trial : study.trials) {
    if (trial.state == CurveState::kRunning) continue;
    digest = Mix(digest, static_cast<std::uint64_t>(trial.trial));
    digest = Mix(digest, static_cast<std::uint64_t>(trial.state));
    for (const CurvePoint& point : trial.reports) {
      digest = Mix(digest, static_cast<std::uint64_t>(point.step));
      digest = Mix(digest, std::bit_cast<std::uint64_t>(point.value));
    }
    if (!trial.final_value.has_value()) continue;
    digest = Mix(digest, std::bit_cast<std::uint64_t>(*trial.final_value));
  }
  return digest;
}

std::string Say(const char* verb, const CurveModel& model,
                const TrialCurve& trial, const PredictedFinal& predicted,
                double probability) {
  const double deviation = std::sqrt(predicted.variance);
  const CurveScale& scale = model.scale();
  const double one = scale.ToValue(predicted.mean - deviation);
  const double other = scale.ToValue(predicted.mean + deviation);
  const double margin =
      std::abs(scale.ToValue(model.best() - kMargin) - model.best_value());
  return absl::StrFormat(
      "The decay curve rule %s it at step %d of %d: it is expected to end at "
      "%.4g (%.4g to %.4g), and comes within %.2g of the best, %.4g, or beats "
      "it, with a probability of %.2g, as its curve and those of %d complete "
      "trials say.",
      verb, trial.reports.back().step, model.last_step(),
      scale.ToValue(predicted.mean), std::min(one, other), std::max(one, other),
      margin, model.best_value(), probability, model.num_complete());
}

// Of ending less than the margin below the best, or above it.
double WinProbability(const CurveModel& model, const PredictedFinal& final) {
  return NormalCumulative((final.mean - (model.best() - kMargin)) /
                          std::sqrt(final.variance));
}

// Whether the curve is no worse than the best trial's was at that level.
bool KeepsUp(const CurveModel& model, const PredictedFinal& predicted) {
  const std::optional<double> best = model.BestCurveAt(predicted.level);
  return best.has_value() && predicted.value_there >= *best;
}

}  // namespace

const CurveModel* CurveModelCache::Get(const CurveStudy& study,
                                       const EarlyStoppingOptions& options) {
  const std::uint64_t digest = DigestEnded(study);
  if (!has_digest_ || digest != digest_) {
    model_ = CurveModel::Create(study, options);
    digest_ = digest;
    has_digest_ = true;
  }
  return model_.has_value() ? &*model_ : nullptr;
}

std::vector<StoppingVerdict> DecayCurvePolicy::Judge(const CurveStudy& study,
                                                     int free_slots) {
  std::vector<StoppingVerdict> verdicts;
  const CurveModel* const model = cache_.Get(study, options_);
  if (model == nullptr) return verdicts;
  const double last = static_cast<double>(model->last_step());
  const double first = std::max(
      static_cast<double>(options_.min_steps.value_or(1)), kMinPart * last);
  const double threshold = options_.min_win_probability;
  std::vector<std::pair<double, StoppingVerdict>> resumable;
  for (const TrialCurve& trial : study.trials) {
    const bool is_running = trial.state == CurveState::kRunning;
    const bool may_resume =
        study.can_resume && trial.state == CurveState::kPaused;
    if ((!is_running && !may_resume) || trial.reports.empty()) continue;
    const auto step = static_cast<double>(trial.reports.back().step);
    const std::optional<PredictedFinal> predicted = model->Predict(trial);
    if (!predicted.has_value()) continue;
    const double probability = WinProbability(*model, *predicted);
    if (!is_running) {
      if (probability < std::min(0.5, kResumeFactor * threshold)) continue;
      resumable.push_back(
          {-probability,
           {trial.trial, TrialAdvice::kResume,
            Say("resumes", *model, trial, *predicted, probability)}});
      continue;
    }
    if (step < first || step >= last || probability >= threshold ||
        KeepsUp(*model, *predicted) ||
        IsBestSoFar(study, BestValue(trial.reports, study.goal))) {
      continue;
    }
    verdicts.push_back(
        {trial.trial,
         study.can_resume ? TrialAdvice::kPause : TrialAdvice::kStop,
         Say(study.can_resume ? "paused" : "stopped", *model, trial, *predicted,
             probability)});
  }
  std::stable_sort(
      resumable.begin(), resumable.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [order, verdict] : resumable) {
    if (free_slots-- <= 0) break;
    verdicts.push_back(std::move(verdict));
  }
  std::sort(verdicts.begin(), verdicts.end(),
            [](const auto& a, const auto& b) { return a.trial < b.trial; });
  return verdicts;
}

}  // namespace vernier
