#include "study/job_file/early_stopping_section.h"

#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "study/stopping/stopping_rule_name.h"

namespace vernier {
namespace {

// This is a hundred years.
constexpr std::chrono::seconds kLongestMinimumTime{3'155'760'000};

// Output fields that `describe` adds to the section, so a copied job has them.
constexpr std::string_view kStoppingOutputFields[] = {
    "stoppedTrials", "savedSteps", "trainedSteps", "text"};

void ReadReductionFactor(ObjectReader& reader, EarlyStoppingOptions& options) {
  const auto factor = reader.Number("reductionFactor");
  if (!factor.has_value()) return;
  options.reduction_factor = *factor;
  if (*factor > 1 && *factor <= 100) return;
  reader.ValueError("reductionFactor", "must be > 1 and <= 100");
}

void ReadWinProbability(ObjectReader& reader, EarlyStoppingOptions& options) {
  const auto probability = reader.Number("minWinProbability");
  if (!probability.has_value()) return;
  options.min_win_probability = *probability;
  if (*probability > 0 && *probability < 1) return;
  reader.ValueError("minWinProbability", "must be > 0 and < 1");
}

void CheckSteps(ObjectReader& reader, const EarlyStoppingOptions& options) {
  if (!options.min_steps.has_value() || !options.max_steps.has_value() ||
      *options.min_steps <= *options.max_steps) {
    return;
  }
  reader.Error("maxSteps",
               absl::StrCat("must be >= minSteps: ", *options.max_steps, " < ",
                            *options.min_steps));
}

void ReadRule(ObjectReader& section, VernierSection& vernier) {
  ObjectReader reader = section.ChildOrField("earlyStopping", "rule");
  EarlyStoppingOptions& options = vernier.early_stopping_options;
  vernier.early_stopping =
      reader.Enum("rule", kStoppingRuleNames, /*any_case=*/true);
  options.min_steps = reader.Int64("minSteps", {1, kMostTrainingSteps});
  options.max_steps = reader.Int64("maxSteps", {1, kMostTrainingSteps});
  ReadReductionFactor(reader, options);
  options.brackets = reader.Integer("brackets", {1, 10});
  ReadWinProbability(reader, options);
  CheckSteps(reader, options);
  for (const std::string_view field : kStoppingOutputFields)
    reader.SkipOutput(field);
  // A job copied from `describe` may have only output fields here, which ask
  // for nothing.
  if (reader.json() == "{}") return reader.Finish();
  if (!vernier.early_stopping.has_value()) {
    vernier.early_stopping = StoppingRule::kAuto;
  }
  section.Attach("earlyStopping", reader);
}

std::optional<NoProgressLimit> ReadNoProgress(ObjectReader& section) {
  ObjectReader reader = section.Child("noProgress");
  NoProgressLimit limit;
  limit.trials =
      reader.Integer("trials", {1, 1'000'000}).value_or(limit.trials);
  limit.gain = reader.Number("gain").value_or(0);
  if (reader.is_present() && !(limit.gain > 0)) {
    reader.ValueError("gain", "must be > 0, in the metric's units");
  }
  section.Attach("noProgress", reader);
  if (!reader.is_present()) return std::nullopt;
  return limit;
}

StudyLimits ReadLimits(ObjectReader& section) {
  ObjectReader reader = section.Child("limits");
  StudyLimits limits;
  limits.target = reader.Number("target");
  limits.no_progress = ReadNoProgress(reader);
  limits.max_time =
      reader.Duration("maxTime", std::chrono::seconds(1), kLongestMinimumTime);
  limits.max_steps = reader.Int64("maxSteps", {1, kMostTrainingSteps});
  limits.max_gpu_time = reader.Duration("maxGpuTime", std::chrono::seconds(1),
                                        kLongestMinimumTime);
  section.Attach("limits", reader);
  return limits;
}

}  // namespace

void ReadEarlyStopping(ObjectReader& section, VernierSection& vernier) {
  ReadRule(section, vernier);
  vernier.can_resume = section.Bool("canResume").value_or(vernier.can_resume);
  vernier.limits = ReadLimits(section);
  ObjectReader objective = section.Child("objective");
  vernier.is_per_cost = objective.Bool("perCost").value_or(vernier.is_per_cost);
  section.Attach("objective", objective);
}

}  // namespace vernier
