#include "study/job_file/foreign_file.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"

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

bool IsAzurePipeline(const ConfigNode& root) {
  return IsText(root.Find("type"), "pipeline") && IsMap(root.Find("jobs"));
}

// A sweep as Azure's REST API has it.
bool IsAzureRequest(const ConfigNode& root) {
  const ConfigNode* const properties = root.Find("properties");
  return IsMap(properties) && IsText(properties->Find("jobType"), "Sweep");
}

// A command or a job of AutoML; a sweep by itself is read.
bool IsAzure(const ConfigNode& root) {
  const ConfigNode* const schema = root.Find("$schema");
  return schema != nullptr &&
         schema->scalar.find("azureml") != std::string::npos;
}

bool IsSageMaker(const ConfigNode& root) {
  return HasAny(root, {"HyperParameterTuningJobConfig",
                       "HyperParameterTuningJobName", "ParameterRanges"});
}

// A tuning job for the operators of SageMaker, of which the second is newer.
bool IsSageMakerResource(const ConfigNode& root) {
  const ConfigNode* const version = root.Find("apiVersion");
  const bool is_theirs =
      version != nullptr &&
      (version->scalar.starts_with("sagemaker.aws.amazon.com/") ||
       version->scalar.starts_with("sagemaker.services.k8s.aws/"));
  return is_theirs && (IsText(root.Find("kind"), "HyperparameterTuningJob") ||
                       IsText(root.Find("kind"), "HyperParameterTuningJob"));
}

// Returns "from line 7 on", if the line is known, with a comma before it and
// after it.
std::string FromLine(const ConfigPosition& position) {
  if (position.line == 0) return " ";
  return absl::StrCat(", from line ", position.line, " on, ");
}

// Returns the sweeps of a pipeline, and what to do about them.
std::string SweepsOfPipeline(const ConfigNode& root) {
  std::string text;
  for (const ConfigMember& job : root.Find("jobs")->members) {
    if (!IsMap(job.value) || !IsText(job.value->Find("type"), "sweep")) {
      continue;
    }
    absl::StrAppend(&text, text.empty() ? "" : "; ", "jobs.", ShowText(job.key),
                    " is a sweep: write it", FromLine(job.value->position),
                    "into a file of its own");
  }
  return text.empty() ? "none of its jobs is a sweep" : text;
}

// Returns what to take out of a file that only holds what is read here; "" for
// any other.
std::string PartToTakeOut(const ConfigNode& root) {
  if (IsAzurePipeline(root)) {
    return "this is a pipeline of Azure ML; " + SweepsOfPipeline(root);
  }
  if (IsAzureRequest(root)) {
    return absl::StrCat(
        "this is a sweep for the REST API of Azure ML; write its properties",
        FromLine(root.Find("properties")->position),
        "into a file of their own, as for az ml job create: type: sweep in "
        "place of jobType, and search_space in place of searchSpace");
  }
  if (!IsSageMakerResource(root)) return "";
  const ConfigNode* const spec = root.Find("spec");
  return absl::StrCat(
      "this is a tuning job for SageMaker's operator for Kubernetes; write its "
      "spec",
      FromLine(spec == nullptr ? root.position : spec->position),
      "into a file of its own, with capital letters as "
      "CreateHyperParameterTuningJob has them: HyperParameterTuningJobConfig "
      "in place of hyperParameterTuningJobConfig");
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
  if (const std::string part = PartToTakeOut(*root); !part.empty()) {
    return absl::StrCat(part,
                        "; docs/foreign-files.md has such a file, then: "
                        "vernier run --config FILE");
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
