#include "study/foreign_files/vertex_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "study/foreign_files/foreign_fields.h"
#include "study/foreign_files/foreign_parameters.h"
#include "study/foreign_files/foreign_program.h"

namespace vernier {
namespace {

constexpr std::string_view kVertexSearch = "trainingInput.hyperparameters.";
constexpr std::string_view kItsProject = "is of a project at Google";
constexpr std::string_view kItsMachines =
    "is a machine of Google's; what a job asks of this machine, of Slurm or of "
    "Kubernetes has fields of its own";
constexpr std::string_view kItsOutput = "is set by Vertex";
constexpr std::string_view kTuningJobField = "hyperparameterTuningJob";

constexpr ForeignField kTuningJobFields[] = {
    {"displayName"},
    {"studySpec"},
    {"trialJobSpec"},
    {"maxTrialCount", "trainingInput.hyperparameters.maxTrials"},
    {"parallelTrialCount", "trainingInput.hyperparameters.maxParallelTrials"},
    {"maxFailedTrialCount", "trainingInput.hyperparameters.maxFailedTrials"},
    {"labels", "labels"},
    {"encryptionSpec", "", kItsProject},
    {"name", "", kItsOutput},
    {"state", "", kItsOutput},
    {"trials", "", kItsOutput},
    {"createTime", "", kItsOutput},
    {"startTime", "", kItsOutput},
    {"endTime", "", kItsOutput},
    {"updateTime", "", kItsOutput},
    {"error", "", kItsOutput},
};

constexpr std::string_view kNoSuchRule =
    "has no counterpart; see limits and stop_early of a study file";

constexpr ForeignField kStudySpecFields[] = {
    {"metrics"},
    {"parameters"},
    {"algorithm"},
    {"measurementSelectionType"},
    {"decayCurveStoppingSpec"},
    {"medianAutomatedStoppingSpec"},
    {"convexAutomatedStoppingSpec", "", kNoSuchRule},
    {"convexStopConfig", "", kNoSuchRule},
    {"studyStoppingConfig", "", kNoSuchRule},
    {"observationNoise", "",
     "is what the model finds out by itself; see repeats of a study file"},
    {"transferLearningConfig", "",
     "names studies at Vertex; prior_studies of a study file names those "
     "here"},
};

constexpr ForeignField kVertexParameterFields[] = {
    {"parameterId"},
    {"scaleType"},
    {"doubleValueSpec"},
    {"integerValueSpec"},
    {"categoricalValueSpec"},
    {"discreteValueSpec"},
    {"conditionalParameterSpecs"},
};

constexpr ForeignField kValueSpecFields[] = {
    {"minValue"},
    {"maxValue"},
    {"values"},
    {"defaultValue", "", "has no effect in a tuning job of Vertex, either"},
};

constexpr ForeignField kJobSpecFields[] = {
    {"workerPoolSpecs"},
    {"scheduling"},
    {"baseOutputDirectory", "",
     "is a bucket's folder; outputs of a study file, or --job-dir, names one, "
     "which the program also gets as --job-dir"},
    {"serviceAccount", "", kItsProject},
    {"network", "", kItsProject},
    {"reservedIpRanges", "", kItsProject},
    {"pscInterfaceConfig", "", kItsProject},
    {"tensorboard", "", kItsProject},
    {"enableWebAccess", "", kItsProject},
    {"enableDashboardAccess", "", kItsProject},
    {"experiment", "", kItsProject},
    {"experimentRun", "", kItsProject},
    {"persistentResourceId", "", kItsMachines},
    {"models", "", kItsProject},
    {"protectedArtifactLocationId", "", kItsProject},
};

constexpr ForeignField kSchedulingFields[] = {
    {"timeout", "vernier.trialTimeLimit"},
    {"maxWaitDuration", "", kItsMachines},
    {"restartJobOnWorkerRestart", "", kItsMachines},
    {"disableRetries", "", kItsMachines},
    {"strategy", "", kItsMachines},
};

constexpr ForeignField kPoolFields[] = {
    {"machineSpec"},
    {"replicaCount"},
    {"containerSpec"},
    {"pythonPackageSpec"},
    {"diskSpec", "", kItsMachines},
    {"nfsMounts", "", kItsMachines},
    {"lustreMounts", "", kItsMachines},
};

constexpr ForeignField kMachineFields[] = {
    {"machineType"},
    {"acceleratorType"},
    {"acceleratorCount"},
    {"tpuTopology", "", kItsMachines},
    {"reservationAffinity", "", kItsMachines},
    {"gpuPartitionSize", "", kItsMachines},
};

constexpr ForeignField kContainerFields[] = {
    {"imageUri"}, {"command"}, {"args"}, {"env"}};
constexpr ForeignField kPackageFields[] = {
    {"executorImageUri", "",
     "is not run: the packages run with this machine's Python"},
    {"packageUris", "trainingInput.packageUris"},
    {"pythonModule", "trainingInput.pythonModule"},
    {"args", "trainingInput.args"},
    {"env"},
};

// The role that a pool has by its place.
struct PoolRole {
  std::string_view type;
  std::string_view count;
  std::string_view config;
};
constexpr auto kPoolRoles = std::to_array<PoolRole>({
    {"masterType", "", "masterConfig"},
    {"workerType", "workerCount", "workerConfig"},
    {"parameterServerType", "parameterServerCount", "parameterServerConfig"},
    {"evaluatorType", "evaluatorCount", "evaluatorConfig"},
});

// The request of a program that asks the API.
constexpr ForeignField kVertexRequestFields[] = {
    {"parent", "", kItsProject},
    {kTuningJobField},
};

// The names of a field whose value the API's clients may print as a number.
struct NumberedNames {
  std::string_view field;
  std::span<const std::string_view> names;  // By number.
};
constexpr std::string_view kGoals[] = {"GOAL_TYPE_UNSPECIFIED", "MAXIMIZE",
                                       "MINIMIZE"};
constexpr std::string_view kScaleNames[] = {
    "SCALE_TYPE_UNSPECIFIED", "UNIT_LINEAR_SCALE", "UNIT_LOG_SCALE",
    "UNIT_REVERSE_LOG_SCALE"};
constexpr std::string_view kAlgorithms[] = {"ALGORITHM_UNSPECIFIED", "",
                                            "GRID_SEARCH", "RANDOM_SEARCH"};
constexpr std::string_view kSelections[] = {
    "MEASUREMENT_SELECTION_TYPE_UNSPECIFIED", "LAST_MEASUREMENT",
    "BEST_MEASUREMENT"};
constexpr std::string_view kAccelerators[] = {"ACCELERATOR_TYPE_UNSPECIFIED",
                                              "NVIDIA_TESLA_K80",
                                              "NVIDIA_TESLA_P100",
                                              "NVIDIA_TESLA_V100",
                                              "NVIDIA_TESLA_P4",
                                              "NVIDIA_TESLA_T4",
                                              "TPU_V2",
                                              "TPU_V3",
                                              "NVIDIA_TESLA_A100"};
constexpr NumberedNames kNumberedNames[] = {
    {"goal", kGoals},
    {"scaleType", kScaleNames},
    {"algorithm", kAlgorithms},
    {"measurementSelectionType", kSelections},
    {"acceleratorType", kAccelerators},
};

// The values of a parameter, and of a condition on it.
struct ValueSpecWord {
  std::string_view spec;
  std::string_view condition;
};
constexpr ValueSpecWord kValueSpecs[] = {
    {"doubleValueSpec", ""},
    {"integerValueSpec", "parentIntValues"},
    {"categoricalValueSpec", "parentCategoricalValues"},
    {"discreteValueSpec", "parentDiscreteValues"},
};

std::string CamelCase(std::string_view key) {
  std::string camel;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (key[i] == '_' && i > 0 && i + 1 < key.size()) {
      camel += absl::ascii_toupper(static_cast<unsigned char>(key[++i]));
    } else {
      camel += key[i];
    }
  }
  return camel;
}

// Returns the value of a field with its name in place of the name's number.
const ConfigNode* WithName(const std::string& field, const ConfigNode* value,
                           ConfigTree* tree) {
  const auto known = std::find_if(
      std::begin(kNumberedNames), std::end(kNumberedNames),
      [&field](const NumberedNames& each) { return each.field == field; });
  if (known == std::end(kNumberedNames)) return value;
  const std::optional<double> number = NumberOf(value);
  for (std::size_t i = 0; number.has_value() && i < known->names.size(); ++i) {
    if (*number != static_cast<double>(i) || known->names[i].empty()) continue;
    ConfigNode& named = tree->Add(ConfigNode::Kind::kScalar, value->position);
    named.scalar = std::string(known->names[i]);
    return &named;
  }
  return value;
}

// Returns the node with the names of the API, where it has those of Python or
// numbers. What the user chose, labels, stays.
const ConfigNode* WithApiNames(const ConfigNode& node, ConfigTree* tree) {
  if (node.kind != ConfigNode::Kind::kMap &&
      node.kind != ConfigNode::Kind::kList) {
    return &node;
  }
  ConfigNode& made = tree->Add(node.kind, node.position);
  for (const ConfigNode* const item : node.items) {
    made.items.push_back(WithApiNames(*item, tree));
  }
  for (const ConfigMember& member : node.members) {
    const bool is_own = member.key == "labels";
    const std::string key = CamelCase(member.key);
    made.members.push_back(
        {key, member.position,
         is_own ? member.value
                : WithName(key, WithApiNames(*member.value, tree), tree)});
  }
  return &made;
}

/// Turns the fields of one tuning job into those of a job file.
class VertexExpansion {
 public:
  VertexExpansion(JobTree* job, SpecDiagnostics* diagnostics,
                  const ConfigNode& file)
      : job_(job),
        fields_(job, diagnostics, "a tuning job of Vertex AI"),
        parameters_(job, file.position, {}) {}

