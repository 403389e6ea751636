#include "study/foreign_files/sagemaker_file.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "study/foreign_files/foreign_job.h"
#include "study/foreign_files/foreign_node.h"
#include "study/foreign_files/foreign_parameters.h"

namespace vernier {
namespace {

constexpr std::string_view kConfig = "HyperParameterTuningJobConfig";

constexpr std::string_view kItsAccount = "is of an account at AWS";
constexpr std::string_view kItsInstances =
    "is a machine of AWS; what a job asks of this machine, of Slurm or of "
    "Kubernetes has fields of its own";
constexpr ForeignWords kRequestFields[] = {
    {"HyperParameterTuningJobName HyperParameterTuningJobConfig "
     "TrainingJobDefinition TrainingJobDefinitions"},
    {"WarmStartConfig", "",
     "names tuning jobs at AWS; prior_studies of a study file names studies "
     "here"},
    {"Tags", "", kItsAccount},
    {"Autotune", "", "is SageMaker's own choice of settings"},
    // Of a description of a job that has been created.
    {"HyperParameterTuningJobArn HyperParameterTuningJobStatus CreationTime "
     "HyperParameterTuningEndTime LastModifiedTime TrainingJobStatusCounters "
     "ObjectiveStatusCounters BestTrainingJob OverallBestTrainingJob "
     "FailureReason TuningJobCompletionDetails ConsumedResources",
     "", kItsAccount},
};

constexpr ForeignWords kConfigFields[] = {
    {"Strategy StrategyConfig HyperParameterTuningJobObjective ResourceLimits "
     "ParameterRanges TrainingJobEarlyStoppingType "
     "TuningJobCompletionCriteria"},
    {"RandomSeed", "vernier.seed"},
};

constexpr ForeignWords kLimitNames[] = {
    {"MaxNumberOfTrainingJobs MaxParallelTrainingJobs MaxRuntimeInSeconds"}};

constexpr ForeignWords kCompletionFields[] = {
    {"TargetObjectiveMetricValue", "vernier.limits.target"},
    {"BestObjectiveNotImproving ConvergenceDetected", "",
     "has no counterpart; see limits of a study file"},
};

constexpr ForeignWords kObjectiveNames[] = {{"Type"},
                                            {"MetricName", kMetricPath}};

constexpr ForeignWords kDefinitionFields[] = {
    {"DefinitionName", "", kItsAccount},
    {"TuningObjective HyperParameterRanges StaticHyperParameters "
     "AlgorithmSpecification"},
    {"Environment", "vernier.environment"},
    {"StoppingCondition ResourceConfig RetryStrategy"},
    {"RoleArn", "", kItsAccount},
    {"InputDataConfig", "",
     "is data that SageMaker brings to the machine; give the program its path"},
    {"OutputDataConfig CheckpointConfig", "",
     "is a bucket of AWS; outputs of a study file names a folder for each "
     "trial"},
    {"VpcConfig", "", kItsAccount},
    {"HyperParameterTuningResourceConfig EnableNetworkIsolation "
     "EnableInterContainerTrafficEncryption EnableManagedSpotTraining",
     "", kItsInstances},
};

constexpr ForeignWords kAlgorithmNames[] = {
    {"TrainingInputMode", "", "is how SageMaker brings data to the machine"},
    {"TrainingImage AlgorithmName MetricDefinitions"},
};

constexpr ForeignWords kResourceNames[] = {
    {"InstanceCount"},
    {"InstanceType VolumeSizeInGB", "", kItsInstances},
    {"VolumeKmsKeyId", "", kItsAccount},
    {"KeepAlivePeriodInSeconds", "", kItsInstances},
    {"InstanceGroups"},
};

constexpr ForeignWords kStopNames[] = {
    {"MaxRuntimeInSeconds"},
    {"MaxWaitTimeInSeconds MaxPendingTimeInSeconds", "", kItsInstances},
};

constexpr ForeignWords kRetryNames[] = {
    {"MaximumRetryAttempts", "vernier.retry.maxInfrastructureRetries"},
};

constexpr ForeignWords kHyperbandNames[] = {
    {"MinResource", "vernier.earlyStopping.minSteps"},
    {"MaxResource", "vernier.earlyStopping.maxSteps"},
};

constexpr ForeignWords kRangeNames[] = {
    {"Name MinValue MaxValue ScalingType Values"}};
constexpr ForeignWords kRangeListNames[] = {
    {"IntegerParameterRanges ContinuousParameterRanges "
     "CategoricalParameterRanges AutoParameters"}};

constexpr std::pair<std::string_view, std::string_view> kSageMakerWords[] = {
    {"minValue", "MinValue"},     {"maxValue", "MaxValue"},
    {"discreteValues", "Values"}, {"categoricalValues", "Values"},
    {"scaleType", "ScalingType"},
};

// Returns the expression with its first group, which is what SageMaker reads,
// called "value".
std::string WithNamedValue(std::string_view regex) {
  bool is_in_class = false;
  for (std::size_t i = 0; i < regex.size(); ++i) {
    if (regex[i] == '\\') {
      ++i;
    } else if (is_in_class) {
      is_in_class = regex[i] != ']';
    } else if (regex[i] == '[') {
      is_in_class = true;
      // A bracket that comes first is one of the characters.
      if (i + 1 < regex.size() && regex[i + 1] == '^') ++i;
      if (i + 1 < regex.size() && regex[i + 1] == ']') ++i;
    } else if (regex[i] == '(' && regex.substr(i + 1, 1) != "?") {
      return absl::StrCat(std::string(regex.substr(0, i + 1)), "?P<value>",
                          std::string(regex.substr(i + 1)));
    }
  }
  return std::string(regex);
}

// Programs of the containers for scripts get texts as JSON: "\"train.py\"".
std::string WithoutJsonQuotes(const std::string& text) {
  const bool has_quotes =
      text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return has_quotes ? text.substr(1, text.size() - 2) : text;
}

/// Turns the fields of one request into those of a job file.
class SageMakerExpansion {
 public:
  explicit SageMakerExpansion(const ForeignNode& file)
      : file_(file),
        config_(file),
        definition_(file.Called("TrainingJobDefinition").With(nullptr)),
        parameters_(file, kSageMakerWords) {}

