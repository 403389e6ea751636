#include "study/foreign_files/azure_file.h"

#include <algorithm>
#include <cmath>
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
#include "study/job_spec.h"

namespace vernier {
namespace {

constexpr std::string_view kAzureSearch = "trainingInput.hyperparameters.";
constexpr std::string_view kItsStudio = "is what Azure's studio shows";
constexpr std::string_view kItsCompute =
    "is a machine of Azure's; what a job asks of this machine, of Slurm or of "
    "Kubernetes has fields of its own";

constexpr ForeignField kSweepJobFields[] = {
    {"$schema"},
    {"type"},
    {"name"},
    {"trial"},
    {"inputs"},
    {"sampling_algorithm"},
    {"search_space"},
    {"objective"},
    {"limits"},
    {"early_termination"},
    {"outputs", "",
     "are uploaded by Azure; here a trial's files are its own, see outputs of "
     "a study file"},
    {"display_name", "", kItsStudio},
    {"experiment_name", "", kItsStudio},
    {"description", "", kItsStudio},
    {"tags", "", kItsStudio},
    {"properties", "", kItsStudio},
    {"compute", "", kItsCompute},
    {"resources"},
    {"queue_settings", "", kItsCompute},
    {"identity", "", kItsCompute},
    {"services", "", kItsCompute},
};

constexpr ForeignField kTrialFields[] = {
    {"command"},
    {"type"},
    {"$schema"},
    {"code"},
    {"environment", "",
     "is an environment of Azure's; packages or an image of the job take its "
     "place"},
    {"environment_variables", "vernier.environment"},
    {"resources"},
    {"distribution"},
    {"name", "", kItsStudio},
    {"display_name", "", kItsStudio},
    {"description", "", kItsStudio},
    {"services", "", kItsCompute},
    {"identity", "", kItsCompute},
    {"compute", "", kItsCompute},
};

constexpr ForeignField kObjectiveFields[] = {
    {"type"},
    {"goal"},
    {"primary_metric", "trainingInput.hyperparameters.hyperparameterMetricTag"},
};

constexpr ForeignField kLimitFields[] = {
    {"type"},    {"max_total_trials"}, {"max_concurrent_trials"},
    {"timeout"}, {"trial_timeout"},
};

constexpr ForeignField kSamplingFields[] = {
    {"type"},
    {"seed", "vernier.seed"},
    {"rule"},
    {"logbase"},
};

constexpr ForeignField kAzureResourceFields[] = {
    {"instance_count"},
    {"instance_type", "", kItsCompute},
    {"shm_size", "", kItsCompute},
    {"docker_args", "", kItsCompute},
    {"locations", "", kItsCompute},
    {"properties", "", kItsCompute},
};

constexpr ForeignField kAzureParameterFields[] = {
    {"type"}, {"values"}, {"min_value"}, {"max_value"}, {"q"}, {"upper"}};

constexpr std::pair<std::string_view, std::string_view> kAzureWords[] = {
    {"minValue", "min_value"},
    {"maxValue", "max_value"},
    {"discreteValues", "values"},
    {"categoricalValues", "values"},
};

// True if a shell takes the text as one word as it stands.
bool IsOneWord(const std::string& text) {
  constexpr std::string_view kOthers = "_.,:/@%+=-";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
           kOthers.find(c) != std::string_view::npos;
  });
}

// Returns what code that is not a folder of this machine is; "" for a folder.
std::string_view KindOfRemoteCode(std::string_view code) {
  if (code.starts_with("azureml:")) return "is code at Azure";
  const bool is_remote = code.starts_with("git+") || code.starts_with("git@") ||
                         code.find("://") != std::string_view::npos;
  return is_remote ? "is code on another machine" : "";
}

// A text in a command that Azure replaces, as ${{PLACE}} or, in its old form,
// {PLACE}. It ends before `end`.
struct AzurePlace {
  std::size_t begin = std::string::npos;
  std::size_t end = std::string::npos;
  std::string name;
  bool is_old = false;
};

AzurePlace PlaceBetween(const std::string& text, std::size_t begin,
                        std::string_view open, std::string_view close) {
  const std::size_t inside = begin + open.size();
  const std::size_t end = text.find(close, inside);
  if (end == std::string::npos) return {};
  return {begin, end + close.size(),
          std::string(
              absl::StripAsciiWhitespace(text.substr(inside, end - inside)))};
}

