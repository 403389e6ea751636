#include "study/config/known_fields.h"

#include "base/nearest_name.h"

namespace vernier {
namespace {

struct FieldHome {
  std::string_view key;
  std::string_view path;
};

// Fields whose names occur in one place of a job file only.
constexpr FieldHome kHomes[] = {
    {"jobId", "jobId, beside trainingInput"},
    {"labels", "labels, beside trainingInput"},
    {"vernier", "vernier, beside trainingInput"},
    {"trainingInput", "trainingInput, at the top level"},
    {"scaleTier", "trainingInput.scaleTier"},
    {"masterType", "trainingInput.masterType"},
    {"workerType", "trainingInput.workerType"},
    {"parameterServerType", "trainingInput.parameterServerType"},
    {"evaluatorType", "trainingInput.evaluatorType"},
    {"workerCount", "trainingInput.workerCount"},
    {"parameterServerCount", "trainingInput.parameterServerCount"},
    {"evaluatorCount", "trainingInput.evaluatorCount"},
    {"masterConfig", "trainingInput.masterConfig"},
    {"workerConfig", "trainingInput.workerConfig"},
    {"parameterServerConfig", "trainingInput.parameterServerConfig"},
    {"evaluatorConfig", "trainingInput.evaluatorConfig"},
    {"packageUris", "trainingInput.packageUris"},
    {"pythonModule", "trainingInput.pythonModule"},
    {"args", "trainingInput.args"},
    {"hyperparameters", "trainingInput.hyperparameters"},
    {"region", "trainingInput.region"},
    {"jobDir", "trainingInput.jobDir"},
    {"runtimeVersion", "trainingInput.runtimeVersion"},
    {"pythonVersion", "trainingInput.pythonVersion"},
    {"scheduling", "trainingInput.scheduling"},
    {"useChiefInTfConfig", "trainingInput.useChiefInTfConfig"},
    {"maxRunningTime", "trainingInput.scheduling.maxRunningTime"},
    {"maxWaitTime", "trainingInput.scheduling.maxWaitTime"},
    {"priority", "trainingInput.scheduling.priority"},
    {"imageUri", "trainingInput.masterConfig.imageUri"},
    {"containerCommand", "trainingInput.masterConfig.containerCommand"},
    {"containerArgs", "trainingInput.masterConfig.containerArgs"},
    {"acceleratorConfig", "trainingInput.masterConfig.acceleratorConfig"},
    {"goal", "trainingInput.hyperparameters.goal"},
    {"params", "trainingInput.hyperparameters.params"},
    {"maxTrials", "trainingInput.hyperparameters.maxTrials"},
    {"maxParallelTrials", "trainingInput.hyperparameters.maxParallelTrials"},
    {"maxFailedTrials", "trainingInput.hyperparameters.maxFailedTrials"},
    {"hyperparameterMetricTag",
     "trainingInput.hyperparameters.hyperparameterMetricTag"},
    {"resumePreviousJobId",
     "trainingInput.hyperparameters.resumePreviousJobId"},
    {"enableTrialEarlyStopping",
     "trainingInput.hyperparameters.enableTrialEarlyStopping"},
    {"seed", "vernier.seed"},
    {"command", "vernier.command"},
    {"codeDir", "vernier.codeDir"},
    {"environment", "vernier.environment"},
    {"packageSha256", "vernier.packageSha256"},
    {"gpusPerReplica", "vernier.gpusPerReplica"},
    {"gpuMemoryPerReplica", "vernier.gpuMemoryPerReplica"},
    {"launcher", "vernier.launcher"},
    {"slurm", "vernier.slurm"},
    {"kubernetes", "vernier.kubernetes"},
    {"metricSource", "vernier.metricSource"},
    {"metricSources", "vernier.metricSources"},
    {"metricPatterns", "vernier.metricPatterns"},
    {"retry", "vernier.retry"},
    {"endRules", "vernier.endRules"},
    {"preemptible", "vernier.preemptible"},
    {"objectiveReduction", "vernier.objectiveReduction"},
    {"notFiniteEnd", "vernier.notFiniteEnd"},
    {"argStyle", "vernier.argStyle"},
    {"jobDirForm", "vernier.jobDirForm"},
    {"killGrace", "vernier.killGrace"},
    {"trialTimeLimit", "vernier.trialTimeLimit"},
    {"maxInstantFailures", "vernier.maxInstantFailures"},
    {"maxConsecutiveFailures", "vernier.maxConsecutiveFailures"},
    {"earlyStopping", "vernier.earlyStopping"},
    {"canResume", "vernier.canResume"},
    {"limits", "vernier.limits"},
    {"objective", "vernier.objective"},
    {"objectives", "vernier.objectives"},
    {"metricConstraints", "vernier.metricConstraints"},
    {"renamedFrom", "vernier.renamedFrom"},
    {"minSteps", "vernier.earlyStopping.minSteps"},
    {"reductionFactor", "vernier.earlyStopping.reductionFactor"},
    {"brackets", "vernier.earlyStopping.brackets"},
    {"minWinProbability", "vernier.earlyStopping.minWinProbability"},
    {"target", "vernier.limits.target"},
    {"noProgress", "vernier.limits.noProgress"},
    {"maxTime", "vernier.limits.maxTime"},
    {"maxGpuTime", "vernier.limits.maxGpuTime"},
    {"perCost", "vernier.objective.perCost"},
    {"repeats", "vernier.repeats"},
    {"priorStudies", "vernier.priorStudies"},
    {"priorRename", "vernier.priorRename"},
    {"beliefs", "vernier.beliefs"},
    {"initialPoints", "vernier.initialPoints"},
    {"parameterConstraints", "vernier.parameterConstraints"},
    {"maxInfrastructureRetries", "vernier.retry.maxInfrastructureRetries"},
    {"maxTransientRetries", "vernier.retry.maxTransientRetries"},
    {"maxUserErrorRetries", "vernier.retry.maxUserErrorRetries"},
};

}  // namespace

std::string_view HomeOfField(std::string_view key) {
  for (const FieldHome& home : kHomes) {
    if (IsSameName(key, home.key)) return home.path;
  }
  return "";
}

}  // namespace vernier
