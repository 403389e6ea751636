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
#include "base/shown_text.h"
#include "study/foreign_files/foreign_job.h"
#include "study/foreign_files/foreign_node.h"
#include "study/foreign_files/foreign_parameters.h"
#include "study/job_spec.h"

namespace vernier {
namespace {

constexpr std::string_view kItsStudio = "is what Azure's studio shows";
constexpr std::string_view kItsCompute =
    "is a machine of Azure's; what a job asks of this machine, of Slurm or of "
    "Kubernetes has fields of its own";

constexpr ForeignWords kSweepJobFields[] = {
    {"$schema type name trial inputs sampling_algorithm search_space objective "
     "limits early_termination"},
    {"outputs", "",
     "are uploaded by Azure; here a trial's files are its own, see outputs of "
     "a study file"},
    {"display_name experiment_name description tags properties", "",
     kItsStudio},
    {"compute", "", kItsCompute},
    {"resources"},
    {"queue_settings identity services", "", kItsCompute},
};

constexpr ForeignWords kTrialFields[] = {
    {"command type $schema code"},
    {"environment", "",
     "is an environment of Azure's; packages or an image of the job take its "
     "place"},
    {"environment_variables", "vernier.environment"},
    {"resources distribution"},
    {"name display_name description", "", kItsStudio},
    {"services identity compute", "", kItsCompute},
};

constexpr ForeignWords kObjectiveFields[] = {{"type goal"},
                                             {"primary_metric", kMetricPath}};

constexpr ForeignWords kLimitFields[] = {
    {"type max_total_trials max_concurrent_trials timeout trial_timeout"}};

constexpr ForeignWords kSamplingFields[] = {
    {"type"}, {"seed", "vernier.seed"}, {"rule logbase"}};

constexpr ForeignWords kAzureResourceFields[] = {
    {"instance_count"},
    {"instance_type shm_size docker_args locations properties", "",
     kItsCompute},
};

constexpr ForeignWords kAzureParameterFields[] = {
    {"type values min_value max_value q upper"}};

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
  explicit AzureExpansion(const ForeignNode& file)
      : file_(file), parameters_(file, kAzureWords) {}

  void Run() {
    file_.Read(kSweepJobFields);
    PutName(file_["name"]);
    PutSearchSpace();
    PutObjective();
    PutLimits();
    PutSampling();
    PutEarlyTermination();
    CheckResources(file_.MapAt("resources"));
    file_.MapAt("inputs");  // Only its error: PutTrial asks for each.
    PutTrial();
    file_.job().Call("trainingInput.hyperparameters", "search_space");
    file_.job().Call("trainingInput.pythonModule", "trial.command");
  }

 private:
  void PutSearchSpace() {
    const ForeignNode space = file_.MapAt("search_space");
    if (!space) return;
    for (const ForeignNode& member : space.members()) {
      if (member.is_map()) {
        PutParameter({member.key(), member.word(), member.at()},
                     member.value());
      } else {
        member.Error("must be a mapping");
      }
      names_.push_back(member.key());
    }
    parameters_.RequireChoice(space);
    parameters_.PutIntoJob(space.word());
  }