bool IsOldPlace(std::string_view text) {
  return text.starts_with("search_space.") || text.starts_with("inputs.") ||
         text.starts_with("outputs.");
}

// Returns the first place at `at` or after it; none: it begins at npos. Azure's
// Python package still reads the old form; other braces are the program's.
AzurePlace NextPlace(const std::string& text, std::size_t at) {
  for (std::size_t begin = text.find('{', at); begin != std::string::npos;
       begin = text.find('{', begin + 1)) {
    const std::string_view inside = std::string_view(text).substr(begin + 1);
    const char before = begin > 0 ? text[begin - 1] : ' ';
    if (before == '$' && inside.starts_with('{')) {
      return PlaceBetween(text, begin - 1, "${{", "}}");
    }
    if (before == '$' || before == '{' || !IsOldPlace(inside)) continue;
    AzurePlace place = PlaceBetween(text, begin, "{", "}");
    place.is_old = true;
    return place;
  }
  return {};
}

/// Turns the fields of one sweep of Azure into those of a job file.
class AzureExpansion {
 public:
  AzureExpansion(JobTree* job, SpecDiagnostics* diagnostics,
                 const ConfigNode& file)
      : job_(job),
        fields_(job, diagnostics, "a sweep of Azure ML"),
        parameters_(job, file.position, kAzureWords) {}

  void Run(const ConfigNode& file) {
    job_->Make("trainingInput");
    fields_.Read(file, "", kSweepJobFields);
    if (const ConfigNode* name = ValueAt(file, "name");
        name != nullptr && !PutJobName(*name, "name", job_)) {
      fields_.LeaveOut(name->position, "name",
                       "can be no job's name here; give one with --name");
    }
    PutSearchSpace(file);
    PutObjective(file);
    PutLimits(file);
    PutSampling(ValueAt(file, "sampling_algorithm"));
    PutEarlyTermination(fields_.MapAt(file, "early_termination", ""));
    CheckResources(fields_.MapAt(file, "resources", ""), "resources");
    inputs_ = fields_.MapAt(file, "inputs", "");
    PutTrial(file);
    job_->Call("trainingInput.hyperparameters", "search_space");
    job_->Call("trainingInput.pythonModule", "trial.command");
  }

 private:
  void PutSearchSpace(const ConfigNode& file) {
    const ConfigNode* const space = fields_.MapAt(file, "search_space", "");
    if (space == nullptr) return;
    for (const ConfigMember& member : space->members) {
      const ForeignParameter parameter = {
          member.key, WordBelow("search_space", member.key), member.position};
      if (member.value->kind == ConfigNode::Kind::kMap) {
        PutParameter(parameter, *member.value);
      } else {
        job_->Error(member.position, parameter.word, "must be a mapping");
      }
      names_.push_back(member.key);
    }
    if (!parameters_.has_choice() && !fields_.has_errors()) {
      job_->Error(*space, "search_space",
                  "has no parameter with more than one value");
    }
    parameters_.PutIntoJob("search_space");
  }

  void PutParameter(const ForeignParameter& parameter,
                    const ConfigNode& value) {
    const std::string type = TextOf(ValueAt(value, "type"));
    if (type == "choice") return PutChoice(parameter, value);
    if (type == "randint") return PutRandomInteger(parameter, value);
    const bool is_log = type == "loguniform" || type == "qloguniform";
    const bool has_step = type == "quniform" || type == "qloguniform";
    if (type != "uniform" && !is_log && !has_step) {
      return job_->Error(
          value, parameter.word + ".type",
          absl::StrCat("has no counterpart here: ", ShowText(type),
                       "; take choice, randint, uniform, loguniform, quniform "
                       "or qloguniform"));
    }
    fields_.Read(value, parameter.word, kAzureParameterFields);
    auto low = NumberOf(ValueAt(value, "min_value"));
    auto high = NumberOf(ValueAt(value, "max_value"));
    if (!low.has_value() || !high.has_value()) {
      return job_->Error(value, parameter.word,
                         "must have min_value and max_value, both numbers");
    }
    // Bounds of a loguniform are exponents of e.
    if (is_log) {
      low = std::exp(*low);
      high = std::exp(*high);
    }
    const ForeignRange range = {
        *low, *high, false,
        is_log ? ForeignScale::kLog : ForeignScale::kLinear};
    if (!has_step) {
      parameters_.AddRange(parameter, range);
      return;
    }
    const double step = NumberOf(ValueAt(value, "q")).value_or(0);
    if (!(step > 0)) {
      return job_->Error(value, parameter.word + ".q", "must be a number > 0");
    }
    parameters_.AddRounded(parameter, range, step, /*is_cut=*/false);
  }

