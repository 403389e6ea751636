#include "study/foreign_files/nni_file.h"

#include <algorithm>
#include <cmath>
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
#include "study/parameter_name.h"
#include "study/study_file/value_forms.h"

namespace vernier {
namespace {

constexpr std::string_view kNniSearch = "trainingInput.hyperparameters.";
constexpr std::string_view kItsManager = "is of NNI's own manager";
constexpr std::string_view kItsService =
    "says where NNI runs trials; here the job runs on this machine, or with "
    "on: slurm or kubernetes in a study file";

// Names of version 1 stand beside those of version 2.
constexpr ForeignField kNniFields[] = {
    {"experimentName"},
    {"searchSpace"},
    {"searchSpaceFile"},
    {"searchSpacePath"},
    {"trialCommand"},
    {"trialCodeDirectory", "vernier.codeDir"},
    {"trialGpuNumber", "vernier.gpusPerReplica"},
    {"trial"},
    {"trialConcurrency"},
    {"maxTrialNumber"},
    {"maxTrialNum"},
    {"maxExperimentDuration"},
    {"maxExecDuration"},
    {"maxTrialDuration"},
    {"useAnnotation"},
    {"tuner"},
    {"assessor"},
    {"advisor"},
    {"trainingService"},
    {"trainingServicePlatform"},
    {"experimentType"},
    {"authorName", "", kItsManager},
    {"description", "", kItsManager},
    {"debug", "", kItsManager},
    {"logLevel", "", kItsManager},
    {"logDir", "", kItsManager},
    {"logCollection", "", kItsManager},
    {"versionCheck", "", kItsManager},
    {"multiThread", "", kItsManager},
    {"multiPhase", "", kItsManager},
    {"nniManagerIp", "", kItsManager},
    {"nniManagerNFSMountPath", "", kItsManager},
    {"experimentWorkingDirectory", "", kItsManager},
    {"tunerGpuIndices", "", kItsManager},
    {"sharedStorage", "", kItsService},
    {"machineList", "", kItsService},
    {"localConfig", "", kItsService},
    {"remoteConfig", "", kItsService},
    {"paiConfig", "", kItsService},
    {"amlConfig", "", kItsService},
    {"dlcConfig", "", kItsService},
    {"dltsConfig", "", kItsService},
    {"heterogeneousConfig", "", kItsService},
    {"adlConfig", "", kItsService},
    {"hybridConfig", "", kItsService},
    {"kubeflowConfig", "", kItsService},
    {"frameworkcontrollerConfig", "", kItsService},
};

constexpr ForeignField kOldTrialFields[] = {
    {"command"},
    {"codeDir", "vernier.codeDir"},
    {"gpuNum", "vernier.gpusPerReplica"},
    {"master"},
    {"worker"},
    {"ps"},
    {"taskRoles"},
    {"namespace", "", kItsService},
    {"adaptive", "", kItsService},
    {"nfs", "", kItsService},
    {"storage", "", kItsService},
    {"checkpoint", "", kItsService},
    {"imagePullSecrets", "", kItsService},
    {"portList", "", kItsService},
    {"shmMB", "", kItsService},
    {"privateRegistryAuthPath", "", kItsService},
    {"cpuNum", "", kItsService},
    {"memoryMB", "", kItsService},
    {"image", "", kItsService},
    {"virtualCluster", "", kItsService},
    {"nniManagerNFSMountPath", "", kItsService},
    {"containerNFSMountPath", "", kItsService},
    {"paiStorageConfigName", "", kItsService},
    {"paiConfigPath", "", kItsService},
    {"authFile", "", kItsService},
};

// A tuner of NNI, and the algorithm of a job file; empty: the default.
struct NniTuner {
  std::string_view name;
  std::string_view algorithm;
};
constexpr NniTuner kTuners[] = {
    {"random", "RANDOM_SEARCH"},
    {"gridsearch", "GRID_SEARCH"},
    {"tpe", ""},
    {"anneal", ""},
    {"evolution", ""},
    {"smac", ""},
    {"metis", ""},
    {"metistuner", ""},
    {"gp", ""},
    {"gptuner", ""},
    {"dngo", ""},
    {"dngotuner", ""},
};

struct NniType {
  std::string_view name;
  std::size_t numbers;  // In _value.
  ForeignScale scale;
};
// Of loguniform the bounds are the values themselves.
constexpr NniType kNniTypes[] = {
    {"uniform", 2, ForeignScale::kLinear},
    {"loguniform", 2, ForeignScale::kLog},
    {"quniform", 3, ForeignScale::kLinear},
    {"qloguniform", 3, ForeignScale::kLog},
    {"randint", 2, ForeignScale::kLinear},
};

constexpr std::pair<std::string_view, std::string_view> kNniWords[] = {
    {"minValue", "_value"},
    {"maxValue", "_value"},
    {"discreteValues", "_value"},
    {"categoricalValues", "_value"},
};

constexpr std::string_view kOneChange =
    "has to take its parameters by vernier_hpo.trial().params, in place of "
    "nni.get_next_parameter(), and to report by "
    "vernier_hpo.report(\"default\", "
    "X, STEP), in place of nni.report_intermediate_result(X) and "
    "nni.report_final_result(X)";

/// Turns the fields of one experiment of NNI into those of a job file.
class NniExpansion {
 public:
  NniExpansion(JobTree* job, SpecDiagnostics* diagnostics,
               const ConfigNode& file)
      : job_(job),
        file_(file),
        fields_(job, diagnostics, "an experiment of NNI"),
        parameters_(job, file.position, kNniWords) {}

