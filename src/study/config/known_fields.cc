#include "study/config/known_fields.h"

#include "absl/strings/str_cat.h"
#include "base/blank_separated.h"
#include "base/nearest_name.h"

namespace vernier {
namespace {

// Fields whose names occur in one place of a job file only.
struct FieldsOfPlace {
  std::string_view before;
  std::string_view names;  // Separated by blanks.
  std::string_view behind = "";
};

constexpr FieldsOfPlace kPlaces[] = {
    {"", "jobId labels vernier", ", beside trainingInput"},
    {"", "trainingInput", ", at the top level"},
    {"trainingInput.",
     "scaleTier masterType workerType parameterServerType evaluatorType "
     "workerCount parameterServerCount evaluatorCount masterConfig "
     "workerConfig parameterServerConfig evaluatorConfig packageUris "
     "pythonModule args hyperparameters region jobDir runtimeVersion "
     "pythonVersion scheduling useChiefInTfConfig"},
    {"trainingInput.scheduling.", "maxRunningTime maxWaitTime priority"},
    {"trainingInput.masterConfig.",
     "imageUri containerCommand containerArgs acceleratorConfig"},
    {"trainingInput.hyperparameters.",
     "goal params maxTrials maxParallelTrials maxFailedTrials "
     "hyperparameterMetricTag resumePreviousJobId "
     "enableTrialEarlyStopping"},
    {"vernier.",
     "seed command codeDir environment packageSha256 gpusPerReplica "
     "gpuMemoryPerReplica launcher slurm kubernetes metricSource "
     "metricSources metricPatterns retry endRules preemptible "
     "objectiveReduction notFiniteEnd argStyle jobDirForm killGrace "
     "trialTimeLimit maxInstantFailures maxConsecutiveFailures "
     "earlyStopping canResume limits objective objectives "
     "metricConstraints renamedFrom repeats priorStudies priorRename "
     "beliefs initialPoints parameterConstraints"},
    {"vernier.earlyStopping.",
     "minSteps reductionFactor brackets minWinProbability"},
    {"vernier.limits.", "target noProgress maxTime maxGpuTime"},
    {"vernier.objective.", "perCost"},
    {"vernier.retry.",
     "maxInfrastructureRetries maxTransientRetries maxUserErrorRetries"},
};

}  // namespace

std::string HomeOfField(std::string_view key) {
  for (const FieldsOfPlace& place : kPlaces) {
    for (const std::string_view name : BlankSeparated(place.names)) {
      if (!IsSameName(key, name)) continue;
      return absl::StrCat(std::string(place.before), std::string(name),
                          std::string(place.behind));
    }
  }
  return "";
}

}  // namespace vernier
