#include "study/sweep_file/sweep_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/shown_text.h"
#include "study/foreign_files/foreign_job.h"
#include "study/foreign_files/foreign_node.h"
#include "study/sweep_file/sweep_parameters.h"

namespace vernier {
namespace {

constexpr std::string_view kReadFields[] = {
    "parameters", "metric",          "metrics", "method",
    "run_cap",    "early_terminate", "program", "command"};

// Fields that say how a sweep is shown or where it is kept at W&B.
constexpr std::string_view kWithoutEffect[] = {
    "name",       "description", "project",  "entity",      "controller",
    "apiVersion", "kind",        "settings", "display_name"};

// A sweep without run_cap never ends.
constexpr std::int64_t kTrialsWithoutCap = 100;

// Words in messages of the job file's reader that a sweep does not have.
constexpr auto kMessageWords =
    std::to_array<std::pair<const char*, const char*>>(
        {{"maxValue - minValue", "the range"},
         {"minValue", "min"},
         {"maxValue", "max"},
         {"maxTrials", "run_cap"},
         {"scaleType UNIT_LOG_SCALE", "a log distribution"}});

std::string InSweepWords(const std::string& message) {
  return absl::StrReplaceAll(message, kMessageWords);
}

// The forms of the arguments that a sweep's command may ask for, each with the
// text before a name and the text between a name and its value.
struct ArgumentForm {
  std::string_view macro;
  std::string_view before;
  std::string_view between;  // A blank: two words.
};
constexpr ArgumentForm kForms[] = {
    {"${args}", "--", "="},
    {"${args_no_equals}", "--", " "},
    {"${args_no_hyphens}", "", "="},
    {"${args_append_hydra}", "+", "="},
    {"${args_override_hydra}", "++", "="},
    {"${args_no_boolean_flags}", "--", "="},
};

/// Turns the fields of one sweep into those of a job file.
class SweepExpansion {
 public:
  explicit SweepExpansion(const ForeignNode& file)
      : file_(file), parameters_(PutSweepParameters(file["parameters"])) {}

  void Run() {
    if (!parameters_.is_choice && !file_.has_errors()) {
      file_["parameters"].Error("has no parameter with more than one value");
    }
    PutMetric();
    PutMethod();
    PutTrials();
    PutEarlyTerminate(file_["early_terminate"]);
    PutCommand();
    LeaveOutOthers();
    file_.job().Call("trainingInput.hyperparameters.params", "parameters");
    file_.job().Call("trainingInput.hyperparameters", "metric");
  }

 private:
  void LeaveOutOthers() const {
    const auto has = [](const auto& keys, const std::string& key) {
      return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
    };
    for (const ForeignNode& member : file_.members()) {
      if (has(kWithoutEffect, member.key())) {
        member.LeaveOut("says how W&B shows the sweep, or where it keeps it");
      } else if (!has(kReadFields, member.key())) {
        member.Error("is no field of a sweep that has a counterpart here");
      }
    }
  }

  void PutMetric() const {
    const ForeignNode metric = file_["metric"];
    if (const ForeignNode metrics = file_["metrics"]) {
      return metrics.Error(
          "is for a method of one's own; write metric: {name: loss, goal: "
          "minimize}");
    }
    const ForeignNode name = metric.Find("name");
    if (!name.is_single()) {
      return metric.Error(
          "is needed to say which trial is the best: metric: {name: loss, "
          "goal: minimize}");
    }
    name.Put(kMetricPath);
    ForeignNode goal = metric.Find("goal");
    // W&B minimizes what has no goal.
    if (!goal) goal = goal.With("minimize");
    PutGoal(goal, goal.text(), "must be minimize or maximize");
    for (const ForeignNode& member : metric.members()) {
      if (member.key() == "target") {
        member.Put("vernier.limits.target");
      } else if (member.key() != "name" && member.key() != "goal") {
        member.LeaveOut(
            "has no counterpart; see several metrics in a study file");
      }
    }
  }

  void PutMethod() const {
    const ForeignNode method = file_["method"];
    const std::string name = method.text();
    if (name == "grid") {
      parameters_.made.RefuseRangesInGrid(
          "write values, a q_uniform distribution or int_uniform, or take "
          "another method");
      method.PutText("vernier.algorithm", "GRID_SEARCH");
    } else if (name == "random") {
      method.PutText("vernier.algorithm", "RANDOM_SEARCH");
    } else if (name != "bayes") {
      method.Error("must be bayes, random or grid: " +
                   ShowValue(*method.get()));
    }
  }

  void PutTrials() const {
    const ForeignNode trials = file_["run_cap"];
    if (trials) return trials.Put(kTrialsPath);
    const bool is_grid = file_["method"].text() == "grid";
    const auto count = is_grid ? parameters_.made.combinations() : std::nullopt;
    trials.With(absl::StrCat(count.value_or(kTrialsWithoutCap)), true)
        .Put(kTrialsPath);
  }