  void Run() {
    job_->Make("trainingInput");
    fields_.Read(file_, "", kNniFields);
    if (const ConfigNode* name = ValueAt(file_, "experimentName");
        name != nullptr && !PutJobName(*name, "experimentName", job_)) {
      fields_.LeaveOut(name->position, "experimentName",
                       "can be no job's name here; give one with --name");
    }
    PutSpace();
    PutProgram();
    PutCounts();
    PutDurations();
    PutTuner();
    PutAssessor();
    PutService();
    job_->Call("trainingInput.hyperparameters", "searchSpace");
    job_->Call("trainingInput.pythonModule", "trialCommand");
  }

 private:
  // Returns the value of the field, which version 1 calls `old_key`.
  const ConfigNode* Either(const char* key, const char* old_key) const {
    const ConfigNode* const value = ValueAt(file_, key);
    return value != nullptr ? value : ValueAt(file_, old_key);
  }

  void PutSpace() {
    if (const auto* annotation = ValueAt(file_, "useAnnotation");
        annotation != nullptr && annotation->scalar != "false") {
      job_->Error(*annotation, "useAnnotation",
                  "has the search space in the program's text; write it here, "
                  "as searchSpace");
      return;
    }
    if (const auto* file = Either("searchSpaceFile", "searchSpacePath");
        file != nullptr && ValueAt(file_, "searchSpace") == nullptr) {
      job_->Error(*file, "searchSpaceFile",
                  "cannot be read here; write what it holds in its place, as "
                  "searchSpace");
      return;
    }
    const ConfigNode* const space = fields_.MapAt(file_, "searchSpace", "");
    if (space == nullptr || space->members.empty()) {
      return job_->Error(space == nullptr ? file_ : *space, "searchSpace",
                         "must have the parameters by name");
    }
    PutMembers(*space, "");
    parameters_.PutIntoJob("searchSpace");
    if (!parameters_.has_choice() && !fields_.has_errors()) {
      job_->Error(*space, "searchSpace",
                  "has no parameter with more than one value");
    }
  }

  void PutMembers(const ConfigNode& space, const std::string& prefix) {
    if (prefix.size() > kMaxParameterName) {
      return job_->Error(space, "searchSpace", "has too long names");
    }
    for (const ConfigMember& member : space.members) {
      if (member.key == "_name") continue;
      const ForeignParameter parameter = {
          prefix + member.key,
          absl::StrCat("searchSpace.", ShowText(prefix + member.key)),
          member.position};
      const ConfigNode& value = *member.value;
      const ConfigNode* const type = ValueAt(value, "_type");
      const ConfigNode* const values = ValueAt(value, "_value");
      if (type == nullptr || values == nullptr ||
          values->kind != ConfigNode::Kind::kList || values->items.empty()) {
        job_->Error(member.position, parameter.word,
                    "must have _type and _value, a list");
        continue;
      }
      for (const ConfigMember& field : value.members) {
        if (field.key == "_type" || field.key == "_value") continue;
        job_->Error(field.position,
                    absl::StrCat(parameter.word, ".", ShowText(field.key)),
                    "is no field of a parameter of NNI");
      }
      PutParameter(parameter, *type, *values);
    }
  }

