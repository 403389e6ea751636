#include "study/foreign_files/nni_file.h"

#include <algorithm>
#include <cmath>
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
#include "study/parameter_name.h"
#include "study/study_file/value_forms.h"

namespace vernier {
namespace {

constexpr std::string_view kItsManager = "is of NNI's own manager";
constexpr std::string_view kItsArgument =
    "is an argument of NNI's own algorithm";
constexpr std::string_view kItsService =
    "says where NNI runs trials; here the job runs on this machine, or with "
    "on: slurm or kubernetes in a study file";

// Names of version 1 stand beside those of version 2.
constexpr ForeignWords kNniFields[] = {
    {"experimentName searchSpace searchSpaceFile searchSpacePath trialCommand"},
    {"trialCodeDirectory", "vernier.codeDir"},
    {"trialGpuNumber", "vernier.gpusPerReplica"},
    {"trial trialConcurrency maxTrialNumber maxTrialNum maxExperimentDuration "
     "maxExecDuration maxTrialDuration useAnnotation tuner assessor advisor "
     "trainingService trainingServicePlatform experimentType"},
    {"authorName description debug logLevel logDir logCollection versionCheck "
     "multiThread multiPhase nniManagerIp nniManagerNFSMountPath "
     "experimentWorkingDirectory tunerGpuIndices",
     "", kItsManager},
    {"sharedStorage machineList localConfig remoteConfig paiConfig amlConfig "
     "dlcConfig dltsConfig heterogeneousConfig adlConfig hybridConfig "
     "kubeflowConfig frameworkcontrollerConfig",
     "", kItsService},
};

constexpr ForeignWords kOldTrialFields[] = {
    {"command"},
    {"codeDir", "vernier.codeDir"},
    {"gpuNum", "vernier.gpusPerReplica"},
    {"master worker ps taskRoles"},
    {"namespace adaptive nfs storage checkpoint imagePullSecrets portList "
     "shmMB "
     "privateRegistryAuthPath cpuNum memoryMB image virtualCluster "
     "nniManagerNFSMountPath containerNFSMountPath paiStorageConfigName "
     "paiConfigPath authFile",
     "", kItsService},
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
  explicit NniExpansion(const ForeignNode& file)
      : file_(file), parameters_(file, kNniWords) {}

  void Run() {
    file_.Read(kNniFields);
    PutName(file_["experimentName"]);
    PutSpace();
    PutProgram();
    PutCounts();
    PutDuration(Either(file_, "maxExperimentDuration", "maxExecDuration"),
                "vernier.limits.maxTime");
    PutDuration(file_["maxTrialDuration"], "vernier.trialTimeLimit");
    PutTuner();
    PutAssessor();
    PutService();
    file_.job().Call("trainingInput.hyperparameters", "searchSpace");
    file_.job().Call("trainingInput.pythonModule", "trialCommand");
  }

 private:
  // Returns the value of the field, which version 1 calls `old_key`.
  static ForeignNode Either(const ForeignNode& map, std::string_view key,
                            std::string_view old_key) {
    const ForeignNode value = map[key];
    return value ? value : map[old_key].Called(value.word());
  }

  void PutSpace() {
    if (const ForeignNode annotation = file_["useAnnotation"];
        annotation && annotation.text() != "false") {
      return annotation.Error(
          "has the search space in the program's text; write it here, as "
          "searchSpace");
    }
    if (const ForeignNode file =
            Either(file_, "searchSpaceFile", "searchSpacePath");
        file && !file_["searchSpace"]) {
      return file.Error(
          "cannot be read here; write what it holds in its place, as "
          "searchSpace");
    }
    const ForeignNode space = file_.MapAt("searchSpace");
    if (space.members().empty()) {
      return space.Error("must have the parameters by name");
    }
    PutMembers(space, "");
    parameters_.PutIntoJob(space.word());
    parameters_.RequireChoice(space);
  }

  void PutMembers(const ForeignNode& space, const std::string& prefix) {
    if (prefix.size() > kMaxParameterName) {
      return space.Called("searchSpace").Error("has too long names");
    }
    for (const ForeignNode& member : space.members()) {
      if (member.key() == "_name") continue;
      const std::string name = prefix + member.key();
      PutParameter(name, member.Called("searchSpace." + ShowText(name)));
    }
  }

  void PutParameter(const std::string& name, const ForeignNode& member) {
    const ForeignNode type = member["_type"];
    const ForeignNode values = member["_value"];
    if (!type || values.items().empty()) {
      return member.Error("must have _type and _value, a list");
    }
    for (const ForeignNode& field : member.members()) {
      if (field.key() == "_type" || field.key() == "_value") continue;
      field.Error("is no field of a parameter of NNI");
    }
    const ForeignParameter parameter = {name, member.word(), member.at()};
    if (type.text() == "choice") return PutChoice(parameter, values);
    const auto known = std::find_if(
        std::begin(kNniTypes), std::end(kNniTypes),
        [&](const NniType& each) { return each.name == type.text(); });
    if (known == std::end(kNniTypes)) {
      return type.Error(
          absl::StrCat("has no counterpart here: ", ShowText(type.text()),
                       "; take choice, randint, uniform, loguniform, quniform "
                       "or qloguniform"));
    }
    PutNumbers(parameter, *known, values);
  }

  void PutNumbers(const ForeignParameter& parameter, const NniType& type,
                  const ForeignNode& values) {
    std::vector<double> numbers;
    for (const ForeignNode& item : values.items()) {
      if (const auto number = item.number()) numbers.push_back(*number);
    }
    if (numbers.size() != type.numbers ||
        numbers.size() != values.get()->items.size()) {
      return values.Error(absl::StrCat("must be a list of ", type.numbers,
                                       " numbers for ",
                                       std::string(type.name)));
    }
    if (type.name == "randint") {
      // The upper end is not among the values.
      parameters_.AddRange(
          parameter, {std::ceil(numbers[0]), std::ceil(numbers[1]) - 1, true});
      return;
    }
    const ForeignRange range = {numbers[0], numbers[1], false, type.scale};
    if (type.numbers == 2) {
      parameters_.AddRange(parameter, range);
    } else if (!(numbers[2] > 0) || !(numbers[0] <= numbers[1])) {
      values.Error("must be low, high and a step > 0, with low <= high");
    } else {
      parameters_.AddRounded(parameter, range, numbers[2], /*is_cut=*/true);
    }
  }

  // The parameters of a nested choice exist for their own value of it only.
  void PutChoice(const ForeignParameter& parameter, const ForeignNode& values) {
    std::vector<const ConfigNode*> names;
    for (const ForeignNode& item : values.items()) {
      if (const auto name = item["_name"]) names.push_back(name.get());
    }
    if (names.size() != values.get()->items.size()) {
      parameters_.AddValues(parameter, values.get()->items);
      return;
    }
    const auto made = parameters_.AddTexts(parameter, names);
    if (made.map == nullptr) return;
    for (const ForeignNode& item : values.items()) {
      if (item.members().size() == 1) continue;
      ConfigNode* const name = item.job().List(item.at());
      name->items.push_back(item["_name"].get());
      parameters_.Enter(made, "parentCategoricalValues", name);
      // Two choices may have parameters of the same name.
      PutMembers(item,
                 absl::StrCat(parameter.name, ".", item["_name"].text(), "."));
      parameters_.Leave();
    }
  }

  void PutProgram() {
    ForeignNode command = file_["trialCommand"];
    const ForeignNode trial = file_["trial"];
    if (trial.is_map()) {
      trial.Read(kOldTrialFields);
      command = trial["command"];
      for (const char* role : {"master", "worker", "ps", "taskRoles"}) {
        if (!trial[role]) continue;
        trial[role].Error(
            "is a part of a cluster's job; write the command of one process as "
            "trialCommand, or roles in a study file");
      }
    } else if (trial) {
      trial.LeaveOut(kItsService);
    }
    if (!command) return;
    PutShellCommand(command, "sh");
    command.Note(kOneChange);
    command.PutText("vernier.argStyle", "NONE");
    if (file_.job().Has("vernier.codeDir")) return;
    command.PutText("vernier.codeDir", ".");
  }

  void PutCounts() {
    const ForeignNode trials = Either(file_, "maxTrialNumber", "maxTrialNum");
    const bool is_open =
        !trials && Either(file_, "maxExperimentDuration", "maxExecDuration");
    PutTrials(is_open ? trials.With("1000000", true) : trials,
              file_["trialConcurrency"]);
  }

  static void PutDuration(const ForeignNode& value, std::string_view path) {
    if (!value) return;
    // A number alone is seconds.
    const auto seconds = value.number().has_value()
                             ? value.text() + "s"
                             : SecondsFromWords(value.text());
    if (!seconds.has_value()) {
      return value.Error("must be such as 90s, 30m, 2h or 1d");
    }
    value.PutText(path, *seconds);
  }

  void PutTuner() {
    if (const ForeignNode advisor = file_["advisor"]) {
      return advisor.Error(
          "has no counterpart: it gives each trial a budget, TRIAL_BUDGET; "
          "take a tuner, and stop_early of a study file");
    }
    // What a program of NNI reports has no name but this.
    file_.Called("tuner").PutText(kMetricPath, "default");
    const ForeignNode tuner = file_.MapAt("tuner");
    if (!tuner) {
      return tuner.Error(
          "is needed to say if more is better: {name: TPE, classArgs: "
          "{optimize_mode: maximize}}");
    }
    PutAlgorithm(Either(tuner, "name", "builtinTunerName"));
    // NNI's tuners maximize what has no mode.
    ForeignNode goal =
        tuner.Called("tuner.classArgs.optimize_mode").With("maximize");
    for (const ForeignNode& member : tuner.members()) {
      if (member.key() == "name" || member.key() == "builtinTunerName" ||
          member.key() == "className") {
        continue;
      }
      if (member.key() != "classArgs") {
        member.LeaveOut(kItsArgument);
        continue;
      }
      for (const ForeignNode& argument : member.members()) {
        if (argument.key() == "optimize_mode") {
          goal = argument.value();
        } else {
          argument.LeaveOut(kItsArgument);
        }
      }
    }
    PutGoal(goal, goal.text(), "must be maximize or minimize");
  }

  void PutAlgorithm(const ForeignNode& name) {
    const std::string text = absl::AsciiStrToLower(name.text());
    const auto known =
        std::find_if(std::begin(kTuners), std::end(kTuners),
                     [&](const NniTuner& each) { return each.name == text; });
    if (known == std::end(kTuners)) {
      return name.Error(absl::StrCat(
          "has no counterpart here: ",
          name ? ShowText(name.text()) : "a tuner of one's own",
          "; take TPE, Random, GridSearch, Anneal, Evolution, SMAC, Metis, GP "
          "or DNGO"));
    }
    if (known->algorithm.empty()) return;
    if (known->algorithm == "GRID_SEARCH") {
      parameters_.RefuseRangesInGrid(
          "write choice, randint, quniform or qloguniform, or take another "
          "tuner");
    }
    name.PutText("vernier.algorithm", std::string(known->algorithm));
  }

  void PutAssessor() {
    const ForeignNode assessor = file_.MapAt("assessor");
    if (!assessor) return;
    const ForeignNode name = Either(assessor, "name", "builtinAssessorName");
    const std::string text = absl::AsciiStrToLower(name.text());
    if (text != "medianstop" && text != "curvefitting") {
      return assessor.Called(name.word())
          .Error("must be Medianstop or Curvefitting");
    }
    name.PutText("vernier.earlyStopping.rule",
                 text == "medianstop" ? "MEDIAN" : "DECAY_CURVE");
    for (const ForeignNode& argument : assessor["classArgs"].members()) {
      if (argument.key() == "epoch_num") {
        argument.Put("vernier.earlyStopping.maxSteps");
      } else if (argument.key() != "optimize_mode") {
        argument.LeaveOut(kItsArgument);
      }
    }
  }

  void PutService() {
    const ForeignNode old = file_["trainingServicePlatform"];
    if (old && old.text() != "local") old.LeaveOut(kItsService);
    const ForeignNode service = file_["trainingService"];
    if (service && service["platform"].text() != "local") {
      return service.LeaveOut(kItsService);
    }
    for (const ForeignNode& member : service.members()) {
      if (member.key() != "platform") member.LeaveOut(kItsService);
    }
  }

  ForeignNode file_;
  ForeignParameters parameters_;
};

}  // namespace

bool IsNniFile(const ConfigNode* root) {
  if (!IsOfAnotherTool(root)) return false;
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
  return ExpandForeignFile(
      tree, diagnostics, "an experiment of NNI",
      [](const ForeignNode& file) { NniExpansion(file).Run(); });
}

}  // namespace vernier