  void PutParameter(const ForeignParameter& parameter,
                    const ForeignNode& value) {
    const std::string type = value["type"].text();
    const bool is_log = type == "loguniform" || type == "qloguniform";
    const bool has_step = type == "quniform" || type == "qloguniform";
    if (type != "choice" && type != "randint" && type != "uniform" && !is_log &&
        !has_step) {
      return value.Called(value.word() + ".type")
          .Error(absl::StrCat(
              "has no counterpart here: ", ShowText(type),
              "; take choice, randint, uniform, loguniform, quniform or "
              "qloguniform"));
    }
    value.Read(kAzureParameterFields);
    if (type == "choice") return PutChoice(parameter, value);
    if (type == "randint") return PutRandomInteger(parameter, value);
    auto low = value["min_value"].number();
    auto high = value["max_value"].number();
    if (!low.has_value() || !high.has_value()) {
      return value.Error("must have min_value and max_value, both numbers");
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
    const double step = value["q"].number().value_or(0);
    if (!(step > 0)) {
      return value.Called(value.word() + ".q").Error("must be a number > 0");
    }
    parameters_.AddRounded(parameter, range, step, /*is_cut=*/false);
  }

  void PutChoice(const ForeignParameter& parameter, const ForeignNode& value) {
    const ForeignNode values = value["values"];
    if (values.items().empty()) {
      return value.Called(values.word()).Error("must be a list");
    }
    for (const ForeignNode& item : values.items()) {
      has_phrases_ = has_phrases_ || !IsOneWord(item.text());
    }
    parameters_.AddValues(parameter, values.get()->items);
  }

  void PutRandomInteger(const ForeignParameter& parameter,
                        const ForeignNode& value) {
    const auto upper = value["upper"].number();
    if (!upper.has_value() || *upper < 1 || std::trunc(*upper) != *upper) {
      return value.Called(value.word() + ".upper")
          .Error("must be a whole number > 0");
    }
    parameters_.AddRange(parameter, {0, *upper - 1, true});
  }

  void PutObjective() {
    const ForeignNode objective = file_.MapAt("objective");
    if (!objective["primary_metric"]) {
      return file_.Called(objective.word())
          .Error(
              "is needed to say which trial is the best: {goal: minimize, "
              "primary_metric: loss}");
    }
    objective.Read(kObjectiveFields);
    PutGoal(objective["goal"], absl::AsciiStrToLower(objective["goal"].text()),
            "must be minimize or maximize");
  }

  void PutLimits() {
    const ForeignNode limits = file_.MapAt("limits");
    limits.Read(kLimitFields);
    limits["timeout"].PutSeconds("vernier.limits.maxTime");
    limits["trial_timeout"].PutSeconds("vernier.trialTimeLimit");
    const ForeignNode trials = limits["max_total_trials"];
    // Azure's own default.
    PutTrials(trials ? trials : file_.Called(trials.word()).With("1000", true),
              limits["max_concurrent_trials"]);
  }

  void PutSampling() {
    const ForeignNode sampling = file_["sampling_algorithm"];
    if (!sampling) return;
    sampling.Read(kSamplingFields);
    CheckLogBase(sampling["logbase"]);
    const std::string text = absl::AsciiStrToLower(
        (sampling.is_map() ? sampling["type"] : sampling).text());
    if (text == "grid") {
      parameters_.RefuseRangesInGrid(
          "write choice, randint, quniform or qloguniform, or take another "
          "sampling_algorithm");
      sampling.PutText("vernier.algorithm", "GRID_SEARCH");
    } else if (text == "random") {
      sampling.PutText("vernier.algorithm", sampling["rule"].text() == "sobol"
                                                ? "QUASI_RANDOM_SEARCH"
                                                : "RANDOM_SEARCH");
    } else if (text != "bayesian") {
      sampling.Error("must be random, grid or bayesian");
    }
  }

  // The bounds of a loguniform are read as exponents of e.
  static void CheckLogBase(const ForeignNode& base) {
    constexpr double kE = 2.718281828459045;
    if (!base || base.text() == "e") return;
    if (std::abs(base.number().value_or(0) - kE) < 1e-6) return;
    base.Error("must be e; give the bounds as powers of e: " +
               ShowValue(*base.get()));
  }

  void PutEarlyTermination() {
    const ForeignNode rule = file_.MapAt("early_termination");
    const bool is_median = rule["type"].text() == "median_stopping";
    if (is_median) {
      rule.Called(rule["type"].word())
          .PutText("vernier.earlyStopping", "MEDIAN");
    }
    for (const ForeignNode& member : rule.members()) {
      if (is_median && member.key() == "type") continue;
      member.LeaveOut(
          "has no counterpart in the rules for early stopping here; see "
          "stop_early of a study file");
    }
  }

  static void CheckResources(const ForeignNode& resources) {
    resources.Read(kAzureResourceFields);
    const ForeignNode count = resources["instance_count"];
    if (!count || count.number() == 1.0) return;
    count.Error("must be 1: a gang of several has roles in a study file");
  }

  void PutTrial() {
    const ForeignNode trial = file_["trial"];
    if (!trial.is_map()) {
      return trial.Error(
          "must have the command and its code, which are in another file here: "
          "write them in its place");
    }
    trial.Read(kTrialFields);
    CheckResources(trial.MapAt("resources"));
    CheckDistribution(trial.MapAt("distribution"));
    PutCode(trial["code"]);
    const ForeignNode command = trial["command"];
    if (!command) return;  // The job's reader says so.
    const std::optional<std::string> text = WithPlaces(command);
    if (!text.has_value()) return;
    if (has_phrases_) {
      // A category of several words is several words to Azure's shell.
      PutCommand(command, {"bash", "-c", *text});
    } else {
      PutShellCommand(command.With(*text), "bash");
    }
    command.PutText("vernier.argStyle", "PLACEHOLDERS");
  }

  static void PutCode(const ForeignNode& code) {
    if (code.is_map()) {
      const ForeignNode folder = code["local_path"];
      return code.Error(absl::StrCat("must be a folder: write code: ",
                                     folder ? ShowText(folder.text()) : "src"));
    }
    const std::string kind(KindOfRemoteCode(code.text()));
    if (kind.empty()) return code.Put("vernier.codeDir");
    code.Error(kind +
               ", which is not fetched: write the folder on this machine that "
               "has it");
  }

  static void CheckDistribution(const ForeignNode& distribution) {
    if (!distribution) return;
    const ForeignNode count = distribution["process_count_per_instance"];
    if (!count || count.number() == 1.0) {
      return distribution.LeaveOut(
          "starts one process, as is done here anyway");
    }
    distribution.Error(
        "has no counterpart: start the processes by torchrun, or as roles of a "
        "study file");
  }

  // Returns the command with the job's places for those of the search, and with
  // the values of the inputs. Nullopt, and an error, if one has no counterpart.
  std::optional<std::string> WithPlaces(const ForeignNode& command) {
    const std::string text = command.text();
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
      command.Note(
          "has places in single braces, the old form of ${{...}}; they are "
          "read like these");
    }
    for (const std::string& name : missing) {
      command.Error(absl::StrCat("has no ${{search_space.", ShowText(name),
                                 "}}, so that the program would not know it"));
    }
    if (!missing.empty()) return std::nullopt;
    return result + text.substr(at);
  }