  void Run(const ConfigNode& root) {
    job_->Make("trainingInput");
    const ConfigNode* const wrapped = ValueAt(root, kTuningJobField);
    if (wrapped != nullptr) fields_.Read(root, "", kVertexRequestFields);
    const ConfigNode& file = wrapped == nullptr ? root : *wrapped;
    fields_.Read(file, "", kTuningJobFields);
    if (const ConfigNode* name = ValueAt(file, "displayName");
        name != nullptr && !PutJobName(*name, "displayName", job_)) {
      fields_.LeaveOut(name->position, "displayName",
                       "can be no job's name here; give one with --name");
    }
    if (ValueAt(file, "maxTrialCount") == nullptr) {
      // As with gcloud, whose flag stands in its place.
      fields_.Note(file.position, "maxTrialCount",
                   "is not there: it is one trial, or as many as -n says");
    }
    if (const auto* study = fields_.MapAt(file, "studySpec", "")) {
      PutStudy(*study);
    }
    if (const auto* spec = fields_.MapAt(file, "trialJobSpec", "")) {
      PutJobSpec(*spec);
    }
    job_->Call("trainingInput.hyperparameters", "studySpec");
    if (!job_->Has("trainingInput.pythonModule")) {
      job_->Call("trainingInput.pythonModule", "trialJobSpec");
    }
  }