  void PutChoice(const ForeignParameter& parameter, const ConfigNode& value) {
    fields_.Read(value, parameter.word, kAzureParameterFields);
    const ConfigNode* const values = ValueAt(value, "values");
    if (values == nullptr || values->items.empty()) {
      return job_->Error(value, parameter.word + ".values", "must be a list");
    }
    for (const ConfigNode* const item : values->items) {
      has_phrases_ = has_phrases_ || !IsOneWord(item->scalar);
    }
    parameters_.AddValues(parameter, values->items);
  }

  void PutRandomInteger(const ForeignParameter& parameter,
                        const ConfigNode& value) {
    fields_.Read(value, parameter.word, kAzureParameterFields);
    const auto upper = NumberOf(ValueAt(value, "upper"));
    if (!upper.has_value() || *upper < 1 || std::trunc(*upper) != *upper) {
      return job_->Error(value, parameter.word + ".upper",
                         "must be a whole number > 0");
    }
    parameters_.AddRange(parameter, {0, *upper - 1, true});
  }

  void PutObjective(const ConfigNode& file) {
    const ConfigNode* const objective = fields_.MapAt(file, "objective", "");
    if (objective == nullptr ||
        ValueAt(*objective, "primary_metric") == nullptr) {
      return job_->Error(file, "objective",
                         "is needed to say which trial is the best: {goal: "
                         "minimize, primary_metric: loss}");
    }
    fields_.Read(*objective, "objective", kObjectiveFields);
    const ConfigNode* const goal = ValueAt(*objective, "goal");
    const std::string word = absl::AsciiStrToUpper(TextOf(goal));
    if (word != "MINIMIZE" && word != "MAXIMIZE") {
      return job_->Error(goal == nullptr ? *objective : *goal, "objective.goal",
                         "must be minimize or maximize");
    }
    job_->Put(std::string(kAzureSearch) + "goal", "objective.goal",
              goal->position, job_->Text(word, goal->position));
  }

  void PutLimits(const ConfigNode& file) {
    // Azure's own default.
    const ConfigNode* trials = job_->Text("1000", file.position, true);
    const ConfigNode* const limits = fields_.MapAt(file, "limits", "");
    const ConfigNode* parallel = nullptr;
    if (limits != nullptr) {
      fields_.Read(*limits, "limits", kLimitFields);
      if (const auto* given = ValueAt(*limits, "max_total_trials")) {
        trials = given;
      }
      parallel = ValueAt(*limits, "max_concurrent_trials");
      fields_.PutSeconds(*limits, "timeout", "limits",
                         "vernier.limits.maxTime");
      fields_.PutSeconds(*limits, "trial_timeout", "limits",
                         "vernier.trialTimeLimit");
    }
    const std::string path(kAzureSearch);
    job_->Put(path + "maxTrials", "limits.max_total_trials", trials->position,
              trials);
    if (parallel == nullptr) return;
    const bool is_more = NumberOf(parallel).value_or(0) >
                         NumberOf(trials).value_or(kMaxExactInteger);
    job_->Put(path + "maxParallelTrials", "limits.max_concurrent_trials",
              parallel->position, is_more ? trials : parallel);
  }

  void PutSampling(const ConfigNode* sampling) {
    if (sampling == nullptr) return;
    constexpr std::string_view kWord = "sampling_algorithm";
    const ConfigNode* name = sampling;
    std::string rule;
    if (sampling->kind == ConfigNode::Kind::kMap) {
      fields_.Read(*sampling, kWord, kSamplingFields);
      name = ValueAt(*sampling, "type");
      rule = TextOf(ValueAt(*sampling, "rule"));
      CheckLogBase(ValueAt(*sampling, "logbase"));
    }
    const std::string text = absl::AsciiStrToLower(TextOf(name));
    if (text == "bayesian") return;
    if (text != "random" && text != "grid") {
      return job_->Error(*sampling, kWord, "must be random, grid or bayesian");
    }
    if (text == "random" && rule == "sobol") {
      return PutAlgorithm("QUASI_RANDOM_SEARCH", *sampling);
    }
    if (text == "grid") {
      parameters_.RefuseRangesInGrid(
          "write choice, randint, quniform or qloguniform, or take another "
          "sampling_algorithm");
    }
    PutAlgorithm(text == "grid" ? "GRID_SEARCH" : "RANDOM_SEARCH", *sampling);
  }

