#include "study/foreign_files/sagemaker_file.h"

#include <algorithm>
#include <cstdint>
#include <optional>
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

constexpr std::string_view kSageMakerSearch = "trainingInput.hyperparameters.";
constexpr std::string_view kConfig = "HyperParameterTuningJobConfig";
constexpr std::string_view kDefinition = "TrainingJobDefinition";
constexpr std::string_view kDefinitions = "TrainingJobDefinitions";

constexpr std::string_view kItsAccount = "is of an account at AWS";
constexpr std::string_view kItsInstances =
    "is a machine of AWS; what a job asks of this machine, of Slurm or of "
    "Kubernetes has fields of its own";
constexpr std::string_view kNoSuchStop =
    "has no counterpart; see limits of a study file";

constexpr std::string_view kRuntime = "MaxRuntimeInSeconds";

constexpr ForeignField kRequestFields[] = {
    {"HyperParameterTuningJobName"},
    {"HyperParameterTuningJobConfig"},
    {"TrainingJobDefinition"},
    {"TrainingJobDefinitions"},
    {"WarmStartConfig", "",
     "names tuning jobs at AWS; prior_studies of a study file names studies "
     "here"},
    {"Tags", "", kItsAccount},
    {"Autotune", "", "is SageMaker's own choice of settings"},
    // Of a description of a job that has been created.
    {"HyperParameterTuningJobArn", "", kItsAccount},
    {"HyperParameterTuningJobStatus", "", kItsAccount},
    {"CreationTime", "", kItsAccount},
    {"HyperParameterTuningEndTime", "", kItsAccount},
    {"LastModifiedTime", "", kItsAccount},
    {"TrainingJobStatusCounters", "", kItsAccount},
    {"ObjectiveStatusCounters", "", kItsAccount},
    {"BestTrainingJob", "", kItsAccount},
    {"OverallBestTrainingJob", "", kItsAccount},
    {"FailureReason", "", kItsAccount},
    {"TuningJobCompletionDetails", "", kItsAccount},
    {"ConsumedResources", "", kItsAccount},
};

constexpr ForeignField kConfigFields[] = {
    {"Strategy"},
    {"StrategyConfig"},
    {"HyperParameterTuningJobObjective"},
    {"ResourceLimits"},
    {"ParameterRanges"},
    {"TrainingJobEarlyStoppingType"},
    {"TuningJobCompletionCriteria"},
    {"RandomSeed", "vernier.seed"},
};

constexpr ForeignField kLimitNames[] = {
    {"MaxNumberOfTrainingJobs"}, {"MaxParallelTrainingJobs"}, {kRuntime}};

constexpr ForeignField kCompletionFields[] = {
    {"TargetObjectiveMetricValue", "vernier.limits.target"},
    {"BestObjectiveNotImproving", "", kNoSuchStop},
    {"ConvergenceDetected", "", kNoSuchStop},
};

constexpr ForeignField kObjectiveNames[] = {
    {"Type"},
    {"MetricName", "trainingInput.hyperparameters.hyperparameterMetricTag"},
};

constexpr ForeignField kDefinitionFields[] = {
    {"DefinitionName", "", kItsAccount},
    {"TuningObjective"},
    {"HyperParameterRanges"},
    {"StaticHyperParameters"},
    {"AlgorithmSpecification"},
    {"Environment", "vernier.environment"},
    {"StoppingCondition"},
    {"ResourceConfig"},
    {"RetryStrategy"},
    {"RoleArn", "", kItsAccount},
    {"InputDataConfig", "",
     "is data that SageMaker brings to the machine; give the program its path"},
    {"OutputDataConfig", "",
     "is a bucket of AWS; outputs of a study file names a folder for each "
     "trial"},
    {"CheckpointConfig", "",
     "is a bucket of AWS; outputs of a study file names a folder for each "
     "trial"},
    {"VpcConfig", "", kItsAccount},
    {"HyperParameterTuningResourceConfig", "", kItsInstances},
    {"EnableNetworkIsolation", "", kItsInstances},
    {"EnableInterContainerTrafficEncryption", "", kItsInstances},
    {"EnableManagedSpotTraining", "", kItsInstances},
};

constexpr ForeignField kAlgorithmNames[] = {
    {"TrainingInputMode", "", "is how SageMaker brings data to the machine"},
    {"TrainingImage"},
    {"AlgorithmName"},
    {"MetricDefinitions"},
};