 private:
  void PutStudy(const ConfigNode& study) {
    fields_.Read(study, "studySpec", kStudySpecFields);
    PutMetrics(study);
    const ConfigNode* const parameters = ValueAt(study, "parameters");
    for (std::size_t i = 0;
         parameters != nullptr && i < parameters->items.size(); ++i) {
      PutParameter(*parameters->items[i],
                   absl::StrCat("studySpec.parameters[", i, "]"));
    }
    parameters_.PutIntoJob("studySpec.parameters");
    if (const auto* algorithm = ValueAt(study, "algorithm");
        algorithm != nullptr && algorithm->scalar != "ALGORITHM_UNSPECIFIED") {
      job_->Put("vernier.algorithm", "studySpec.algorithm", algorithm->position,
                algorithm);
      if (algorithm->scalar == "GRID_SEARCH") {
        parameters_.RefuseRangesInGrid(
            "write discreteValueSpec or integerValueSpec, or take another "
            "algorithm");
      }
    }
    PutSelection(ValueAt(study, "measurementSelectionType"));
    PutStopping(study, "decayCurveStoppingSpec", "DECAY_CURVE");
    PutStopping(study, "medianAutomatedStoppingSpec", "MEDIAN");
  }

  void PutStopping(const ConfigNode& study, const char* key, const char* rule) {
    const ConfigNode* const spec = study.Find(key);
    if (spec == nullptr) return;
    const std::string word = WordBelow("studySpec", key);
    job_->Put("vernier.earlyStopping", word, spec->position,
              job_->Text(rule, spec->position));
    for (const ConfigMember& member : spec->members) {
      if (member.value->scalar == "false") continue;
      fields_.LeaveOut(member.position, WordBelow(word, member.key),
                       "has no counterpart: rules go by steps here");
    }
  }