  static void PutEarlyTerminate(const ForeignNode& rule) {
    if (!rule) return;
    const ForeignNode type = rule.Find("type");
    if (type.text() != "hyperband") {
      return rule.Error("must have the type hyperband");
    }
    type.PutText("vernier.earlyStopping.rule", "HYPERBAND");
    constexpr std::pair<std::string_view, const char*> kFields[] = {
        {"min_iter", "vernier.earlyStopping.minSteps"},
        {"max_iter", "vernier.earlyStopping.maxSteps"},
        {"eta", "vernier.earlyStopping.reductionFactor"},
        {"s", "vernier.earlyStopping.brackets"}};
    for (const ForeignNode& member : rule.members()) {
      const auto* const field = std::find_if(
          std::begin(kFields), std::end(kFields),
          [&member](const auto& each) { return each.first == member.key(); });
      if (field != std::end(kFields)) {
        member.Put(field->second);
      } else if (member.key() != "type") {
        member.LeaveOut(
            "has no counterpart in the rule for early stopping here");
      }
    }
  }

  void PutCommand() const {
    const ForeignNode program = file_["program"];
    const ForeignNode command = file_["command"];
    if (command && !command.is_list()) {
      return command.Error("must be a list of words");
    }
    if (!command && !program) return program.Error("is needed, or a command");
    ConfigNode* const words = file_.job().List(command.at());
    if (command) {
      ReadCommand(command, program, words);
    } else {
      words->items = {program.With("python3").get(), program.get()};
      AddArguments(kForms[0], program, /*is_last=*/true, words);
    }
    (command ? command : command.Called(program.word()))
        .With(words)
        .Put("vernier.command");
  }

  void ReadCommand(const ForeignNode& command, const ForeignNode& program,
                   ConfigNode* words) const {
    bool has_arguments = false;
    for (const ConfigNode* const node : command.get()->items) {
      const ForeignNode item = command.With(node).value();
      const std::string word = item.text();
      const auto* const form = std::find_if(
          std::begin(kForms), std::end(kForms),
          [&word](const ArgumentForm& each) { return each.macro == word; });
      if (form != std::end(kForms)) {
        has_arguments = true;
        AddArguments(*form, item, node == command.get()->items.back(), words);
      } else if (word == "${env}") {
        continue;  // The program is looked up on PATH in any case.
      } else if (word == "${interpreter}") {
        words->items.push_back(item.With("python3").get());
      } else if (word == "${program}" && program) {
        words->items.push_back(program.get());
      } else if (word.find("${") != std::string::npos) {
        item.Error("has a word without a counterpart here: " +
                   ShowValue(*node));
      } else {
        words->items.push_back(node);
      }
    }
    if (has_arguments) return;
    if (!parameters_.constants.empty()) {
      command.Error(absl::StrCat("has no ${args}, and the constant ",
                                 ShowText(parameters_.constants.front().first),
                                 " is given as an argument; add ${args}"));
    }
    // The program takes its parameters from W&B's library.
    command.PutText("vernier.argStyle", "NONE");
  }

  // Adds the arguments of the program: those that do not change as they are,
  // and those of the search either as the job's own, which follow the command,
  // or as places in it.
  void AddArguments(const ArgumentForm& form, const ForeignNode& at,
                    bool is_last, ConfigNode* words) const {
    const ForeignNode style = at.Called("command");
    if (form.macro == "${args_no_boolean_flags}" && parameters_.has_booleans) {
      style.Error(
          "has ${args_no_boolean_flags} and a parameter of true and false: "
          "flags without a value have no counterpart here");
    }
    for (const auto& [name, value] : parameters_.constants) {
      AddArgument(form, name, value, at, words);
    }
    const bool is_own =
        is_last && form.before == "--" && parameters_.nested.empty();
    if (is_own) {
      if (form.between == "=") style.PutText("vernier.argStyle", "EQUALS");
      return;
    }
    style.PutText("vernier.argStyle", "PLACEHOLDERS");
    for (const std::string& name : parameters_.searched) {
      AddArgument(form, name, absl::StrCat("{", name, "}"), at, words);
    }
    for (const auto& [name, value] : parameters_.nested) {
      AddArgument(form, name, value, at, words);
    }
  }

  static void AddArgument(const ArgumentForm& form, const std::string& name,
                          const std::string& value, const ForeignNode& at,
                          ConfigNode* words) {
    const std::string flag = std::string(form.before) + name;
    if (form.between == " ") {
      words->items.push_back(at.With(flag).get());
      words->items.push_back(at.With(value).get());
    } else {
      words->items.push_back(
          at.With(absl::StrCat(flag, std::string(form.between), value)).get());
    }
  }

  ForeignNode file_;
  SweepParameters parameters_;
};

}  // namespace

bool IsSweepFile(const ConfigNode* root) {
  if (!IsOfAnotherTool(root)) return false;
  const ConfigNode* const method = root->Find("method");
  const ConfigNode* const parameters = root->Find("parameters");
  return method != nullptr && method->kind == ConfigNode::Kind::kScalar &&
         parameters != nullptr && parameters->kind == ConfigNode::Kind::kMap;
}

bool ExpandSweepFile(ConfigTree& tree, SpecDiagnostics& diagnostics) {
  return ExpandForeignFile(
      tree, diagnostics, "a sweep of Weights & Biases",
      [](const ForeignNode& file) { SweepExpansion(file).Run(); },
      &InSweepWords);
}

}  // namespace vernier