  void PutParameter(const ForeignParameter& parameter, const ConfigNode& type,
                    const ConfigNode& values) {
    if (type.scalar == "choice") return PutChoice(parameter, values);
    const auto known = std::find_if(
        std::begin(kNniTypes), std::end(kNniTypes),
        [&](const NniType& each) { return each.name == type.scalar; });
    if (known == std::end(kNniTypes)) {
      return job_->Error(
          type, parameter.word + "._type",
          absl::StrCat("has no counterpart here: ", ShowText(type.scalar),
                       "; take choice, randint, uniform, loguniform, quniform "
                       "or qloguniform"));
    }
    std::vector<double> numbers;
    for (const ConfigNode* const item : values.items) {
      if (const auto number = NumberOf(item)) numbers.push_back(*number);
    }
    if (numbers.size() != known->numbers ||
        numbers.size() != values.items.size()) {
      return job_->Error(values, parameter.word + "._value",
                         absl::StrCat("must be a list of ", known->numbers,
                                      " numbers for ", type.scalar));
    }
    if (known->name == "randint") {
      // The upper end is not among the values.
      parameters_.AddRange(
          parameter, {std::ceil(numbers[0]), std::ceil(numbers[1]) - 1, true});
      return;
    }
    const ForeignRange range = {numbers[0], numbers[1], false, known->scale};
    if (known->numbers == 2) {
      parameters_.AddRange(parameter, range);
    } else if (!(numbers[2] > 0) || !(numbers[0] <= numbers[1])) {
      job_->Error(values, parameter.word + "._value",
                  "must be low, high and a step > 0, with low <= high");
    } else {
      parameters_.AddRounded(parameter, range, numbers[2], /*is_cut=*/true);
    }
  }

  static bool IsNested(const ConfigNode& values) {
    return std::all_of(values.items.begin(), values.items.end(),
                       [](const auto* item) {
                         return item->kind == ConfigNode::Kind::kMap &&
                                ValueAt(*item, "_name") != nullptr;
                       });
  }

  // The parameters of a nested choice exist for their own value of it only.
  void PutChoice(const ForeignParameter& parameter, const ConfigNode& values) {
    if (!IsNested(values)) {
      parameters_.AddValues(parameter, values.items);
      return;
    }
    std::vector<const ConfigNode*> names;
    for (const ConfigNode* const item : values.items) {
      names.push_back(ValueAt(*item, "_name"));
    }
    const auto made = parameters_.AddTexts(parameter, names);
    if (made.map == nullptr) return;
    for (const ConfigNode* const item : values.items) {
      if (item->members.size() == 1) continue;
      ConfigNode* const name = job_->List(item->position);
      name->items.push_back(ValueAt(*item, "_name"));
      parameters_.Enter(made, "parentCategoricalValues", name);
      // Two choices may have parameters of the same name.
      PutMembers(*item, absl::StrCat(parameter.name, ".",
                                     ValueAt(*item, "_name")->scalar, "."));
      parameters_.Leave();
    }
  }

  void PutProgram() {
    const ConfigNode* command = ValueAt(file_, "trialCommand");
    const ConfigNode* const trial = ValueAt(file_, "trial");
    std::string word = "trialCommand";
    if (trial != nullptr && trial->kind == ConfigNode::Kind::kMap) {
      fields_.Read(*trial, "trial", kOldTrialFields);
      command = ValueAt(*trial, "command");
      word = "trial.command";
      for (const char* role : {"master", "worker", "ps", "taskRoles"}) {
        const ConfigNode* const given = ValueAt(*trial, role);
        if (given == nullptr) continue;
        job_->Error(*given, WordBelow("trial", role),
                    "is a part of a cluster's job; write the command of one "
                    "process as trialCommand, or roles in a study file");
      }
    } else if (trial != nullptr) {
      fields_.LeaveOut(trial->position, "trial", std::string(kItsService));
    }
    if (command == nullptr) return;
    PutShellCommand(command->scalar, word, command->position, "sh", job_);
    fields_.Note(command->position, word, std::string(kOneChange));
    job_->Put("vernier.argStyle", word, command->position,
              job_->Text("NONE", command->position));
    if (job_->Has("vernier.codeDir")) return;
    job_->Put("vernier.codeDir", word, command->position,
              job_->Text(".", command->position));
  }