  void PutSelection(const ConfigNode* selection) {
    constexpr std::string_view kWord = "studySpec.measurementSelectionType";
    if (selection == nullptr) return;
    const bool is_best = selection->scalar == "BEST_MEASUREMENT";
    if (!is_best && selection->scalar != "LAST_MEASUREMENT" &&
        selection->scalar != "MEASUREMENT_SELECTION_TYPE_UNSPECIFIED") {
      return job_->Error(*selection, kWord,
                         "must be BEST_MEASUREMENT or LAST_MEASUREMENT");
    }
    job_->Put("vernier.objectiveReduction", kWord, selection->position,
              job_->Text(is_best ? "BEST" : "LAST", selection->position));
  }

  void PutMetrics(const ConfigNode& study) {
    const ConfigNode* const metrics = ValueAt(study, "metrics");
    if (metrics == nullptr || metrics->items.empty()) {
      return job_->Error(study, "studySpec.metrics",
                         "is needed to say which trial is the best");
    }
    ConfigNode* const objectives = job_->List(metrics->position);
    for (std::size_t i = 0; i < metrics->items.size(); ++i) {
      const ConfigNode& metric = *metrics->items[i];
      const std::string word = absl::StrCat("studySpec.metrics[", i, "]");
      PutMetric(metric, word, objectives);
    }
    if (objectives->items.size() < 2) return;
    job_->Put("vernier.objectives", "studySpec.metrics", metrics->position,
              objectives);
  }

  void PutMetric(const ConfigNode& metric, const std::string& word,
                 ConfigNode* objectives) {
    constexpr ForeignField kMetricFields[] = {
        {"metricId"}, {"goal"}, {"safetyConfig"}};
    fields_.Read(metric, word, kMetricFields);
    const ConfigNode* const id = ValueAt(metric, "metricId");
    if (id == nullptr) {
      return job_->Error(metric, word + ".metricId", "is required");
    }
    if (const auto* safety = ValueAt(metric, "safetyConfig")) {
      return job_->Error(*safety, word + ".safetyConfig",
                         "has no counterpart; write a bound under constraints "
                         "of a study file");
    }
    const ConfigNode* goal = ValueAt(metric, "goal");
    // Vertex maximizes what has no goal.
    if (goal == nullptr || goal->scalar == "GOAL_TYPE_UNSPECIFIED") {
      goal = job_->Text("MAXIMIZE", id->position);
    }
    if (objectives->items.empty()) {
      const std::string path(kVertexSearch);
      job_->Put(path + "hyperparameterMetricTag", word + ".metricId",
                id->position, id);
      job_->Put(path + "goal", word + ".goal", goal->position, goal);
    }
    ConfigNode* const objective = job_->Map(metric.position);
    objective->members.push_back({"metric", id->position, id});
    objective->members.push_back({"goal", goal->position, goal});
    objectives->items.push_back(objective);
  }

