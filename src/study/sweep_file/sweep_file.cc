#include "study/sweep_file/sweep_file.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/shown_text.h"
#include "study/study_file/job_tree.h"
#include "study/sweep_file/sweep_parameters.h"

namespace vernier {
namespace {

constexpr std::string_view kJobFields[] = {"jobId", "trainingInput", "vernier",
                                           "run"};

// Fields that say how a sweep is shown or where it is kept at W&B.
constexpr std::string_view kWithoutEffect[] = {
    "name",       "description", "project",  "entity",      "controller",
    "apiVersion", "kind",        "settings", "display_name"};

// A sweep without run_cap never ends.
constexpr int kTrialsWithoutCap = 100;
constexpr std::int64_t kMostOfAGrid = 1'000'000;

constexpr std::string_view kTuning = "trainingInput.hyperparameters.";

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
  SweepExpansion(JobTree* job, SpecDiagnostics* diagnostics)
      : job_(job), diagnostics_(diagnostics) {}

  void Run(const ConfigNode& sweep) {
    job_->Make("trainingInput");
    PutParameters(sweep);
    PutMetric(sweep);
    PutMethod(sweep);
    PutTrials(sweep);
    PutEarlyTerminate(sweep.Find("early_terminate"));
    PutCommand(sweep);
    for (const ConfigMember& member : sweep.members) {
      if (known_.end() == std::find(known_.begin(), known_.end(), member.key)) {
        LeaveOut(member);
      }
    }
    job_->Call(std::string(kTuning) + "params", "parameters");
    job_->Call("trainingInput.hyperparameters", "metric");
  }

 private:
  const ConfigNode* Take(const ConfigNode& sweep, std::string_view key) {
    known_.push_back(key);
    const ConfigNode* const value = sweep.Find(key);
    return value == nullptr || value->kind == ConfigNode::Kind::kNull ? nullptr
                                                                      : value;
  }

  void LeaveOut(const ConfigMember& member) {
    const bool is_known =
        std::find(std::begin(kWithoutEffect), std::end(kWithoutEffect),
                  member.key) != std::end(kWithoutEffect);
    if (is_known) {
      return diagnostics_->AddLeftOut(
          member.position, member.key,
          "says how W&B shows the sweep, or where it keeps it");
    }
    job_->Error(member.position, ShowText(member.key),
                "is no field of a sweep that has a counterpart here");
  }

  void PutParameters(const ConfigNode& sweep) {
    const ConfigNode* const parameters = Take(sweep, "parameters");
    if (parameters == nullptr || parameters->kind != ConfigNode::Kind::kMap) {
      return job_->Error(sweep, "parameters", "must be a mapping by name");
    }
    parameters_ = PutSweepParameters(*parameters, job_);
    for (const auto& [word, position] : parameters_.left_out) {
      diagnostics_->AddLeftOut(
          position, word,
          "has no counterpart: the search decides how often a value is "
          "tried");
    }
    if (!parameters_.is_choice && !diagnostics_->has_errors()) {
      job_->Error(*parameters, "parameters",
                  "has no parameter with more than one value");
    }
  }

  void PutMetric(const ConfigNode& sweep) {
    const ConfigNode* const metric = Take(sweep, "metric");
    if (const ConfigNode* const metrics = Take(sweep, "metrics")) {
      return job_->Error(*metrics, "metrics",
                         "is for a method of one's own; write metric: {name: "
                         "loss, goal: minimize}");
    }
    const ConfigNode* const name =
        metric == nullptr ? nullptr : metric->Find("name");
    if (name == nullptr || name->kind != ConfigNode::Kind::kScalar) {
      return job_->Error(metric == nullptr ? sweep : *metric, "metric",
                         "is needed to say which trial is the best: metric: "
                         "{name: loss, goal: minimize}");
    }
    job_->Put(std::string(kTuning) + "hyperparameterMetricTag", "metric.name",
              name->position, name);
    const ConfigNode* const goal = metric->Find("goal");
    // W&B minimizes what has no goal.
    const std::string word = goal == nullptr ? "minimize" : goal->scalar;
    if (word != "minimize" && word != "maximize") {
      return job_->Error(*goal, "metric.goal", "must be minimize or maximize");
    }
    const ConfigPosition at =
        goal == nullptr ? metric->position : goal->position;
    job_->Put(std::string(kTuning) + "goal", "metric.goal", at,
              job_->Text(word == "minimize" ? "MINIMIZE" : "MAXIMIZE", at));
    for (const ConfigMember& member : metric->members) {
      if (member.key == "target") {
        job_->Put("vernier.limits.target", "metric.target", member.position,
                  member.value);
      } else if (member.key != "name" && member.key != "goal") {
        diagnostics_->AddLeftOut(
            member.position, "metric." + member.key,
            "has no counterpart; see several metrics in a study file");
      }
    }
  }

