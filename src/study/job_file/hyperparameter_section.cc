// trainingInput.hyperparameters.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/shown_text.h"
#include "study/algorithm_name.h"
#include "study/job_file/job_sections.h"
#include "study/job_file/objective_section.h"
#include "study/job_file/parameter_section.h"
#include "study/job_id.h"
#include "study/job_name_rule.h"

namespace vernier {
namespace {

constexpr int kMaxTrialCount = 1'000'000;

void CheckParamCount(ObjectReader& section, const HyperparameterSpec& spec) {
  if (section.ListSize("params") == 0 && spec.resume_previous_job_id.empty()) {
    section.Error("params",
                  "must list at least one parameter, unless "
                  "resumePreviousJobId names an earlier job");
  }
}

void CheckTrialCounts(ObjectReader& section, const HyperparameterSpec& spec) {
  const auto check = [&](std::string_view key, int count) {
    if (count <= spec.max_trials) return;
    section.Error(key, "must be <= maxTrials: " + std::to_string(count) +
                           " > " + std::to_string(spec.max_trials));
  };
  check("maxParallelTrials", spec.max_parallel_trials);
  check("maxFailedTrials", spec.max_failed_trials);
}

// In proto3, the format of the API, a client leaves a number out by sending 0.
bool IsUnset(ObjectReader& section, std::string_view key) {
  return !section.Has(key) || ParseInteger(section.RawText(key)) == 0;
}

void ReadTrialCounts(ObjectReader& section, HyperparameterSpec& spec) {
  const auto read = [&](std::string_view key, int unset, int wrong) {
    if (IsUnset(section, key)) return unset;
    return section.Integer(key, {1, kMaxTrialCount}).value_or(wrong);
  };
  // A wrong maxTrials counts as the largest, so that no other field is reported
  // for exceeding it.
  spec.max_trials = read("maxTrials", spec.max_trials, kMaxTrialCount);
  spec.max_parallel_trials = read("maxParallelTrials", spec.max_parallel_trials,
                                  spec.max_parallel_trials);
}

// With `with_additions`, also accepts algorithms that AI Platform does not
// have.
Algorithm ReadAlgorithmOrDefault(ObjectReader& section, bool with_additions) {
  std::vector<std::string_view> names;
  for (const AlgorithmNames& each : kAlgorithmNames) {
    if (!each.ai_platform_name.empty()) {
      names.push_back(each.ai_platform_name);
    } else if (with_additions) {
      names.push_back(each.name);
    } else if (section.RawText("algorithm") == each.name) {
      section.ValueError("algorithm",
                         "must be given as vernier.algorithm, since AI "
                         "Platform does not have it");
      return Algorithm::kDefault;
    }
  }
  return ReadAlgorithm(section, names).value_or(Algorithm::kDefault);
}

// Reads the goal and the name of the metric. If there are several metrics,
// which vernier.objectives lists, AI Platform's fields describe the first.
Goal ReadGoal(ObjectReader& section, const VernierSection& vernier) {
  const auto goal = section.Enum("goal", kGoalNames);
  if (vernier.objectives.empty()) return goal.value_or(Goal::kMaximize);
  const Goal first = vernier.objectives.front().goal;
  const std::string_view name =
      first == Goal::kMaximize ? "MAXIMIZE" : "MINIMIZE";
  if (!goal.has_value()) {
    section.SetText("goal", name);
  } else if (*goal != first) {
    section.ValueError("goal",
                       "must be left out, or be that of the first of "
                       "vernier.objectives, " +
                           std::string(name));
  }
  return first;
}

std::string ReadMetricTag(ObjectReader& section,
                          const VernierSection& vernier) {
  constexpr std::string_view kKey = "hyperparameterMetricTag";
  const auto tag = section.String(kKey);
  if (section.IsBlank(kKey)) {
    section.Error(kKey,
                  "must name the metric that the program reports; it is empty");
  }
  if (vernier.objectives.empty()) {
    return tag.value_or(HyperparameterSpec{}.metric_tag);
  }
  const std::string& first = vernier.objectives.front().name;
  if (!tag.has_value()) {
    section.SetText(kKey, first);
  } else if (*tag != first) {
    section.ValueError(kKey,
                       "must be left out, or be the first of "
                       "vernier.objectives, " +
                           ShowText(first));
  }
  return first;
}

}  // namespace

std::optional<Algorithm> ReadAlgorithm(
    ObjectReader& section, const std::vector<std::string_view>& names) {
  const auto index = section.EnumIndex("algorithm", names, /*any_case=*/false);
  if (!index) return std::nullopt;
  return AlgorithmNamed(names[*index]);
}

HyperparameterSpec ReadHyperparameters(ObjectReader& section,
                                       const VernierSection& vernier,
                                       const HyperparameterRules& rules) {
  HyperparameterSpec spec;
  spec.goal = ReadGoal(section, vernier);
  SearchSpaceSection space = ReadSearchSpace(section, "params");
  ReadTrialCounts(section, spec);
  spec.max_failed_trials =
      section.Integer("maxFailedTrials", {0, kMaxTrialCount})
          .value_or(spec.max_failed_trials);
  spec.metric_tag = ReadMetricTag(section, vernier);
  spec.resume_previous_job_id =
      section.String("resumePreviousJobId").value_or("");
  spec.enable_trial_early_stopping =
      section.Bool("enableTrialEarlyStopping").value_or(false);
  spec.algorithm = ReadAlgorithmOrDefault(section, rules.with_additions);

  if (!spec.resume_previous_job_id.empty() &&
      !IsJobName(spec.resume_previous_job_id)) {
    section.ValueError("resumePreviousJobId", std::string(kJobNameRule));
  }
  if (IsGrid(vernier.algorithm.value_or(spec.algorithm))) {
    CheckSuitsGrid(space);
  }
  spec.params = std::move(space.params);
  if (!rules.is_edit) {
    CheckParamCount(section, spec);
    CheckTrialCounts(section, spec);
  }
  return spec;
}

}  // namespace vernier