  void PutParameter(const ConfigNode& item, const std::string& word) {
    fields_.Read(item, word, kVertexParameterFields);
    const ConfigNode* const id = ValueAt(item, "parameterId");
    const ValueSpecWord* found = nullptr;
    for (const ValueSpecWord& each : kValueSpecs) {
      if (ValueAt(item, each.spec) == nullptr) continue;
      if (found != nullptr) {
        return job_->Error(
            item, word,
            absl::StrCat("must not have both ", std::string(found->spec),
                         " and ", std::string(each.spec)));
      }
      found = &each;
    }
    if (id == nullptr || found == nullptr) {
      return job_->Error(item, word,
                         "must have parameterId and a ValueSpec, such as "
                         "doubleValueSpec");
    }
    const ForeignParameter parameter = {id->scalar, word, id->position,
                                        "parameterId"};
    const std::string spec_word =
        absl::StrCat(word, ".", std::string(found->spec));
    const auto made = PutValues(parameter, item, *found, spec_word);
    const ConfigNode* const children =
        ValueAt(item, "conditionalParameterSpecs");
    if (made.map == nullptr || children == nullptr) return;
    for (std::size_t i = 0; i < children->items.size(); ++i) {
      PutChild(*children->items[i], made, found->condition,
               absl::StrCat(word, ".conditionalParameterSpecs[", i, "]"));
    }
  }

  void PutChild(const ConfigNode& child, const ForeignParameters::Made& parent,
                std::string_view condition, const std::string& word) {
    const ConfigNode* const spec = fields_.MapAt(child, "parameterSpec", word);
    const ConfigNode* const values =
        condition.empty() ? nullptr : ValueAt(child, condition);
    const ConfigNode* const list =
        values == nullptr ? nullptr : ValueAt(*values, "values");
    if (spec == nullptr || list == nullptr) {
      return job_->Error(child, word,
                         condition.empty()
                             ? "must not be of a doubleValueSpec"
                             : absl::StrCat("must have parameterSpec and ",
                                            std::string(condition)));
    }
    parameters_.Enter(parent, condition, list);
    PutParameter(*spec, word + ".parameterSpec");
    parameters_.Leave();
  }

  ForeignParameters::Made PutValues(const ForeignParameter& parameter,
                                    const ConfigNode& item,
                                    const ValueSpecWord& found,
                                    const std::string& word) {
    const ConfigNode& spec = *item.Find(found.spec);
    fields_.Read(spec, word, kValueSpecFields);
    const ConfigNode* const scale_type = ValueAt(item, "scaleType");
    const std::string scale_name = TextOf(scale_type);
    ForeignScale scale = ForeignScale::kLinear;
    if (scale_name == "UNIT_LOG_SCALE") scale = ForeignScale::kLog;
    if (scale_name == "UNIT_REVERSE_LOG_SCALE") {
      scale = ForeignScale::kReverseLog;
    }
    if (scale == ForeignScale::kLinear && scale_type != nullptr &&
        scale_name != "UNIT_LINEAR_SCALE" &&
        scale_name != "SCALE_TYPE_UNSPECIFIED") {
      job_->Error(*scale_type, parameter.word + ".scaleType",
                  absl::StrCat("is none of Vertex: ", ShowText(scale_name)));
    }
    if (found.spec == "doubleValueSpec" || found.spec == "integerValueSpec") {
      return PutBounds(parameter, spec, word,
                       {0, 0, found.spec == "integerValueSpec", scale});
    }
    const ConfigNode* const values = ValueAt(spec, "values");
    if (values == nullptr || values->items.empty()) {
      job_->Error(spec, word + ".values", "must be a list");
      return {};
    }
    if (found.spec == "categoricalValueSpec") {
      return parameters_.AddTexts(parameter, values->items);
    }
    return parameters_.AddNumberList(parameter, word + ".values", values->items,
                                     scale);
  }