  void PutMethod(const ConfigNode& sweep) {
    const ConfigNode* const method = Take(sweep, "method");
    if (method == nullptr) return;
    is_grid_ = method->scalar == "grid";
    if (method->scalar == "bayes") return;
    if (is_grid_) RefuseRanges();
    if (is_grid_ || method->scalar == "random") {
      job_->Put("vernier.algorithm", "method", method->position,
                job_->Text(is_grid_ ? "GRID_SEARCH" : "RANDOM_SEARCH",
                           method->position));
      return;
    }
    job_->Error(
        *method, "method",
        absl::StrCat("must be bayes, random or grid: ", ShowValue(*method)));
  }

  void RefuseRanges() {
    for (const auto& [word, position] : parameters_.continuous) {
      job_->Error(position, word,
                  "is a range of numbers, of which there is no grid: write "
                  "values, a q_uniform distribution or int_uniform, or take "
                  "another method");
    }
  }

  void PutTrials(const ConfigNode& sweep) {
    const ConfigNode* trials = Take(sweep, "run_cap");
    if (trials == nullptr) {
      std::int64_t count = kTrialsWithoutCap;
      if (is_grid_ && parameters_.combinations.has_value()) {
        count = std::min(*parameters_.combinations, kMostOfAGrid);
      }
      trials = job_->Text(absl::StrCat(count), sweep.position, true);
    }
    job_->Put(std::string(kTuning) + "maxTrials", "run_cap", trials->position,
              trials);
  }

  void PutEarlyTerminate(const ConfigNode* rule) {
    known_.push_back("early_terminate");
    if (rule == nullptr || rule->kind == ConfigNode::Kind::kNull) return;
    const ConfigNode* const type = rule->Find("type");
    if (type == nullptr || type->scalar != "hyperband") {
      return job_->Error(*rule, "early_terminate",
                         "must have the type hyperband");
    }
    const std::string path = "vernier.earlyStopping";
    job_->Put(path + ".rule", "early_terminate.type", type->position,
              job_->Text("HYPERBAND", type->position));
    constexpr std::pair<std::string_view, std::string_view> kFields[] = {
        {"min_iter", ".minSteps"},
        {"max_iter", ".maxSteps"},
        {"eta", ".reductionFactor"},
        {"s", ".brackets"}};
    for (const ConfigMember& member : rule->members) {
      const auto field = std::find_if(
          std::begin(kFields), std::end(kFields),
          [&member](const auto& each) { return each.first == member.key; });
      const std::string word = "early_terminate." + member.key;
      if (field != std::end(kFields)) {
        job_->Put(path + std::string(field->second), word, member.position,
                  member.value);
      } else if (member.key != "type") {
        diagnostics_->AddLeftOut(
            member.position, word,
            "has no counterpart in the rule for early stopping here");
      }
    }
  }

  void PutCommand(const ConfigNode& sweep) {
    const ConfigNode* const program = Take(sweep, "program");
    const ConfigNode* const command = Take(sweep, "command");
    ConfigNode* const words =
        job_->List(command != nullptr ? command->position : sweep.position);
    if (command == nullptr) {
      if (program == nullptr) {
        return job_->Error(sweep, "program", "is needed, or a command");
      }
      words->items = {job_->Text("python3", program->position), program};
      AddArguments(kForms[0], *program, /*is_last=*/true, words);
    } else if (command->kind == ConfigNode::Kind::kList) {
      ReadCommand(*command, program, words);
    } else {
      return job_->Error(*command, "command", "must be a list of words");
    }
    job_->Put("vernier.command", command != nullptr ? "command" : "program",
              words->position, words);
  }