  void Run() {
    const bool is_whole = static_cast<bool>(file_[kConfig]);
    if (is_whole) {
      if (HasSeveralDefinitions()) return;
      file_.Read(kRequestFields);
      PutName(file_["HyperParameterTuningJobName"]);
      config_ = file_.MapAt(kConfig);
      definition_ = Definition();
    }
    if (!config_) return;
    config_.Read(kConfigFields);
    PutObjective();
    PutRanges();
    PutLimits();
    PutStrategy();
    PutDefinition();
    parameters_.PutIntoJob(config_["ParameterRanges"].word());
    file_.job().Call("trainingInput.hyperparameters",
                     is_whole ? config_.word() : "ParameterRanges");
    file_.job().Call("trainingInput.pythonModule", definition_.word());
  }

 private:
  // Returns true, after an error, for a file of which nothing else is said.
  bool HasSeveralDefinitions() const {
    const ForeignNode list = file_["TrainingJobDefinitions"];
    if (list.items().size() < 2) return false;
    list.Error(
        "tunes several algorithms at once; make a job of each, with "
        "TrainingJobDefinition");
    return true;
  }

  // A list of one is as good as the definition itself.
  ForeignNode Definition() const {
    const ForeignNode list = file_["TrainingJobDefinitions"];
    const auto items = list.items();
    if (!list || (list.is_list() && items.empty())) {
      return file_.MapAt("TrainingJobDefinition");
    }
    const bool is_one = items.size() == 1 && items[0].is_map();
    if (is_one && !file_["TrainingJobDefinition"]) return items[0];
    list.Error(is_one ? "must not be given beside TrainingJobDefinition"
                      : "must be a list of a mapping");
    return list.Called(list.word() + "[0]").With(nullptr);
  }

  // Returns the mapping of the whole search, or else that of its definition;
  // if neither is there, its place is that of the search.
  ForeignNode Either(std::string_view key, std::string_view own_key) const {
    const ForeignNode map = config_.MapAt(key);
    if (map || !definition_) return map;
    const ForeignNode own = definition_.MapAt(own_key);
    return own ? own : map.Called(own.word());
  }

  void PutObjective() {
    const ForeignNode objective =
        Either("HyperParameterTuningJobObjective", "TuningObjective");
    metric_ = objective["MetricName"].text();
    if (!objective["MetricName"]) {
      return objective.Error(
          "is needed to say which trial is the best: Type and MetricName");
    }
    objective.Read(kObjectiveNames);
    PutGoal(objective["Type"], absl::AsciiStrToLower(objective["Type"].text()),
            "must be Maximize or Minimize");
  }

  void PutRanges() {
    const ForeignNode ranges =
        Either("ParameterRanges", "HyperParameterRanges");
    if (!ranges) return ranges.Error("is needed: what is tuned");
    ranges.Read(kRangeListNames);
    for (const ForeignNode& item : ranges["IntegerParameterRanges"].items()) {
      PutRange(item, /*is_whole=*/true);
    }
    for (const ForeignNode& item :
         ranges["ContinuousParameterRanges"].items()) {
      PutRange(item, /*is_whole=*/false);
    }
    for (const ForeignNode& item :
         ranges["CategoricalParameterRanges"].items()) {
      PutCategories(item);
    }
    if (const ForeignNode automatic = ranges["AutoParameters"];
        !automatic.items().empty()) {
      automatic.Error("has ranges that SageMaker chooses; write them");
    }
    parameters_.RequireChoice(ranges);
  }