  std::optional<std::string> ValueOfPlace(const ForeignNode& command,
                                          const std::string& place) {
    constexpr std::string_view kSpace = "search_space.";
    constexpr std::string_view kInputs = "inputs.";
    if (place.starts_with(kSpace)) {
      const std::string name = place.substr(kSpace.size());
      if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
        return PlaceOf(name);
      }
      command.Error(absl::StrCat("\"", ShowText(name),
                                 "\" is no parameter of search_space"));
      return std::nullopt;
    }
    if (place.starts_with(kInputs)) {
      return ValueOfInput(command, place.substr(kInputs.size()));
    }
    command.Error(absl::StrCat("${{", ShowText(place),
                               "}} has no counterpart here; a trial's files "
                               "are below VERNIER_OUTPUT_DIR"));
    return std::nullopt;
  }

  std::optional<std::string> ValueOfInput(const ForeignNode& command,
                                          const std::string& name) {
    ForeignNode input = file_["inputs"][name];
    if (input.is_map()) {
      const bool is_here = input["path"].text().starts_with("/");
      input = input[is_here ? "path" : "value"];
    }
    if (input.is_single()) return input.text();
    command.Error(
        absl::StrCat("${{inputs.", ShowText(name),
                     "}} is data that Azure brings to the trial; write its "
                     "path on this machine, from /, as the path of inputs.",
                     ShowText(name)));
    return std::nullopt;
  }

  ForeignNode file_;
  ForeignParameters parameters_;
  std::vector<std::string> names_;  // Of the parameters.
  bool has_phrases_ = false;        // A category is not one word to a shell.
};

}  // namespace

bool IsAzureFile(const ConfigNode* root) {
  if (root == nullptr || root->kind != ConfigNode::Kind::kMap) return false;
  const ConfigNode* const type = root->Find("type");
  return type != nullptr && type->scalar == "sweep" &&
         root->Find("search_space") != nullptr;
}

bool ExpandAzureFile(ConfigTree& tree, SpecDiagnostics& diagnostics) {
  return ExpandForeignFile(
      tree, diagnostics, "a sweep of Azure ML",
      [](const ForeignNode& file) { AzureExpansion(file).Run(); });
}

}  // namespace vernier