  void ReadCommand(const ConfigNode& command, const ConfigNode* program,
                   ConfigNode* words) {
    bool has_arguments = false;
    for (const ConfigNode* const item : command.items) {
      const std::string_view word = item->scalar;
      const auto form = std::find_if(
          std::begin(kForms), std::end(kForms),
          [word](const ArgumentForm& each) { return each.macro == word; });
      if (form != std::end(kForms)) {
        has_arguments = true;
        AddArguments(*form, *item, item == command.items.back(), words);
      } else if (word == "${env}") {
        continue;  // The program is looked up on PATH in any case.
      } else if (word == "${interpreter}") {
        words->items.push_back(job_->Text("python3", item->position));
      } else if (word == "${program}" && program != nullptr) {
        words->items.push_back(program);
      } else if (word.find("${") != std::string_view::npos) {
        job_->Error(*item, "command",
                    absl::StrCat("has a word without a counterpart here: ",
                                 ShowValue(*item)));
      } else {
        words->items.push_back(item);
      }
    }
    if (has_arguments) return;
    if (!parameters_.constants.empty()) {
      job_->Error(command, "command",
                  absl::StrCat("has no ${args}, and the constant ",
                               ShowText(parameters_.constants.front().first),
                               " is given as an argument; add ${args}"));
    }
    // The program takes its parameters from W&B's library.
    job_->Put("vernier.argStyle", "command", command.position,
              job_->Text("NONE", command.position));
  }

  // Adds the arguments of the program: those that do not change as they are,
  // and those of the search either as the job's own, which follow the command,
  // or as places in it.
  void AddArguments(const ArgumentForm& form, const ConfigNode& at,
                    bool is_last, ConfigNode* words) {
    if (form.macro == "${args_no_boolean_flags}" && parameters_.has_booleans) {
      job_->Error(at, "command",
                  "has ${args_no_boolean_flags} and a parameter of true and "
                  "false: flags without a value have no counterpart here");
    }
    for (const auto& [name, value] : parameters_.constants) {
      AddArgument(form, name, value, at, words);
    }
    const bool is_own =
        is_last && form.before == "--" && parameters_.nested.empty();
    if (is_own) {
      if (form.between == "=") {
        job_->Put("vernier.argStyle", "command", at.position,
                  job_->Text("EQUALS", at.position));
      }
      return;
    }
    job_->Put("vernier.argStyle", "command", at.position,
              job_->Text("PLACEHOLDERS", at.position));
    for (const std::string& name : parameters_.searched) {
      AddArgument(form, name, absl::StrCat("{", name, "}"), at, words);
    }
    for (const auto& [name, value] : parameters_.nested) {
      AddArgument(form, name, value, at, words);
    }
  }

  void AddArgument(const ArgumentForm& form, const std::string& name,
                   const std::string& value, const ConfigNode& at,
                   ConfigNode* words) {
    const std::string flag = std::string(form.before) + name;
    if (form.between == " ") {
      words->items.push_back(job_->Text(flag, at.position));
      words->items.push_back(job_->Text(value, at.position));
    } else {
      words->items.push_back(job_->Text(
          absl::StrCat(flag, std::string(form.between), value), at.position));
    }
  }

  JobTree* job_;
  SpecDiagnostics* diagnostics_;
  SweepParameters parameters_;
  bool is_grid_ = false;
  std::vector<std::string_view> known_;  // Keys that were read.
};

}  // namespace

bool IsSweepFile(const ConfigNode* root) {
  if (root == nullptr || root->kind != ConfigNode::Kind::kMap) return false;
  for (const std::string_view field : kJobFields) {
    if (root->Find(field) != nullptr) return false;
  }
  const ConfigNode* const method = root->Find("method");
  const ConfigNode* const parameters = root->Find("parameters");
  return method != nullptr && method->kind == ConfigNode::Kind::kScalar &&
         parameters != nullptr && parameters->kind == ConfigNode::Kind::kMap;
}

bool ExpandSweepFile(ConfigTree& tree, SpecDiagnostics& diagnostics) {
  const ConfigNode& sweep = *tree.root;
  JobTree job(&tree, &diagnostics, sweep.position);
  SweepExpansion(&job, &diagnostics).Run(sweep);
  tree.root = job.root();
  diagnostics.Rename(job.TakeWords(), &InSweepWords);
  return !diagnostics.has_errors();
}

}  // namespace vernier