  // The bounds of a loguniform are read as exponents of e.
  void CheckLogBase(const ConfigNode* base) {
    constexpr double kE = 2.718281828459045;
    if (base == nullptr || base->scalar == "e") return;
    if (std::abs(NumberOf(base).value_or(0) - kE) < 1e-6) return;
    job_->Error(
        *base, "sampling_algorithm.logbase",
        "must be e; give the bounds as powers of e: " + ShowValue(*base));
  }

  void PutAlgorithm(const char* algorithm, const ConfigNode& at) {
    job_->Put("vernier.algorithm", "sampling_algorithm", at.position,
              job_->Text(algorithm, at.position));
  }

  void PutEarlyTermination(const ConfigNode* rule) {
    if (rule == nullptr) return;
    const std::string type = TextOf(ValueAt(*rule, "type"));
    const bool is_median = type == "median_stopping";
    if (is_median) {
      job_->Put("vernier.earlyStopping", "early_termination.type",
                rule->position, job_->Text("MEDIAN", rule->position));
    }
    for (const ConfigMember& member : rule->members) {
      if (is_median && member.key == "type") continue;
      fields_.LeaveOut(member.position,
                       WordBelow("early_termination", member.key),
                       "has no counterpart in the rules for early stopping "
                       "here; see stop_early of a study file");
    }
  }

  // Returns false if a trial is more than one process.
  bool CheckResources(const ConfigNode* resources, const std::string& word) {
    if (resources == nullptr) return true;
    fields_.Read(*resources, word, kAzureResourceFields);
    const ConfigNode* const count = ValueAt(*resources, "instance_count");
    if (count == nullptr || NumberOf(count) == 1.0) return true;
    job_->Error(*count, word + ".instance_count",
                "must be 1: a gang of several has roles in a study file");
    return false;
  }

  void PutTrial(const ConfigNode& file) {
    const ConfigNode* const trial = ValueAt(file, "trial");
    if (trial == nullptr || trial->kind != ConfigNode::Kind::kMap) {
      return job_->Error(trial == nullptr ? file : *trial, "trial",
                         "must have the command and its code, which are in "
                         "another file here: write them in its place");
    }
    fields_.Read(*trial, "trial", kTrialFields);
    CheckResources(fields_.MapAt(*trial, "resources", "trial"),
                   "trial.resources");
    if (const auto* distribution =
            fields_.MapAt(*trial, "distribution", "trial")) {
      PutDistribution(*distribution);
    }
    if (const auto* code = ValueAt(*trial, "code")) PutCode(*code);
    const ConfigNode* const command = ValueAt(*trial, "command");
    if (command == nullptr) return;  // The job's reader says so.
    const std::optional<std::string> text = WithPlaces(*command);
    if (!text.has_value()) return;
    const ConfigPosition& at = command->position;
    if (has_phrases_) {
      // A category of several words is several words to Azure's shell.
      ConfigNode* const words = job_->List(at);
      for (const std::string& word :
           {std::string("bash"), std::string("-c"), *text}) {
        words->items.push_back(job_->Text(word, at));
      }
      job_->Put("vernier.command", "trial.command", at, words);
    } else {
      PutShellCommand(*text, "trial.command", at, "bash", job_);
    }
    job_->Put("vernier.argStyle", "trial.command", at,
              job_->Text("PLACEHOLDERS", at));
  }

  void PutCode(const ConfigNode& code) {
    constexpr std::string_view kWord = "trial.code";
    if (code.kind == ConfigNode::Kind::kMap) {
      const ConfigNode* const folder = ValueAt(code, "local_path");
      return job_->Error(
          code, kWord,
          absl::StrCat("must be a folder: write code: ",
                       folder == nullptr ? "src" : ShowText(folder->scalar)));
    }
    const std::string_view kind = KindOfRemoteCode(code.scalar);
    if (kind.empty()) {
      return job_->Put("vernier.codeDir", kWord, code.position, &code);
    }
    job_->Error(code, kWord,
                absl::StrCat(std::string(kind),
                             ", which is not fetched: write the folder on this "
                             "machine that has it"));
  }