  // The API leaves out what is zero.
  ForeignParameters::Made PutBounds(const ForeignParameter& parameter,
                                    const ConfigNode& spec,
                                    const std::string& word,
                                    ForeignRange range) {
    for (const auto& [key, bound] : {std::pair("minValue", &range.low),
                                     std::pair("maxValue", &range.high)}) {
      const ConfigNode* const value = ValueAt(spec, key);
      if (value == nullptr) continue;
      const auto number = NumberOf(value);
      if (!number.has_value()) {
        job_->Error(*value, WordBelow(word, key), "must be a number");
        return {};
      }
      *bound = *number;
    }
    return parameters_.AddRange(parameter, range);
  }

  void PutJobSpec(const ConfigNode& spec) {
    const std::string word = "trialJobSpec";
    fields_.Read(spec, word, kJobSpecFields);
    if (const auto* scheduling = fields_.MapAt(spec, "scheduling", word)) {
      fields_.Read(*scheduling, word + ".scheduling", kSchedulingFields);
    }
    const ConfigNode* const pools = ValueAt(spec, "workerPoolSpecs");
    if (pools == nullptr || pools->items.empty()) return;
    if (pools->items.size() > kPoolRoles.size()) {
      return job_->Error(*pools, word + ".workerPoolSpecs",
                         "must be at most four pools");
    }
    const bool is_gang = pools->items.size() > 1;
    if (is_gang) {
      job_->Put("trainingInput.scaleTier", word + ".workerPoolSpecs",
                pools->position, job_->Text("CUSTOM", pools->position));
    }
    for (std::size_t i = 0; i < pools->items.size(); ++i) {
      PutPool(*pools->items[i], i, is_gang,
              absl::StrCat(word, ".workerPoolSpecs[", i, "]"));
    }
    job_->Put("vernier.argStyle", word, pools->position,
              job_->Text("EQUALS", pools->position));
  }

  void PutPool(const ConfigNode& pool, std::size_t place, bool is_gang,
               const std::string& word) {
    const PoolRole& role = kPoolRoles.at(place);
    fields_.Read(pool, word, kPoolFields);
    const ConfigNode* const count = ValueAt(pool, "replicaCount");
    const double replicas = NumberOf(count).value_or(count == nullptr ? 1 : -1);
    if (replicas == 0 && place > 0) return;  // A place that is not used.
    if (place == 0 && replicas != 1) {
      return job_->Error(*count, word + ".replicaCount",
                         "must be 1 in the first pool");
    }
    const std::string input = "trainingInput.";
    if (place > 0) {
      job_->Put(
          input + std::string(role.count), word + ".replicaCount",
          pool.position,
          count != nullptr ? count : job_->Text("1", pool.position, true));
    }
    if (const auto* machine = fields_.MapAt(pool, "machineSpec", word)) {
      PutMachine(*machine, role, place, is_gang, word + ".machineSpec");
    }
    if (const auto* container = fields_.MapAt(pool, "containerSpec", word)) {
      PutContainer(*container, role, place, word + ".containerSpec");
    }
    const ConfigNode* const package =
        fields_.MapAt(pool, "pythonPackageSpec", word);
    if (package == nullptr) return;
    if (place > 0) {
      // A job has one program of its packages, which all roles run.
      return fields_.LeaveOut(package->position, word + ".pythonPackageSpec",
                              "is that of the first pool here");
    }
    fields_.Read(*package, word + ".pythonPackageSpec", kPackageFields);
    PutEnvironment(ValueAt(*package, "env"), place,
                   word + ".pythonPackageSpec.env");
  }

