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

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "study/foreign_files/foreign_job.h"
#include "study/foreign_files/foreign_node.h"
#include "study/foreign_files/foreign_parameters.h"

namespace vernier {
namespace {

constexpr std::string_view kItsProject = "is of a project at Google";
constexpr std::string_view kItsMachines =
    "is a machine of Google's; what a job asks of this machine, of Slurm or of "
    "Kubernetes has fields of its own";
constexpr std::string_view kOfTheFirstPool = "is that of the first pool here";
constexpr std::string_view kTuningJobField = "hyperparameterTuningJob";

constexpr ForeignWords kTuningJobFields[] = {
    {"displayName studySpec trialJobSpec"},
    {"maxTrialCount", kTrialsPath},
    {"parallelTrialCount", kParallelPath},
    {"maxFailedTrialCount", "trainingInput.hyperparameters.maxFailedTrials"},
    {"labels", "labels"},
    {"encryptionSpec", "", kItsProject},
    {"name state trials createTime startTime endTime updateTime error", "",
     "is set by Vertex"},
};

constexpr ForeignWords kStudySpecFields[] = {
    {"metrics parameters algorithm measurementSelectionType "
     "decayCurveStoppingSpec medianAutomatedStoppingSpec"},
    {"convexAutomatedStoppingSpec convexStopConfig studyStoppingConfig", "",
     "has no counterpart; see limits and stop_early of a study file"},
    {"observationNoise", "",
     "is what the model finds out by itself; see repeats of a study file"},
    {"transferLearningConfig", "",
     "names studies at Vertex; prior_studies of a study file names those "
     "here"},
};

constexpr ForeignWords kMetricFields[] = {{"metricId goal safetyConfig"}};

constexpr ForeignWords kVertexParameterFields[] = {
    {"parameterId scaleType doubleValueSpec integerValueSpec "
     "categoricalValueSpec discreteValueSpec conditionalParameterSpecs"}};

constexpr ForeignWords kValueSpecFields[] = {
    {"minValue maxValue values"},
    {"defaultValue", "", "has no effect in a tuning job of Vertex, either"},
};

constexpr ForeignWords kJobSpecFields[] = {
    {"workerPoolSpecs scheduling"},
    {"baseOutputDirectory", "",
     "is a bucket's folder; outputs of a study file, or --job-dir, names one, "
     "which the program also gets as --job-dir"},
    {"serviceAccount network reservedIpRanges pscInterfaceConfig tensorboard "
     "enableWebAccess enableDashboardAccess experiment experimentRun",
     "", kItsProject},
    {"persistentResourceId", "", kItsMachines},
    {"models protectedArtifactLocationId", "", kItsProject},
};

constexpr ForeignWords kSchedulingFields[] = {
    {"timeout", "vernier.trialTimeLimit"},
    {"maxWaitDuration restartJobOnWorkerRestart disableRetries strategy", "",
     kItsMachines},
};

constexpr ForeignWords kPoolFields[] = {
    {"machineSpec replicaCount containerSpec pythonPackageSpec"},
    {"diskSpec nfsMounts lustreMounts", "", kItsMachines},
};

constexpr ForeignWords kMachineFields[] = {
    {"machineType acceleratorType acceleratorCount"},
    {"tpuTopology reservationAffinity gpuPartitionSize", "", kItsMachines},
};

constexpr ForeignWords kContainerFields[] = {{"imageUri command args env"}};
constexpr ForeignWords kPackageFields[] = {
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
constexpr ForeignWords kVertexRequestFields[] = {
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
  explicit VertexExpansion(const ForeignNode& root)
      : root_(root), parameters_(root, {}) {}

  void Run() {
    const ForeignNode wrapped = root_[kTuningJobField];
    if (wrapped) root_.Read(kVertexRequestFields);
    const ForeignNode file = wrapped ? wrapped.Called("") : root_;
    file.Read(kTuningJobFields);
    PutName(file["displayName"]);
    if (const ForeignNode trials = file["maxTrialCount"]; !trials) {
      // As with gcloud, whose flag stands in its place.
      trials.Note("is not there: it is one trial, or as many as -n says");
    }
    if (const ForeignNode study = file.MapAt("studySpec")) PutStudy(study);
    if (const ForeignNode spec = file.MapAt("trialJobSpec")) PutJobSpec(spec);
    root_.job().Call("trainingInput.hyperparameters", "studySpec");
    if (root_.job().Has("trainingInput.pythonModule")) return;
    root_.job().Call("trainingInput.pythonModule", "trialJobSpec");
  }

 private:
  void PutStudy(const ForeignNode& study) {
    study.Read(kStudySpecFields);
    PutMetrics(study);
    for (const ForeignNode& item : study["parameters"].items()) {
      PutParameter(item);
    }
    parameters_.PutIntoJob("studySpec.parameters");
    if (const ForeignNode algorithm = study["algorithm"];
        algorithm.text() != "ALGORITHM_UNSPECIFIED") {
      algorithm.Put("vernier.algorithm");
      if (algorithm.text() == "GRID_SEARCH") {
        parameters_.RefuseRangesInGrid(
            "write discreteValueSpec or integerValueSpec, or take another "
            "algorithm");
      }
    }
    PutSelection(study["measurementSelectionType"]);
    PutStopping(study, "decayCurveStoppingSpec", "DECAY_CURVE");
    PutStopping(study, "medianAutomatedStoppingSpec", "MEDIAN");
  }

  static void PutStopping(const ForeignNode& study, std::string_view key,
                          const char* rule) {
    const ForeignNode spec = study.Find(key);
    if (!spec) return;  // Null is a rule without settings.
    spec.PutText("vernier.earlyStopping", rule);
    for (const ForeignNode& member : spec.members()) {
      if (member.text() == "false") continue;
      member.LeaveOut("has no counterpart: rules go by steps here");
    }
  }

  static void PutSelection(const ForeignNode& selection) {
    if (!selection) return;
    const std::string name = selection.text();
    const bool is_best = name == "BEST_MEASUREMENT";
    if (!is_best && name != "LAST_MEASUREMENT" &&
        name != "MEASUREMENT_SELECTION_TYPE_UNSPECIFIED") {
      return selection.Error("must be BEST_MEASUREMENT or LAST_MEASUREMENT");
    }
    selection.PutText("vernier.objectiveReduction", is_best ? "BEST" : "LAST");
  }

  static void PutMetrics(const ForeignNode& study) {
    const ForeignNode metrics = study["metrics"];
    if (metrics.items().empty()) {
      return study.Called(metrics.word())
          .Error("is needed to say which trial is the best");
    }
    ConfigNode* const objectives = metrics.job().List(metrics.at());
    for (const ForeignNode& metric : metrics.items()) {
      PutMetric(metric, objectives);
    }
    if (objectives->items.size() < 2) return;
    metrics.With(objectives).Put("vernier.objectives");
  }

  static void PutMetric(const ForeignNode& metric, ConfigNode* objectives) {
    metric.Read(kMetricFields);
    const ForeignNode id = metric["metricId"];
    if (!id) return id.Error("is required");
    if (const ForeignNode safety = metric["safetyConfig"]) {
      return safety.Error(
          "has no counterpart; write a bound under constraints of a study "
          "file");
    }
    ForeignNode goal = metric["goal"];
    // Vertex maximizes what has no goal.
    if (!goal || goal.text() == "GOAL_TYPE_UNSPECIFIED") {
      goal = id.Called(goal.word()).With("MAXIMIZE");
    }
    if (objectives->items.empty()) {
      id.Put(kMetricPath);
      goal.Put(kGoalPath);
    }
    ConfigNode* const objective = metric.job().Map(metric.at());
    objective->members.push_back({"metric", id.at(), id.get()});
    objective->members.push_back({"goal", goal.at(), goal.get()});
    objectives->items.push_back(objective);
  }

  void PutParameter(const ForeignNode& item) {
    item.Read(kVertexParameterFields);
    const ForeignNode id = item["parameterId"];
    const ValueSpecWord* found = nullptr;
    for (const ValueSpecWord& each : kValueSpecs) {
      if (!item[each.spec]) continue;
      if (found != nullptr) {
        return item.Error(absl::StrCat("must not have both ",
                                       std::string(found->spec), " and ",
                                       std::string(each.spec)));
      }
      found = &each;
    }
    if (!id || found == nullptr) {
      return item.Error(
          "must have parameterId and a ValueSpec, such as doubleValueSpec");
    }
    const ForeignParameter parameter = {id.text(), item.word(), id.at(),
                                        "parameterId"};
    const auto made =
        PutValues(parameter, found->spec, item[found->spec], item["scaleType"]);
    if (made.map == nullptr) return;
    for (const ForeignNode& child : item["conditionalParameterSpecs"].items()) {
      PutChild(child, made, found->condition);
    }
  }

  void PutChild(const ForeignNode& child, const ForeignParameters::Made& parent,
                std::string_view condition) {
    const ForeignNode spec = child.MapAt("parameterSpec");
    const ForeignNode values = child[condition]["values"];
    if (condition.empty() || !spec || !values) {
      return child.Error(condition.empty()
                             ? "must not be of a doubleValueSpec"
                             : absl::StrCat("must have parameterSpec and ",
                                            std::string(condition)));
    }
    parameters_.Enter(parent, condition, values.get());
    PutParameter(spec);
    parameters_.Leave();
  }

  ForeignParameters::Made PutValues(const ForeignParameter& parameter,
                                    std::string_view kind,
                                    const ForeignNode& spec,
                                    const ForeignNode& scale_type) {
    spec.Read(kValueSpecFields);
    const std::string scale_name = scale_type.text();
    ForeignScale scale = ForeignScale::kLinear;
    if (scale_name == "UNIT_LOG_SCALE") {
      scale = ForeignScale::kLog;
    } else if (scale_name == "UNIT_REVERSE_LOG_SCALE") {
      scale = ForeignScale::kReverseLog;
    } else if (scale_type && scale_name != "UNIT_LINEAR_SCALE" &&
               scale_name != "SCALE_TYPE_UNSPECIFIED") {
      scale_type.Error(
          absl::StrCat("is none of Vertex: ", ShowText(scale_name)));
    }
    if (kind == "doubleValueSpec" || kind == "integerValueSpec") {
      return PutBounds(parameter, spec,
                       {0, 0, kind == "integerValueSpec", scale});
    }
    const ForeignNode values = spec["values"];
    if (values.items().empty()) {
      spec.Called(values.word()).Error("must be a list");
      return {};
    }
    if (kind == "categoricalValueSpec") {
      return parameters_.AddTexts(parameter, values.get()->items);
    }
    return parameters_.AddNumberList(parameter, values.word(),
                                     values.get()->items, scale);
  }

  // The API leaves out what is zero.
  ForeignParameters::Made PutBounds(const ForeignParameter& parameter,
                                    const ForeignNode& spec,
                                    ForeignRange range) {
    for (const auto& [key, bound] : {std::pair("minValue", &range.low),
                                     std::pair("maxValue", &range.high)}) {
      const ForeignNode value = spec[key];
      if (!value) continue;
      const auto number = value.number();
      if (!number.has_value()) {
        value.Error("must be a number");
        return {};
      }
      *bound = *number;
    }
    return parameters_.AddRange(parameter, range);
  }

  void PutJobSpec(const ForeignNode& spec) {
    spec.Read(kJobSpecFields);
    spec.MapAt("scheduling").Read(kSchedulingFields);
    const ForeignNode list = spec["workerPoolSpecs"];
    const auto pools = list.items();
    if (pools.empty()) return;
    if (pools.size() > kPoolRoles.size()) {
      return list.Error("must be at most four pools");
    }
    const bool is_gang = pools.size() > 1;
    if (is_gang) list.PutText("trainingInput.scaleTier", "CUSTOM");
    for (std::size_t i = 0; i < pools.size(); ++i) {
      PutPool(pools[i], i, is_gang);
    }
    list.Called(spec.word()).PutText("vernier.argStyle", "EQUALS");
  }

  void PutPool(const ForeignNode& pool, std::size_t place, bool is_gang) {
    const PoolRole& role = kPoolRoles.at(place);
    pool.Read(kPoolFields);
    const ForeignNode count = pool["replicaCount"];
    const double replicas = count.number().value_or(count ? -1 : 1);
    if (replicas == 0 && place > 0) return;  // A place that is not used.
    if (place == 0 && replicas != 1) {
      return count.Error("must be 1 in the first pool");
    }
    if (place > 0) {
      (count ? count : count.With("1", true))
          .Put("trainingInput." + std::string(role.count));
    }
    PutMachine(pool.MapAt("machineSpec"), role, place, is_gang);
    PutContainer(pool.MapAt("containerSpec"), role, place);
    const ForeignNode package = pool.MapAt("pythonPackageSpec");
    if (package && place > 0) {
      // A job has one program of its packages, which all roles run.
      return package.LeaveOut(kOfTheFirstPool);
    }
    package.Read(kPackageFields);
    PutEnvironment(package["env"], place);
  }

  void PutMachine(const ForeignNode& machine, const PoolRole& role,
                  std::size_t place, bool is_gang) {
    machine.Read(kMachineFields);
    const ForeignNode type = machine["machineType"];
    if (is_gang) {
      type.Put("trainingInput." + std::string(role.type));
    } else if (type) {
      type.LeaveOut(kItsMachines);
    }
    const ForeignNode kind = machine["acceleratorType"];
    if (!kind || kind.text() == "ACCELERATOR_TYPE_UNSPECIFIED") return;
    if (!kind.text().starts_with("NVIDIA_")) {
      return kind.Error("must be a GPU: TPUs have no counterpart");
    }
    ForeignNode count = machine["acceleratorCount"];
    if (!count) count = kind.Called(count.word()).With("1", true);
    if (place == 0) {
      gpus_ = count.text();
      count.Put("vernier.gpusPerReplica");
    } else if (gpus_ != count.text()) {
      count.Error("must be as many as in the first pool");
    }
  }

  static void PutContainer(const ForeignNode& container, const PoolRole& role,
                           std::size_t place) {
    container.Read(kContainerFields);
    const std::string config =
        absl::StrCat("trainingInput.", std::string(role.config), ".");
    container["imageUri"].Put(config + "imageUri");
    container["command"].Put(config + "containerCommand");
    container["args"].Put(config + "containerArgs");
    PutEnvironment(container["env"], place);
  }

  static void PutEnvironment(const ForeignNode& list, std::size_t place) {
    if (!list) return;
    if (place > 0) return list.LeaveOut(kOfTheFirstPool);
    ConfigNode* const map = list.job().Map(list.at());
    for (const ForeignNode& item : list.items()) {
      const ForeignNode name = item["name"];
      const ForeignNode value = item["value"];
      if (!name || !value) {
        item.Called(list.word()).Error("must list a name and a value each");
        continue;
      }
      map->members.push_back({name.text(), name.at(), value.get()});
    }
    list.With(map).Put("vernier.environment");
  }

  ForeignNode root_;
  ForeignParameters parameters_;
  std::string gpus_;  // How many the first pool has.
};

bool HasStudySpec(const ConfigNode* job) {
  if (job == nullptr || job->kind != ConfigNode::Kind::kMap) return false;
  const ConfigNode* study = job->Find("studySpec");
  if (study == nullptr) study = job->Find("study_spec");
  return study != nullptr && study->kind == ConfigNode::Kind::kMap;
}

}  // namespace

bool IsVertexFile(const ConfigNode* root) {
  return IsOfAnotherTool(root) &&
         (HasStudySpec(root) || HasStudySpec(root->Find(kTuningJobField)) ||
          HasStudySpec(root->Find("hyperparameter_tuning_job")));
}

bool ExpandVertexFile(ConfigTree& tree, SpecDiagnostics& diagnostics) {
  tree.root = WithApiNames(*tree.root, &tree);
  return ExpandForeignFile(
      tree, diagnostics, "a tuning job of Vertex AI",
      [](const ForeignNode& file) { VertexExpansion(file).Run(); });
}

}  // namespace vernier