  // Returns nullopt, after an error, if the range has no name.
  static std::optional<ForeignParameter> ReadName(const ForeignNode& item) {
    const ForeignNode name = item["Name"];
    if (!name) {
      item.Error("must have a Name");
      return std::nullopt;
    }
    item.Read(kRangeNames);
    return ForeignParameter{name.text(), item.word(), name.at(), "Name"};
  }

  void PutRange(const ForeignNode& item, bool is_whole) {
    const auto parameter = ReadName(item);
    if (!parameter.has_value()) return;
    const auto low = item["MinValue"].number();
    const auto high = item["MaxValue"].number();
    if (!low.has_value() || !high.has_value()) {
      return item.Error("must have MinValue and MaxValue, both numbers");
    }
    ForeignRange range = {*low, *high, is_whole};
    ForeignNode scaling = item["ScalingType"];
    // SageMaker's own default.
    if (!scaling) scaling = item["Name"].Called(scaling.word()).With("Auto");
    const std::string scale = scaling.text();
    if (scale == "Logarithmic") {
      range.scale = ForeignScale::kLog;
    } else if (scale == "ReverseLogarithmic") {
      range.scale = ForeignScale::kReverseLog;
      scaling.Note("is dense near MaxValue here, and not near 1");
    } else if (scale == "Auto") {
      scaling.Note("is linear here; Logarithmic is a log scale");
    } else if (scale != "Linear") {
      return scaling.Error(
          "must be Auto, Linear, Logarithmic or ReverseLogarithmic");
    }
    parameters_.AddRange(*parameter, range);
  }

  // The values are texts. Those for scripts have quotes, as constants have.
  void PutCategories(const ForeignNode& item) {
    const auto parameter = ReadName(item);
    if (!parameter.has_value()) return;
    const ForeignNode values = item["Values"];
    if (values.items().empty()) {
      return item.Called(values.word()).Error("must be a list");
    }
    std::vector<const ConfigNode*> texts;
    for (const ForeignNode& value : values.items()) {
      const std::string text = WithoutJsonQuotes(value.text());
      texts.push_back((text == value.text() ? value : value.With(text)).get());
    }
    parameters_.AddTexts(*parameter, texts);
  }

  void PutLimits() {
    const ForeignNode limits = config_.MapAt("ResourceLimits");
    limits.Read(kLimitNames);
    limits["MaxRuntimeInSeconds"].PutSeconds("vernier.limits.maxTime");
    PutCounts(limits["MaxNumberOfTrainingJobs"],
              limits["MaxParallelTrainingJobs"]);
    config_.MapAt("TuningJobCompletionCriteria").Read(kCompletionFields);
  }

  void PutCounts(const ForeignNode& trials, const ForeignNode& parallel) {
    if (trials) {
      trials.Put(kTrialsPath);
      return parallel.Put(kParallelPath);
    }
    // SageMaker does not ask for the number of trials of a grid.
    const bool is_grid = config_["Strategy"].text() == "Grid";
    const auto size = is_grid ? parameters_.combinations() : std::nullopt;
    PutTrials(
        size.has_value() ? trials.With(absl::StrCat(*size), true) : trials,
        parallel);
  }

  void PutStrategy() {
    const ForeignNode strategy = config_["Strategy"];
    const std::string name = strategy.text();
    const bool is_hyperband = name == "Hyperband";
    if (name == "Random") {
      strategy.PutText("vernier.algorithm", "RANDOM_SEARCH");
    } else if (name == "Grid") {
      strategy.PutText("vernier.algorithm", "GRID_SEARCH");
      parameters_.RefuseRangesInGrid(
          "list its values under CategoricalParameterRanges, or take another "
          "Strategy");
    } else if (is_hyperband) {
      strategy.PutText("vernier.earlyStopping.rule", "HYPERBAND");
    } else if (strategy && name != "Bayesian") {
      strategy.Error("must be Bayesian, Random, Grid or Hyperband");
    }
    PutSteps(is_hyperband);
    const ForeignNode stops = config_["TrainingJobEarlyStoppingType"];
    if (!stops || stops.text() == "Off") return;
    if (is_hyperband || stops.text() != "Auto") {
      return stops.Error("must be Off, or Auto without Hyperband");
    }
    // SageMaker compares with the median of the running averages.
    stops.PutText("vernier.earlyStopping.rule", "MEDIAN");
  }

  void PutSteps(bool is_hyperband) {
    for (const ForeignNode& member :
         config_.MapAt("StrategyConfig").members()) {
      if (member.key() == "HyperbandStrategyConfig" && is_hyperband) {
        member.Read(kHyperbandNames);
      } else {
        member.LeaveOut("is not for this Strategy");
      }
    }
  }

