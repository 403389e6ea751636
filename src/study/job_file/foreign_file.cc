#include "study/job_file/foreign_file.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

using Keys = std::initializer_list<std::string_view>;

constexpr std::string_view kJobFields[] = {"trainingInput", "vernier", "jobId"};

bool HasAny(const ConfigNode& map, Keys keys) {
  return std::any_of(keys.begin(), keys.end(), [&map](std::string_view key) {
    return map.Find(key) != nullptr;
  });
}

bool HasAll(const ConfigNode& map, Keys keys) {
  return std::all_of(keys.begin(), keys.end(), [&map](std::string_view key) {
    return map.Find(key) != nullptr;
  });
}

bool IsMap(const ConfigNode* node) {
  return node != nullptr && node->kind == ConfigNode::Kind::kMap;
}

bool IsText(const ConfigNode* node, std::string_view text) {
  return node != nullptr && node->kind == ConfigNode::Kind::kScalar &&
         node->scalar == text;
}

bool IsSweep(const ConfigNode& root) {
  return IsMap(root.Find("parameters")) &&
         HasAny(root, {"method", "program", "command", "metric", "run_cap",
                       "early_terminate", "scheduler"});
}

bool IsKatib(const ConfigNode& root) {
  const ConfigNode* const version = root.Find("apiVersion");
  constexpr std::string_view kGroup = "kubeflow.org/";
  const bool is_kubeflow =
      version != nullptr &&
      std::string_view(version->scalar).substr(0, kGroup.size()) == kGroup;
  return is_kubeflow && IsText(root.Find("kind"), "Experiment");
}

bool IsDetermined(const ConfigNode& root) {
  return IsMap(root.Find("searcher")) ||
         HasAll(root, {"hyperparameters", "entrypoint"});
}

// True for YAML for gcloud ai, JSON of the API, and the Python client's output.
bool IsVertex(const ConfigNode& root) {
  return HasAny(root, {"studySpec", "trialJobSpec", "study_spec",
                       "trial_job_spec", "workerPoolSpecs"}) ||
         IsMap(root.Find("jobSpec"));
}

bool IsNni(const ConfigNode& root) {
  return HasAny(root, {"searchSpace", "searchSpaceFile", "trialCommand"}) &&
         HasAny(root, {"tuner", "trialConcurrency", "trialCommand"});
}

// A pipeline, a command or a job of AutoML; a sweep by itself is read.
bool IsAzure(const ConfigNode& root) {
  const ConfigNode* const schema = root.Find("$schema");
  return schema != nullptr &&
         schema->scalar.find("azureml") != std::string::npos;
}

bool IsSageMaker(const ConfigNode& root) {
  return HasAny(root, {"HyperParameterTuningJobConfig",
                       "HyperParameterTuningJobName", "ParameterRanges"});
}

struct Tool {
  bool (*is_its_file)(const ConfigNode&);
  std::string_view what;
  std::string_view page;
  std::string_view what_to_do;
};

constexpr std::string_view kProgramAfterDashes =
    "write study.yaml as it shows, then: vernier run --config study.yaml -- "
    "python3 train.py";

constexpr Tool kTools[] = {
    {&IsVertex, "a tuning job of Vertex AI", "docs/from-vertex-ai.md",
     "write study.yaml as it shows, then: vernier run --config study.yaml"},
    {&IsKatib, "an experiment of Katib", "docs/from-katib.md",
     kProgramAfterDashes},
    {&IsSageMaker, "a tuning job of SageMaker", "docs/foreign-files.md",
     kProgramAfterDashes},
    {&IsAzure, "a job of Azure ML other than a sweep", "docs/foreign-files.md",
     kProgramAfterDashes},
    {&IsNni, "an experiment of NNI", "docs/foreign-files.md",
     kProgramAfterDashes},
    {&IsDetermined, "an experiment of Determined", "docs/from-determined.md",
     kProgramAfterDashes},
    {&IsSweep, "a sweep of Weights & Biases", "docs/from-wandb.md",
     kProgramAfterDashes},
};

}  // namespace

std::string ForeignFileMessage(const ConfigNode* root) {
  if (!IsMap(root)) return "";
  for (const std::string_view field : kJobFields) {
    if (root->Find(field) != nullptr) return "";
  }
  for (const Tool& tool : kTools) {
    if (!tool.is_its_file(*root)) continue;
    return absl::StrCat("this is ", std::string(tool.what),
                        ", not a job file; ", std::string(tool.page),
                        " has the job file for it, field by field: ",
                        std::string(tool.what_to_do));
  }
  return "";
}

}  // namespace vernier