  void PutDistribution(const ConfigNode& distribution) {
    const ConfigNode* const count =
        ValueAt(distribution, "process_count_per_instance");
    if (count == nullptr || NumberOf(count) == 1.0) {
      return fields_.LeaveOut(distribution.position, "trial.distribution",
                              "starts one process, as is done here anyway");
    }
    job_->Error(distribution, "trial.distribution",
                "has no counterpart: start the processes by torchrun, or as "
                "roles of a study file");
  }

  // Returns the command with the job's places for those of the search, and with
  // the values of the inputs. Nullopt, and an error, if one has no counterpart.
  std::optional<std::string> WithPlaces(const ConfigNode& command) {
    const std::string& text = command.scalar;
    std::string result;
    std::vector<std::string> missing = names_;
    std::size_t at = 0;
    bool has_old = false;
    for (;;) {
      const AzurePlace place = NextPlace(text, at);
      if (place.begin == std::string::npos) break;
      has_old = has_old || place.is_old;
      const auto value = ValueOfPlace(command, place.name);
      if (!value.has_value()) return std::nullopt;
      std::erase_if(missing, [&](const std::string& name) {
        return place.name == "search_space." + name;
      });
      absl::StrAppend(&result, text.substr(at, place.begin - at), *value);
      at = place.end;
    }
    if (has_old) {
      fields_.Note(command.position, "trial.command",
                   "has places in single braces, the old form of ${{...}}; "
                   "they are read like these");
    }
    for (const std::string& name : missing) {
      job_->Error(command, "trial.command",
                  absl::StrCat("has no ${{search_space.", ShowText(name),
                               "}}, so that the program would not know it"));
    }
    if (!missing.empty()) return std::nullopt;
    return result + text.substr(at);
  }

  std::optional<std::string> ValueOfPlace(const ConfigNode& command,
                                          const std::string& place) {
    constexpr std::string_view kSpace = "search_space.";
    constexpr std::string_view kInputs = "inputs.";
    if (place.starts_with(kSpace)) {
      const std::string name = place.substr(kSpace.size());
      if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
        return PlaceOf(name);
      }
      job_->Error(command, "trial.command",
                  absl::StrCat("\"", ShowText(name),
                               "\" is no parameter of search_space"));
      return std::nullopt;
    }
    if (place.starts_with(kInputs)) {
      return ValueOfInput(command, place.substr(kInputs.size()));
    }
    job_->Error(command, "trial.command",
                absl::StrCat("${{", ShowText(place),
                             "}} has no counterpart here; a trial's files are "
                             "below VERNIER_OUTPUT_DIR"));
    return std::nullopt;
  }

  std::optional<std::string> ValueOfInput(const ConfigNode& command,
                                          const std::string& name) {
    const ConfigNode* input =
        inputs_ == nullptr ? nullptr : ValueAt(*inputs_, name);
    if (input != nullptr && input->kind == ConfigNode::Kind::kMap) {
      const ConfigNode* const path = ValueAt(*input, "path");
      const ConfigNode* const value = ValueAt(*input, "value");
      const bool is_here = path != nullptr && path->scalar.starts_with("/");
      input = is_here ? path : value;
    }
    if (input != nullptr && input->kind == ConfigNode::Kind::kScalar) {
      return input->scalar;
    }
    job_->Error(command, "trial.command",
                absl::StrCat("${{inputs.", ShowText(name),
                             "}} is data that Azure brings to the trial; write "
                             "its path on this machine, from /, as the path of "
                             "inputs.",
                             ShowText(name)));
    return std::nullopt;
  }

  JobTree* job_;
  ForeignFields fields_;
  ForeignParameters parameters_;
  std::vector<std::string> names_;  // Of the parameters.
  bool has_phrases_ = false;        // A category is not one word to a shell.
  const ConfigNode* inputs_ = nullptr;
};

}  // namespace

bool IsAzureFile(const ConfigNode* root) {
  if (root == nullptr || root->kind != ConfigNode::Kind::kMap) return false;
  const ConfigNode* const type = root->Find("type");
  return TextOf(type) == "sweep" && root->Find("search_space") != nullptr;
}

bool ExpandAzureFile(ConfigTree& tree, SpecDiagnostics& diagnostics) {
  const ConfigNode& file = *tree.root;
  JobTree job(&tree, &diagnostics, file.position);
  AzureExpansion(&job, &diagnostics, file).Run(file);
  tree.root = job.root();
  diagnostics.Rename(job.TakeWords(), &ForeignMessage);
  return !diagnostics.has_errors();
}

}  // namespace vernier