  void PutCounts() {
    const ConfigNode* trials = Either("maxTrialNumber", "maxTrialNum");
    const bool has_duration =
        Either("maxExperimentDuration", "maxExecDuration") != nullptr;
    if (trials == nullptr && has_duration) {
      trials = job_->Text("1000000", file_.position, true);
    }
    if (trials == nullptr) {
      return job_->Error(file_, "maxTrialNumber",
                         "is required: a job has a last trial");
    }
    const std::string path(kNniSearch);
    job_->Put(path + "maxTrials", "maxTrialNumber", trials->position, trials);
    const ConfigNode* const parallel = ValueAt(file_, "trialConcurrency");
    if (parallel == nullptr) return;
    const bool is_more = NumberOf(parallel).value_or(0) >
                         NumberOf(trials).value_or(kMaxExactInteger);
    job_->Put(path + "maxParallelTrials", "trialConcurrency",
              parallel->position, is_more ? trials : parallel);
  }

  void PutDurations() {
    PutDuration(Either("maxExperimentDuration", "maxExecDuration"),
                "maxExperimentDuration", "vernier.limits.maxTime");
    PutDuration(ValueAt(file_, "maxTrialDuration"), "maxTrialDuration",
                "vernier.trialTimeLimit");
  }

  void PutDuration(const ConfigNode* value, const char* word,
                   const char* path) {
    if (value == nullptr) return;
    // A number alone is seconds.
    const auto seconds = NumberOf(value).has_value()
                             ? value->scalar + "s"
                             : SecondsFromWords(value->scalar);
    if (!seconds.has_value()) {
      return job_->Error(*value, word, "must be such as 90s, 30m, 2h or 1d");
    }
    job_->Put(path, word, value->position,
              job_->Text(*seconds, value->position));
  }

  void PutTuner() {
    if (const ConfigNode* advisor = ValueAt(file_, "advisor")) {
      return job_->Error(*advisor, "advisor",
                         "has no counterpart: it gives each trial a budget, "
                         "TRIAL_BUDGET; take a tuner, and stop_early of a "
                         "study file");
    }
    const std::string path(kNniSearch);
    // What a program of NNI reports has no name but this.
    job_->Put(path + "hyperparameterMetricTag", "tuner", file_.position,
              job_->Text("default", file_.position));
    const ConfigNode* const tuner = fields_.MapAt(file_, "tuner", "");
    if (tuner == nullptr) {
      return job_->Error(file_, "tuner",
                         "is needed to say if more is better: {name: TPE, "
                         "classArgs: {optimize_mode: maximize}}");
    }
    PutAlgorithm(*tuner);
    const ConfigNode* goal = nullptr;
    for (const ConfigMember& member : tuner->members) {
      if (member.key == "name" || member.key == "builtinTunerName" ||
          member.key == "className") {
        continue;
      }
      if (member.key != "classArgs") {
        LeaveOutOf("tuner", member);
        continue;
      }
      for (const ConfigMember& argument : member.value->members) {
        if (argument.key == "optimize_mode") {
          goal = argument.value;
        } else {
          LeaveOutOf("tuner.classArgs", argument);
        }
      }
    }
    // NNI's tuners maximize what has no mode.
    const std::string mode = goal == nullptr ? "maximize" : goal->scalar;
    const ConfigPosition& at =
        goal == nullptr ? tuner->position : goal->position;
    if (mode != "maximize" && mode != "minimize") {
      return job_->Error(at, "tuner.classArgs.optimize_mode",
                         "must be maximize or minimize");
    }
    job_->Put(path + "goal", "tuner.classArgs.optimize_mode", at,
              job_->Text(absl::AsciiStrToUpper(mode), at));
  }

  void LeaveOutOf(std::string_view word, const ConfigMember& member) {
    fields_.LeaveOut(member.position, WordBelow(word, member.key),
                     "is an argument of NNI's own algorithm");
  }