  void PutDefinition() {
    if (!definition_) return;
    definition_.Read(kDefinitionFields);
    const ForeignNode stop = definition_.MapAt("StoppingCondition");
    stop.Read(kStopNames);
    stop["MaxRuntimeInSeconds"].PutSeconds("vernier.trialTimeLimit");
    definition_.MapAt("RetryStrategy").Read(kRetryNames);
    CheckResources(definition_.MapAt("ResourceConfig"));
    const bool has_program =
        PutStatic(definition_.MapAt("StaticHyperParameters"));
    PutAlgorithm(definition_.MapAt("AlgorithmSpecification"), has_program);
  }

  static void CheckResources(const ForeignNode& resources) {
    resources.Read(kResourceNames);
    const ForeignNode count = resources["InstanceCount"];
    const ForeignNode groups = resources["InstanceGroups"];
    const bool is_one = !count || count.number() == 1.0;
    if (is_one && !groups) return;
    (is_one ? groups : count)
        .Error(
            "must be one machine: a gang of several has roles in a study "
            "file");
  }

  // Constants are parameters of one value, so that the program gets them, too.
  // Those that SageMaker's containers for scripts read say what to run: returns
  // true then.
  bool PutStatic(const ForeignNode& constants) {
    bool has_program = false;
    for (const ForeignNode& member : constants.members()) {
      const std::string text = WithoutJsonQuotes(member.text());
      if (member.key() == "sagemaker_program") {
        PutCommand(member.value(),
                   {text.ends_with(".py") ? "python3" : "bash", text});
        has_program = true;
      } else if (member.key().starts_with("sagemaker_") ||
                 member.key().starts_with("_tuning_objective_metric")) {
        member.LeaveOut("is for SageMaker's own containers");
      } else if (member.is_single() && text.empty()) {
        member.LeaveOut("is empty, which cannot be a parameter");
      } else {
        const ForeignNode one =
            member.is_single() ? member.value().With(text) : member;
        parameters_.AddTexts({member.key(), member.word(), member.at()},
                             {one.get()});
      }
    }
    return has_program;
  }

  void PutAlgorithm(const ForeignNode& algorithm, bool has_program) {
    algorithm.Read(kAlgorithmNames);
    for (const char* key : {"TrainingImage", "AlgorithmName"}) {
      const ForeignNode image = algorithm[key];
      if (!image) continue;
      image.LeaveOut(
          has_program ? "is where SageMaker runs the script; packages or an "
                        "image of the job take its place"
                      : "reads its parameters from files of SageMaker; give a "
                        "program that takes them as arguments: vernier run "
                        "--config FILE -- python3 train.py");
    }
    const ForeignNode metrics = algorithm["MetricDefinitions"];
    if (!metrics.items().empty()) PutPatterns(metrics);
  }

  void PutPatterns(const ForeignNode& metrics) {
    JobTree& job = metrics.job();
    ConfigNode* const list = job.List(metrics.at());
    bool has_objective = false;
    for (const ForeignNode& item : metrics.items()) {
      const ForeignNode name = item["Name"];
      const ForeignNode regex = item["Regex"];
      if (!name || !regex) {
        item.Error("must have a Name and a Regex");
        continue;
      }
      has_objective = has_objective || name.text() == metric_;
      ConfigNode* const pattern = job.Map(item.at());
      pattern->members.push_back({"metric", name.at(), name.get()});
      pattern->members.push_back(
          {"pattern", regex.at(),
           regex.With(WithNamedValue(regex.text())).get()});
      const std::string path =
          absl::StrCat("vernier.metricPatterns[", list->items.size(), "]");
      job.Call(path + ".pattern", regex.word());
      job.Call(path + ".metric", name.word());
      list->items.push_back(pattern);
    }
    if (!has_objective) {
      return metrics.Error(
          absl::StrCat("has no Regex for the metric ", ShowText(metric_)));
    }
    metrics.With(list).Put("vernier.metricPatterns");
  }

  ForeignNode file_;
  ForeignNode config_;      // HyperParameterTuningJobConfig, or the file.
  ForeignNode definition_;  // Of the training; a file may have none.
  ForeignParameters parameters_;
  std::string metric_;  // Of the objective.
};

}  // namespace

bool IsSageMakerFile(const ConfigNode* root) {
  return IsOfAnotherTool(root) && (root->Find(kConfig) != nullptr ||
                                   root->Find("ParameterRanges") != nullptr);
}

bool ExpandSageMakerFile(ConfigTree& tree, SpecDiagnostics& diagnostics) {
  return ExpandForeignFile(
      tree, diagnostics, "a tuning job of SageMaker",
      [](const ForeignNode& file) { SageMakerExpansion(file).Run(); });
}

}  // namespace vernier
