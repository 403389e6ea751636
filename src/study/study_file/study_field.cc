#include "study/study_file/study_field.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"

namespace vernier {
namespace {

constexpr StudyField kFields[] = {
    {"name", "jobId", FieldForm::kSame},
    {"labels", "labels", FieldForm::kSame},
    {"run", "vernier.command", FieldForm::kCommand},
    {"module", "trainingInput.pythonModule", FieldForm::kSame},
    {"packages", "trainingInput.packageUris", FieldForm::kSame},
    {"package_sha256", "vernier.packageSha256", FieldForm::kSame},
    {"args", "trainingInput.args", FieldForm::kCommand},
    {"arg_style", "vernier.argStyle", FieldForm::kUpper},
    {"code", "vernier.codeDir", FieldForm::kSame},
    {"image", "trainingInput.masterConfig.imageUri", FieldForm::kSame},
    {"env", "vernier.environment", FieldForm::kSame},
    {"python", "trainingInput.pythonVersion", FieldForm::kSame},
    {"runtime", "trainingInput.runtimeVersion", FieldForm::kSame},
    {"outputs", "trainingInput.jobDir", FieldForm::kSame},
    {"outputs_as", "vernier.jobDirForm", FieldForm::kUpper},
    {"gs_args", "vernier.gsArgs", FieldForm::kUpper},
    {"metric", "trainingInput.hyperparameters", FieldForm::kMetric},
    {"constraints", "vernier.metricConstraints", FieldForm::kConstraints},
    {"metric_value", "vernier.objectiveReduction", FieldForm::kUpper},
    {"metric_sources", "vernier.metricSources", FieldForm::kUpper},
    {"metric_patterns", "vernier.metricPatterns", FieldForm::kSnake},
    {"not_finite", "vernier.notFiniteEnd", FieldForm::kUpper},
    {"parameters", "trainingInput.hyperparameters.params",
     FieldForm::kParameters},
    {"try_first", "vernier.initialPoints", FieldForm::kSame},
    {"continue_from", "trainingInput.hyperparameters.resumePreviousJobId",
     FieldForm::kSame},
    {"algorithm", "vernier.algorithm", FieldForm::kAlgorithm},
    {"seed", "vernier.seed", FieldForm::kSame},
    {"trials", "trainingInput.hyperparameters.maxTrials", FieldForm::kSame},
    {"parallel", "trainingInput.hyperparameters.maxParallelTrials",
     FieldForm::kSame},
    {"max_failed", "trainingInput.hyperparameters.maxFailedTrials",
     FieldForm::kSame},
    {"max_failed_in_a_row", "vernier.maxConsecutiveFailures", FieldForm::kSame},
    {"max_failed_at_once", "vernier.maxInstantFailures", FieldForm::kSame},
    {"repeats", "vernier.repeats", FieldForm::kUpper},
    {"renamed_from", "vernier.renamedFrom", FieldForm::kSame},
    {"prior_studies", "vernier.priorStudies", FieldForm::kSame},
    {"prior_rename", "vernier.priorRename", FieldForm::kSame},
    {"beliefs", "vernier.beliefs", FieldForm::kSame},
    {"stop_early", "vernier.earlyStopping", FieldForm::kStopEarly},
    {"can_resume", "vernier.canResume", FieldForm::kSame},
    {"limits", "vernier.limits", FieldForm::kSnake},
    {"per_cost", "vernier.objective.perCost", FieldForm::kSame},
    {"trial_timeout", "vernier.trialTimeLimit", FieldForm::kDuration},
    {"timeout", "trainingInput.scheduling.maxRunningTime",
     FieldForm::kDuration},
    {"max_wait", "trainingInput.scheduling.maxWaitTime", FieldForm::kDuration},
    {"kill_grace", "vernier.killGrace", FieldForm::kDuration},
    {"priority", "trainingInput.scheduling.priority", FieldForm::kSame},
    {"preemptible", "vernier.preemptible", FieldForm::kSame},
    {"retry", "vernier.retry", FieldForm::kSnake},
    {"end_rules", "vernier.endRules", FieldForm::kSnake},
    {"gpus", "vernier.gpusPerReplica", FieldForm::kSame},
    {"gpu_memory", "vernier.gpuMemoryPerReplica", FieldForm::kSame},
    {"workers", "trainingInput.workerCount", FieldForm::kSame},
    {"parameter_servers", "trainingInput.parameterServerCount",
     FieldForm::kSame},
    {"evaluators", "trainingInput.evaluatorCount", FieldForm::kSame},
    {"machine", "trainingInput.masterType", FieldForm::kSame},
    {"scale_tier", "trainingInput.scaleTier", FieldForm::kUpper},
    {"roles", "trainingInput", FieldForm::kRoles},
    {"tf_config_chief", "trainingInput.useChiefInTfConfig", FieldForm::kSame},
    {"on", "vernier.launcher", FieldForm::kSame},
    {"slurm", "vernier.slurm", FieldForm::kSnake},
    {"kubernetes", "vernier.kubernetes", FieldForm::kSnake},
};

constexpr StudyRole kRoles[] = {
    {"master", "master"},
    {"worker", "worker"},
    {"parameter_server", "parameterServer"},
    {"evaluator", "evaluator"},
};

constexpr StudyRoleField kRoleFields[] = {
    {"count", "Count", FieldForm::kSame},
    {"machine", "Type", FieldForm::kSame},
    {"image", "Config.imageUri", FieldForm::kSame},
    {"command", "Config.containerCommand", FieldForm::kCommand},
    {"args", "Config.containerArgs", FieldForm::kCommand},
    {"accelerator", "Config.acceleratorConfig", FieldForm::kSnake},
};

constexpr std::string_view kOwnKeys[] = {"labels", "annotations",
                                         "nodeSelector"};
constexpr std::string_view kDurations[] = {"maxTime", "maxGpuTime",
                                           "timeLimit"};

template <typename List>
bool Contains(const List& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

}  // namespace

std::span<const StudyField> StudyFields() { return kFields; }
std::span<const StudyRole> StudyRoles() { return kRoles; }
std::span<const StudyRoleField> StudyRoleFields() { return kRoleFields; }

bool HasOwnKeys(std::string_view field) { return Contains(kOwnKeys, field); }

bool IsDurationField(std::string_view field) {
  return Contains(kDurations, field);
}

std::string CamelCase(std::string_view word) {
  std::string field;
  bool begins_part = false;
  for (const char c : word) {
    if (c == '_') {
      begins_part = true;
      continue;
    }
    field +=
        begins_part ? absl::ascii_toupper(static_cast<unsigned char>(c)) : c;
    begins_part = false;
  }
  return field;
}

std::string SnakeCase(std::string_view field) {
  std::string word;
  for (const char c : field) {
    const auto byte = static_cast<unsigned char>(c);
    if (absl::ascii_isupper(byte) && !word.empty()) word += '_';
    word += absl::ascii_tolower(byte);
  }
  return word;
}

}  // namespace vernier