constexpr ForeignField kResourceNames[] = {
    {"InstanceCount"},
    {"InstanceType", "", kItsInstances},
    {"VolumeSizeInGB", "", kItsInstances},
    {"VolumeKmsKeyId", "", kItsAccount},
    {"KeepAlivePeriodInSeconds", "", kItsInstances},
    {"InstanceGroups"},
};

constexpr ForeignField kStopNames[] = {
    {kRuntime},
    {"MaxWaitTimeInSeconds", "", kItsInstances},
    {"MaxPendingTimeInSeconds", "", kItsInstances},
};

constexpr ForeignField kRetryNames[] = {
    {"MaximumRetryAttempts", "vernier.retry.maxInfrastructureRetries"},
};

constexpr ForeignField kRangeNames[] = {
    {"Name"}, {"MinValue"}, {"MaxValue"}, {"ScalingType"}, {"Values"}};
constexpr ForeignField kRangeListNames[] = {{"IntegerParameterRanges"},
                                            {"ContinuousParameterRanges"},
                                            {"CategoricalParameterRanges"},
                                            {"AutoParameters"}};

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
  SageMakerExpansion(JobTree* job, SpecDiagnostics* diagnostics,
                     const ConfigNode& file)
      : job_(job),
        fields_(job, diagnostics, "a tuning job of SageMaker"),
        parameters_(job, file.position, kSageMakerWords) {}

  void Run(const ConfigNode& file) {
    job_->Make("trainingInput");
    const bool is_whole = ValueAt(file, kConfig) != nullptr;
    const std::string config_word = is_whole ? std::string(kConfig) : "";
    const ConfigNode* config = &file;
    const ConfigNode* definition = nullptr;
    if (is_whole) {
      if (HasSeveralDefinitions(file)) return;
      fields_.Read(file, "", kRequestFields);
      PutName(file);
      config = fields_.MapAt(file, kConfig, "");
      definition = DefinitionIn(file);
    }
    if (config == nullptr) return;
    fields_.Read(*config, config_word, kConfigFields);
    PutObjective(*config, config_word, definition);
    PutRanges(*config, config_word, definition);
    PutLimits(*config, config_word);
    PutStrategy(*config, config_word);
    if (definition != nullptr) PutDefinition(*definition);
    parameters_.PutIntoJob(WordBelow(config_word, "ParameterRanges"));
    job_->Call("trainingInput.hyperparameters",
               is_whole ? config_word : "ParameterRanges");
    job_->Call("trainingInput.pythonModule", definition_word_);
  }

 private:
  void PutName(const ConfigNode& file) {
    constexpr const char* kWord = "HyperParameterTuningJobName";
    const ConfigNode* const name = ValueAt(file, kWord);
    if (name == nullptr || PutJobName(*name, kWord, job_)) return;
    fields_.LeaveOut(name->position, kWord,
                     "can be no job's name here; give one with --name");
  }

  // Returns true, after an error, for a file of which nothing else is said.
  bool HasSeveralDefinitions(const ConfigNode& file) {
    const ConfigNode* const list = ValueAt(file, kDefinitions);
    if (list == nullptr || list->items.size() < 2) return false;
    job_->Error(*list, kDefinitions,
                "tunes several algorithms at once; make a job of each, with "
                "TrainingJobDefinition");
    return true;
  }

  // A list of one is as good as the definition itself.
  const ConfigNode* DefinitionIn(const ConfigNode& file) {
    const ConfigNode* const list = ValueAt(file, kDefinitions);
    if (list == nullptr ||
        (list->kind == ConfigNode::Kind::kList && list->items.empty())) {
      return fields_.MapAt(file, kDefinition, "");
    }
    definition_word_ = absl::StrCat(std::string(kDefinitions), "[0]");
    const bool is_one = list->items.size() == 1 &&
                        list->items[0]->kind == ConfigNode::Kind::kMap;
    if (is_one && ValueAt(file, kDefinition) == nullptr) return list->items[0];
    job_->Error(*list, kDefinitions,
                is_one ? "must not be given beside TrainingJobDefinition"
                       : "must be a list of a mapping");
    return nullptr;
  }

  void PutObjective(const ConfigNode& config, const std::string& config_word,
                    const ConfigNode* definition) {
    std::string word =
        WordBelow(config_word, "HyperParameterTuningJobObjective");
    const ConfigNode* objective =
        fields_.MapAt(config, "HyperParameterTuningJobObjective", config_word);
    if (objective == nullptr && definition != nullptr) {
      word = WordBelow(definition_word_, "TuningObjective");
      objective =
          fields_.MapAt(*definition, "TuningObjective", definition_word_);
    }
    const ConfigNode* const name =
        objective == nullptr ? nullptr : ValueAt(*objective, "MetricName");
    if (name == nullptr) {
      return job_->Error(objective == nullptr ? config : *objective, word,
                         "is needed to say which trial is the best: Type and "
                         "MetricName");
    }
    fields_.Read(*objective, word, kObjectiveNames);
    metric_ = name->scalar;
    const ConfigNode* const type = ValueAt(*objective, "Type");
    const std::string goal = absl::AsciiStrToUpper(TextOf(type));
    if (goal != "MAXIMIZE" && goal != "MINIMIZE") {
      return job_->Error(type == nullptr ? *objective : *type, word + ".Type",
                         "must be Maximize or Minimize");
    }
    job_->Put(std::string(kSageMakerSearch) + "goal", word + ".Type",
              type->position, job_->Text(goal, type->position));
  }

  void PutRanges(const ConfigNode& config, const std::string& config_word,
                 const ConfigNode* definition) {
    std::string word = WordBelow(config_word, "ParameterRanges");
    const ConfigNode* ranges =
        fields_.MapAt(config, "ParameterRanges", config_word);
    if (ranges == nullptr && definition != nullptr) {
      word = WordBelow(definition_word_, "HyperParameterRanges");
      ranges =
          fields_.MapAt(*definition, "HyperParameterRanges", definition_word_);
    }
    if (ranges == nullptr) {
      return job_->Error(config, word, "is needed: what is tuned");
    }
    fields_.Read(*ranges, word, kRangeListNames);
    for (const char* kind :
         {"IntegerParameterRanges", "ContinuousParameterRanges",
          "CategoricalParameterRanges"}) {
      const ConfigNode* const list = ValueAt(*ranges, kind);
      for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
        PutRange(*list->items[i], kind,
                 absl::StrCat(WordBelow(word, kind), "[", i, "]"));
      }
    }
    if (const auto* automatic = ValueAt(*ranges, "AutoParameters");
        automatic != nullptr && !automatic->items.empty()) {
      job_->Error(*automatic, WordBelow(word, "AutoParameters"),
                  "has ranges that SageMaker chooses; write them");
    }
    if (!parameters_.has_choice() && !fields_.has_errors()) {
      job_->Error(*ranges, word, "has no parameter with more than one value");
    }
  }

  void PutRange(const ConfigNode& item, std::string_view kind,
                const std::string& word) {
    const ConfigNode* const name = ValueAt(item, "Name");
    if (name == nullptr) return job_->Error(item, word, "must have a Name");
    fields_.Read(item, word, kRangeNames);
    const ForeignParameter parameter = {name->scalar, word, name->position,
                                        "Name"};
    if (kind == "CategoricalParameterRanges") {
      return PutCategories(parameter, item);
    }
    const auto low = NumberOf(ValueAt(item, "MinValue"));
    const auto high = NumberOf(ValueAt(item, "MaxValue"));
    if (!low.has_value() || !high.has_value()) {
      return job_->Error(item, word,
                         "must have MinValue and MaxValue, both numbers");
    }
    ForeignRange range = {*low, *high, kind == "IntegerParameterRanges"};
    const ConfigNode* const scaling = ValueAt(item, "ScalingType");
    // SageMaker's own default.
    const std::string scale = scaling == nullptr ? "Auto" : TextOf(scaling);
    if (scale == "Logarithmic") {
      range.scale = ForeignScale::kLog;
    } else if (scale == "ReverseLogarithmic") {
      range.scale = ForeignScale::kReverseLog;
      fields_.Note(scaling->position, word + ".ScalingType",
                   "is dense near MaxValue here, and not near 1");
    } else if (scale == "Auto") {
      fields_.Note(scaling == nullptr ? name->position : scaling->position,
                   word + ".ScalingType",
                   "is linear here; Logarithmic is a log scale");
    } else if (scale != "Linear") {
      return job_->Error(*scaling, word + ".ScalingType",
                         "must be Auto, Linear, Logarithmic or "
                         "ReverseLogarithmic");
    }
    parameters_.AddRange(parameter, range);
  }

  // The values are texts. Those for scripts have quotes, as constants have.
  void PutCategories(const ForeignParameter& parameter,
                     const ConfigNode& item) {
    const ConfigNode* const values = ValueAt(item, "Values");
    if (values == nullptr || values->items.empty()) {
      return job_->Error(item, parameter.word + ".Values", "must be a list");
    }
    std::vector<const ConfigNode*> texts;
    for (const ConfigNode* const value : values->items) {
      const std::string text = WithoutJsonQuotes(value->scalar);
      texts.push_back(
          text == value->scalar ? value : job_->Text(text, value->position));
    }
    parameters_.AddTexts(parameter, texts);
  }

  void PutLimits(const ConfigNode& config, const std::string& config_word) {
    const std::string word = WordBelow(config_word, "ResourceLimits");
    const ConfigNode* const limits =
        fields_.MapAt(config, "ResourceLimits", config_word);
    if (limits != nullptr) {
      fields_.Read(*limits, word, kLimitNames);
      fields_.PutSeconds(*limits, kRuntime, word, "vernier.limits.maxTime");
    }
    PutTrialCounts(config, limits, word);
    if (const auto* criteria =
            fields_.MapAt(config, "TuningJobCompletionCriteria", config_word)) {
      fields_.Read(*criteria,
                   WordBelow(config_word, "TuningJobCompletionCriteria"),
                   kCompletionFields);
    }
  }

  void PutTrialCounts(const ConfigNode& config, const ConfigNode* limits,
                      const std::string& word) {
    const ConfigNode& at = limits == nullptr ? config : *limits;
    const auto limit = [limits](const char* key) {
      return limits == nullptr ? nullptr : ValueAt(*limits, key);
    };
    const ConfigNode* trials = limit("MaxNumberOfTrainingJobs");
    const ConfigNode* parallel = limit("MaxParallelTrainingJobs");
    const std::string trials_word = word + ".MaxNumberOfTrainingJobs";
    if (const auto size = GridSize(config);
        trials == nullptr && size.has_value()) {
      trials = job_->Text(absl::StrCat(*size), at.position, true);
      const bool is_more =
          NumberOf(parallel).value_or(0) > static_cast<double>(*size);
      if (is_more) parallel = trials;
    }
    if (trials == nullptr) {
      return job_->Error(at, trials_word,
                         "is required: a job has a last trial");
    }
    job_->Put(std::string(kSageMakerSearch) + "maxTrials", trials_word,
              trials->position, trials);
    if (parallel == nullptr) return;
    job_->Put(std::string(kSageMakerSearch) + "maxParallelTrials",
              word + ".MaxParallelTrainingJobs", parallel->position, parallel);
  }

  // Returns the number of trials of a grid, which SageMaker does not ask for.
  std::optional<std::int64_t> GridSize(const ConfigNode& config) const {
    const bool is_grid = TextOf(ValueAt(config, "Strategy")) == "Grid";
    return is_grid ? parameters_.combinations() : std::nullopt;
  }

  void PutStrategy(const ConfigNode& config, const std::string& config_word) {
    const ConfigNode* const strategy = ValueAt(config, "Strategy");
    const std::string name = TextOf(strategy);
    const std::string word = WordBelow(config_word, "Strategy");
    const auto put = [&](const char* path, const char* text) {
      job_->Put(path, word, strategy->position,
                job_->Text(text, strategy->position));
    };
    const bool is_hyperband = name == "Hyperband";
    if (name == "Random") {
      put("vernier.algorithm", "RANDOM_SEARCH");
    } else if (name == "Grid") {
      put("vernier.algorithm", "GRID_SEARCH");
      parameters_.RefuseRangesInGrid(
          "list its values under CategoricalParameterRanges, or take another "
          "Strategy");
    } else if (is_hyperband) {
      put("vernier.earlyStopping.rule", "HYPERBAND");
    } else if (strategy != nullptr && name != "Bayesian") {
      job_->Error(*strategy, word,
                  "must be Bayesian, Random, Grid or Hyperband");
    }
    PutResources(config, config_word, is_hyperband);
    constexpr const char* kStops = "TrainingJobEarlyStoppingType";
    const ConfigNode* const stops = ValueAt(config, kStops);
    if (stops == nullptr || stops->scalar == "Off") return;
    if (is_hyperband || stops->scalar != "Auto") {
      return job_->Error(*stops, WordBelow(config_word, kStops),
                         "must be Off, or Auto without Hyperband");
    }
    // SageMaker compares with the median of the running averages.
    job_->Put("vernier.earlyStopping.rule", WordBelow(config_word, kStops),
              stops->position, job_->Text("MEDIAN", stops->position));
  }

  void PutResources(const ConfigNode& config, const std::string& config_word,
                    bool is_hyperband) {
    const std::string word = WordBelow(config_word, "StrategyConfig");
    const ConfigNode* const settings =
        fields_.MapAt(config, "StrategyConfig", config_word);
    if (settings == nullptr) return;
    for (const ConfigMember& member : settings->members) {
      const std::string own = WordBelow(word, member.key);
      if (member.key != "HyperbandStrategyConfig" || !is_hyperband) {
        fields_.LeaveOut(member.position, own, "is not for this Strategy");
        continue;
      }
      constexpr ForeignField kHyperbandNames[] = {
          {"MinResource", "vernier.earlyStopping.minSteps"},
          {"MaxResource", "vernier.earlyStopping.maxSteps"}};
      fields_.Read(*member.value, own, kHyperbandNames);
    }
  }

  void PutDefinition(const ConfigNode& definition) {
    fields_.Read(definition, definition_word_, kDefinitionFields);
    const std::string& word = definition_word_;
    if (const auto* stop =
            fields_.MapAt(definition, "StoppingCondition", definition_word_)) {
      fields_.Read(*stop, word + ".StoppingCondition", kStopNames);
      fields_.PutSeconds(*stop, kRuntime, word + ".StoppingCondition",
                         "vernier.trialTimeLimit");
    }
    if (const auto* retry =
            fields_.MapAt(definition, "RetryStrategy", definition_word_)) {
      fields_.Read(*retry, word + ".RetryStrategy", kRetryNames);
    }
    CheckResources(
        fields_.MapAt(definition, "ResourceConfig", definition_word_));
    const bool has_program = PutStatic(
        fields_.MapAt(definition, "StaticHyperParameters", definition_word_));
    PutAlgorithm(
        fields_.MapAt(definition, "AlgorithmSpecification", definition_word_),
        has_program);
  }

  void CheckResources(const ConfigNode* resources) {
    if (resources == nullptr) return;
    const std::string word = WordBelow(definition_word_, "ResourceConfig");
    fields_.Read(*resources, word, kResourceNames);
    const ConfigNode* const count = ValueAt(*resources, "InstanceCount");
    const ConfigNode* const groups = ValueAt(*resources, "InstanceGroups");
    const bool is_one = count == nullptr || NumberOf(count) == 1.0;
    if (is_one && groups == nullptr) return;
    job_->Error(is_one ? *groups : *count,
                word + (is_one ? ".InstanceGroups" : ".InstanceCount"),
                "must be one machine: a gang of several has roles in a study "
                "file");
  }

  // Constants are parameters of one value, so that the program gets them, too.
  // Those that SageMaker's containers for scripts read say what to run: returns
  // true then.
  bool PutStatic(const ConfigNode* constants) {
    if (constants == nullptr) return false;
    constexpr std::string_view kOwnNames[] = {"sagemaker_",
                                              "_tuning_objective_metric"};
    constexpr std::string_view kProgram = "sagemaker_program";
    bool has_program = false;
    for (const ConfigMember& member : constants->members) {
      const std::string word = absl::StrCat(
          definition_word_, ".StaticHyperParameters.", ShowText(member.key));
      const ConfigNode& value = *member.value;
      const std::string text = WithoutJsonQuotes(value.scalar);
      if (member.key == kProgram) {
        PutScript(text, word, value.position);
        has_program = true;
      } else if (std::any_of(std::begin(kOwnNames), std::end(kOwnNames),
                             [&member](std::string_view own) {
                               return member.key.starts_with(own);
                             })) {
        fields_.LeaveOut(member.position, word,
                         "is for SageMaker's own containers");
      } else if (value.kind == ConfigNode::Kind::kScalar && text.empty()) {
        fields_.LeaveOut(member.position, word,
                         "is empty, which cannot be a parameter");
      } else {
        const ConfigNode* one = job_->Text(text, value.position);
        if (value.kind != ConfigNode::Kind::kScalar) one = &value;
        parameters_.AddTexts({member.key, word, member.position}, {one});
      }
    }
    return has_program;
  }

  void PutScript(const std::string& script, const std::string& word,
                 const ConfigPosition& position) {
    ConfigNode* const words = job_->List(position);
    words->items.push_back(
        job_->Text(script.ends_with(".py") ? "python3" : "bash", position));
    words->items.push_back(job_->Text(script, position));
    job_->Put("vernier.command", word, position, words);
  }

  void PutAlgorithm(const ConfigNode* algorithm, bool has_program) {
    if (algorithm == nullptr) return;
    const std::string word =
        WordBelow(definition_word_, "AlgorithmSpecification");
    fields_.Read(*algorithm, word, kAlgorithmNames);
    for (const char* key : {"TrainingImage", "AlgorithmName"}) {
      const ConfigNode* const image = ValueAt(*algorithm, key);
      if (image == nullptr) continue;
      fields_.LeaveOut(
          image->position, WordBelow(word, key),
          has_program ? "is where SageMaker runs the script; packages or an "
                        "image of the job take its place"
                      : "reads its parameters from files of SageMaker; give a "
                        "program that takes them as arguments: vernier run "
                        "--config FILE -- python3 train.py");
    }
    const ConfigNode* const metrics = ValueAt(*algorithm, "MetricDefinitions");
    if (metrics == nullptr || metrics->items.empty()) return;
    PutPatterns(*metrics, word + ".MetricDefinitions");
  }

  void PutPatterns(const ConfigNode& metrics, const std::string& word) {
    ConfigNode* const list = job_->List(metrics.position);
    bool has_objective = false;
    for (std::size_t i = 0; i < metrics.items.size(); ++i) {
      const ConfigNode& item = *metrics.items[i];
      const ConfigNode* const name = ValueAt(item, "Name");
      const ConfigNode* const regex = ValueAt(item, "Regex");
      const std::string own = absl::StrCat(word, "[", i, "]");
      if (name == nullptr || regex == nullptr) {
        job_->Error(item, own, "must have a Name and a Regex");
        continue;
      }
      has_objective = has_objective || name->scalar == metric_;
      ConfigNode* const pattern = job_->Map(item.position);
      pattern->members.push_back({"metric", name->position, name});
      pattern->members.push_back(
          {"pattern", regex->position,
           job_->Text(WithNamedValue(regex->scalar), regex->position)});
      const std::string path = absl::StrCat("vernier.metricPatterns[", i, "]");
      job_->Call(path + ".pattern", own + ".Regex");
      job_->Call(path + ".metric", own + ".Name");
      list->items.push_back(pattern);
    }
    if (!has_objective) {
      return job_->Error(
          metrics, word,
          absl::StrCat("has no Regex for the metric ", ShowText(metric_)));
    }
    job_->Put("vernier.metricPatterns", word, metrics.position, list);
  }

  JobTree* job_;
  ForeignFields fields_;
  ForeignParameters parameters_;
  std::string metric_;  // Of the objective.
  std::string definition_word_ = std::string(kDefinition);
};

}  // namespace

bool IsSageMakerFile(const ConfigNode* root) {
  if (root == nullptr || root->kind != ConfigNode::Kind::kMap) return false;
  for (const char* field : {"jobId", "trainingInput", "vernier", "run"}) {
    if (root->Find(field) != nullptr) return false;
  }
  return root->Find(kConfig) != nullptr ||
         root->Find("ParameterRanges") != nullptr;
}

bool ExpandSageMakerFile(ConfigTree& tree, SpecDiagnostics& diagnostics) {
  const ConfigNode& file = *tree.root;
  JobTree job(&tree, &diagnostics, file.position);
  SageMakerExpansion(&job, &diagnostics, file).Run(file);
  tree.root = job.root();
  diagnostics.Rename(job.TakeWords(), &ForeignMessage);
  return !diagnostics.has_errors();
}

}  // namespace vernier