  void PutAlgorithm(const ConfigNode& tuner) {
    const ConfigNode* name = ValueAt(tuner, "name");
    if (name == nullptr) name = ValueAt(tuner, "builtinTunerName");
    const std::string text = absl::AsciiStrToLower(TextOf(name));
    const auto known =
        std::find_if(std::begin(kTuners), std::end(kTuners),
                     [&](const NniTuner& each) { return each.name == text; });
    if (known == std::end(kTuners)) {
      return job_->Error(
          name == nullptr ? tuner : *name, "tuner.name",
          absl::StrCat(
              "has no counterpart here: ",
              name == nullptr ? "a tuner of one's own" : ShowText(name->scalar),
              "; take TPE, Random, GridSearch, Anneal, Evolution, "
              "SMAC, Metis, GP or DNGO"));
    }
    if (known->algorithm.empty()) return;
    if (known->algorithm == "GRID_SEARCH") {
      parameters_.RefuseRangesInGrid(
          "write choice, randint, quniform or qloguniform, or take another "
          "tuner");
    }
    job_->Put("vernier.algorithm", "tuner.name", name->position,
              job_->Text(std::string(known->algorithm), name->position));
  }

  void PutAssessor() {
    const ConfigNode* const assessor = fields_.MapAt(file_, "assessor", "");
    if (assessor == nullptr) return;
    const ConfigNode* name = ValueAt(*assessor, "name");
    if (name == nullptr) name = ValueAt(*assessor, "builtinAssessorName");
    const std::string text = absl::AsciiStrToLower(TextOf(name));
    if (text != "medianstop" && text != "curvefitting") {
      return job_->Error(*assessor, "assessor.name",
                         "must be Medianstop or Curvefitting");
    }
    const std::string path = "vernier.earlyStopping";
    job_->Put(path + ".rule", "assessor.name", name->position,
              job_->Text(text == "medianstop" ? "MEDIAN" : "DECAY_CURVE",
                         name->position));
    const ConfigNode* const arguments = ValueAt(*assessor, "classArgs");
    if (arguments == nullptr) return;
    for (const ConfigMember& member : arguments->members) {
      const std::string word = WordBelow("assessor.classArgs", member.key);
      if (member.key == "epoch_num") {
        job_->Put(path + ".maxSteps", word, member.position, member.value);
      } else if (member.key != "optimize_mode") {
        LeaveOutOf("assessor.classArgs", member);
      }
    }
  }

  void PutService() {
    const ConfigNode* const old = ValueAt(file_, "trainingServicePlatform");
    if (old != nullptr && old->scalar != "local") {
      fields_.LeaveOut(old->position, "trainingServicePlatform",
                       std::string(kItsService));
    }
    const ConfigNode* const service = ValueAt(file_, "trainingService");
    if (service == nullptr) return;
    const bool is_local = service->kind == ConfigNode::Kind::kMap &&
                          TextOf(ValueAt(*service, "platform")) == "local";
    if (!is_local) {
      return fields_.LeaveOut(service->position, "trainingService",
                              std::string(kItsService));
    }
    for (const ConfigMember& member : service->members) {
      if (member.key == "platform") continue;
      fields_.LeaveOut(member.position,
                       WordBelow("trainingService", member.key),
                       std::string(kItsService));
    }
  }

  JobTree* job_;
  const ConfigNode& file_;
  ForeignFields fields_;
  ForeignParameters parameters_;
};

}  // namespace

bool IsNniFile(const ConfigNode* root) {
  if (root == nullptr || root->kind != ConfigNode::Kind::kMap) return false;
  for (const char* field : {"jobId", "trainingInput", "vernier", "run"}) {
    if (root->Find(field) != nullptr) return false;
  }
  const bool is_trial = root->Find("trialCommand") != nullptr ||
                        root->Find("trialConcurrency") != nullptr;
  for (const char* field : {"searchSpace", "searchSpaceFile", "searchSpacePath",
                            "useAnnotation", "tuner", "advisor"}) {
    if (is_trial && root->Find(field) != nullptr) return true;
  }
  return false;
}

const ConfigNode* NniSearchSpaceFile(const ConfigNode& root) {
  if (ValueAt(root, "searchSpace") != nullptr) return nullptr;
  const ConfigNode* const file = ValueAt(root, "searchSpaceFile");
  return file != nullptr ? file : ValueAt(root, "searchSpacePath");
}

bool ExpandNniFile(ConfigTree& tree, SpecDiagnostics& diagnostics) {
  const ConfigNode& file = *tree.root;
  JobTree job(&tree, &diagnostics, file.position);
  NniExpansion(&job, &diagnostics, file).Run();
  tree.root = job.root();
  diagnostics.Rename(job.TakeWords(), &ForeignMessage);
  return !diagnostics.has_errors();
}

}  // namespace vernier