  void PutMachine(const ConfigNode& machine, const PoolRole& role,
                  std::size_t place, bool is_gang, const std::string& word) {
    fields_.Read(machine, word, kMachineFields);
    if (const ConfigNode* type = ValueAt(machine, "machineType")) {
      if (is_gang) {
        job_->Put("trainingInput." + std::string(role.type),
                  word + ".machineType", type->position, type);
      } else {
        fields_.LeaveOut(type->position, word + ".machineType",
                         std::string(kItsMachines));
      }
    }
    const ConfigNode* const kind = ValueAt(machine, "acceleratorType");
    if (kind == nullptr || kind->scalar == "ACCELERATOR_TYPE_UNSPECIFIED") {
      return;
    }
    if (!kind->scalar.starts_with("NVIDIA_")) {
      return job_->Error(*kind, word + ".acceleratorType",
                         "must be a GPU: TPUs have no counterpart");
    }
    const ConfigNode* count = ValueAt(machine, "acceleratorCount");
    if (count == nullptr) count = job_->Text("1", kind->position, true);
    if (place > 0 && TextOf(gpus_) != count->scalar) {
      return job_->Error(*count, word + ".acceleratorCount",
                         "must be as many as in the first pool");
    }
    if (place > 0) return;
    gpus_ = count;
    job_->Put("vernier.gpusPerReplica", word + ".acceleratorCount",
              count->position, count);
  }

  void PutContainer(const ConfigNode& container, const PoolRole& role,
                    std::size_t place, const std::string& word) {
    fields_.Read(container, word, kContainerFields);
    const std::string config =
        absl::StrCat("trainingInput.", std::string(role.config), ".");
    constexpr std::pair<const char*, const char*> kPaths[] = {
        {"imageUri", "imageUri"},
        {"command", "containerCommand"},
        {"args", "containerArgs"}};
    for (const auto& [key, field] : kPaths) {
      const ConfigNode* const value = ValueAt(container, key);
      if (value == nullptr) continue;
      job_->Put(config + field, WordBelow(word, key), value->position, value);
    }
    PutEnvironment(ValueAt(container, "env"), place, word + ".env");
  }

  void PutEnvironment(const ConfigNode* list, std::size_t place,
                      const std::string& word) {
    if (list == nullptr) return;
    if (place > 0) {
      return fields_.LeaveOut(list->position, word,
                              "is that of the first pool here");
    }
    ConfigNode* const map = job_->Map(list->position);
    for (const ConfigNode* const item : list->items) {
      const ConfigNode* const name = ValueAt(*item, "name");
      const ConfigNode* const value = ValueAt(*item, "value");
      if (name == nullptr || value == nullptr) {
        job_->Error(*item, word, "must list a name and a value each");
        continue;
      }
      map->members.push_back({name->scalar, name->position, value});
    }
    job_->Put("vernier.environment", word, list->position, map);
  }

  JobTree* job_;
  ForeignFields fields_;
  ForeignParameters parameters_;
  const ConfigNode* gpus_ = nullptr;  // Of the first pool.
};

bool HasStudySpec(const ConfigNode* job) {
  if (job == nullptr || job->kind != ConfigNode::Kind::kMap) return false;
  const ConfigNode* study = job->Find("studySpec");
  if (study == nullptr) study = job->Find("study_spec");
  return study != nullptr && study->kind == ConfigNode::Kind::kMap;
}

}  // namespace

bool IsVertexFile(const ConfigNode* root) {
  if (root == nullptr || root->kind != ConfigNode::Kind::kMap) return false;
  for (const char* field : {"jobId", "trainingInput", "vernier", "run"}) {
    if (root->Find(field) != nullptr) return false;
  }
  for (const char* wrapper :
       {"hyperparameterTuningJob", "hyperparameter_tuning_job"}) {
    if (HasStudySpec(root->Find(wrapper))) return true;
  }
  return HasStudySpec(root);
}

bool ExpandVertexFile(ConfigTree& tree, SpecDiagnostics& diagnostics) {
  const ConfigNode& file = *WithApiNames(*tree.root, &tree);
  JobTree job(&tree, &diagnostics, file.position);
  VertexExpansion(&job, &diagnostics, file).Run(file);
  tree.root = job.root();
  diagnostics.Rename(job.TakeWords(), &ForeignMessage);
  return !diagnostics.has_errors();
}

}  // namespace vernier
