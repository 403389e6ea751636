#include "study/foreign_files/determined_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "study/foreign_files/foreign_job.h"
#include "study/foreign_files/foreign_node.h"
#include "study/foreign_files/foreign_parameters.h"
#include "study/parameter_name.h"

namespace vernier {
namespace {

constexpr std::string_view kItsCluster =
    "is of Determined's cluster; what a job asks of this machine, of Slurm or "
    "of Kubernetes has fields of its own";
constexpr std::string_view kItsHarness =
    "is for Determined's own training loop; here the program decides it";
constexpr std::string_view kItsPage = "is what Determined's page shows";
constexpr std::string_view kItsCheckpoints =
    "says where Determined keeps checkpoints; outputs of a study file names a "
    "folder for each trial";

constexpr ForeignWords kExperimentFields[] = {
    {"name entrypoint hyperparameters searcher environment resources "
     "reproducibility"},
    {"max_restarts", "vernier.retry.maxUserErrorRetries"},
    {"description labels workspace project tags", "", kItsPage},
    {"debug", "", kItsHarness},
    {"data", "",
     "is what Determined hands to its own training loop; give it to the "
     "program as arguments of its own"},
    {"data_layer", "", kItsHarness},
    {"integrations", "", kItsCluster},
    {"internal", "", kItsHarness},
    {"bind_mounts", "",
     "is for Determined's containers; a program on this machine sees its "
     "folders as they are"},
    {"checkpoint_storage checkpoint_policy", "", kItsCheckpoints},
    {"log_policies", "", "are rules for Determined's logs; see end_rules"},
    {"retention_policy", "", "is for Determined's logs"},
    {"min_checkpoint_period min_validation_period perform_initial_validation "
     "records_per_epoch scheduling_unit optimizations profiling",
     "", kItsHarness},
    {"preemption_timeout", "",
     "is the time between Determined's signal and the end; see kill_grace"},
    {"security slurm pbs", "", kItsCluster},
    {"tensorboard_storage", "", kItsCheckpoints},
};

constexpr ForeignWords kSearcherFields[] = {
    {"name metric smaller_is_better max_trials max_concurrent_trials divisor"},
    {"max_length max_time time_metric unit", "",
     "is how long Determined trains; here the program decides it, and early "
     "stopping goes by the steps that it reports"},
    {"max_rungs bracket_rungs mode", "",
     "has no counterpart in the rule for early stopping here"},
    {"stop_once", "", "says how Determined stops: here a stopped trial ends"},
    {"source_trial_id source_checkpoint_uuid", "",
     "names a checkpoint at Determined; give the program its path"},
};

constexpr ForeignWords kEnvironmentFields[] = {
    {"image environment_variables"},
    {"pod_spec force_pull_image registry_auth ports proxy_ports "
     "add_capabilities drop_capabilities",
     "", kItsCluster},
};

constexpr ForeignWords kResourceFields[] = {
    {"slots_per_trial"},
    {"slots max_slots weight priority resource_pool resource_manager "
     "agent_label native_parallel is_single_node single_node devices shm_size",
     "", kItsCluster},
};

constexpr ForeignWords kReproducibilityFields[] = {
    {"experiment_seed", "vernier.seed"},
};

constexpr ForeignWords kRangeFields[] = {{"type minval maxval base count"}};
constexpr ForeignWords kCategoryFields[] = {{"type vals"}};
constexpr ForeignWords kConstantFields[] = {{"type val"}};

constexpr std::string_view kOneLine =
    "gets its hyperparameters by vernier_hpo.trial().params, in place of "
    "det.get_cluster_info().trial.hparams";

// Words for fields of a job file's parameter.
constexpr std::pair<std::string_view, std::string_view> kDeterminedWords[] = {
    {"minValue", "minval"},
    {"maxValue", "maxval"},
    {"discreteValues", "vals"},
    {"categoricalValues", "vals"},
};

enum class SearcherKind { kSingle, kRandom, kGrid, kAsha };

// "model_def:MNistTrial" is a class that Determined's own loop trains.
bool IsTrialClass(const ForeignNode& entrypoint) {
  const std::string text = entrypoint.text();
  return text.find(':') != std::string::npos &&
         text.find_first_of(" \t\n") == std::string::npos;
}

bool CallsDetermined(const ConfigNode& entrypoint) {
  const auto calls = [](const std::string& text) {
    return text.find("determined.launch") != std::string::npos ||
           text.find("determined.exec") != std::string::npos;
  };
  return calls(entrypoint.scalar) ||
         std::any_of(entrypoint.items.begin(), entrypoint.items.end(),
                     [&](const auto* item) { return calls(item->scalar); });
}

/// Turns the fields of one experiment into those of a job file.
class DeterminedExpansion {
 public:
  explicit DeterminedExpansion(const ForeignNode& file)
      : file_(file), parameters_(file, kDeterminedWords) {}

  void Run() {
    file_.Read(kExperimentFields);
    PutName(file_["name"]);
    has_program_ = PutProgram(file_["entrypoint"]);
    PutEnvironment(file_.MapAt("environment"));
    const ForeignNode resources = file_.MapAt("resources");
    resources.Read(kResourceFields);
    resources["slots_per_trial"].Put("vernier.gpusPerReplica");
    file_.MapAt("reproducibility").Read(kReproducibilityFields);
    if (const ForeignNode searcher = file_.MapAt("searcher")) {
      PutSearcher(searcher);
    }
    file_.job().Call("trainingInput.hyperparameters", "searcher");
    file_.job().Call("trainingInput.pythonModule", "entrypoint");
  }

 private:
  // Returns false if there is no program that runs without Determined.
  static bool PutProgram(const ForeignNode& entrypoint) {
    if (!entrypoint) return false;
    if (IsTrialClass(entrypoint)) {
      entrypoint.LeaveOut(
          "is a class for Determined's own training loop; give a program that "
          "trains once: vernier run --config FILE -- python3 train.py");
      return false;
    }
    if (CallsDetermined(*entrypoint.get())) {
      entrypoint.LeaveOut(
          "starts Determined's launcher; give the program itself, or torchrun: "
          "vernier run --config FILE -- torchrun train.py");
      return false;
    }
    if (entrypoint.is_list()) {
      entrypoint.Put("vernier.command");
    } else if (!PutShellCommand(entrypoint, "sh")) {
      // The names of files in a shell's text are not found.
      entrypoint.PutText("vernier.codeDir", ".");
    }
    // At Determined a program asks the library for its hyperparameters.
    entrypoint.Note(kOneLine);
    entrypoint.PutText("vernier.argStyle", "NONE");
    return true;
  }

  void PutEnvironment(const ForeignNode& map) {
    map.Read(kEnvironmentFields);
    const ForeignNode image = map["image"];
    if (image.is_single() && has_program_) {
      image.Put("trainingInput.masterConfig.imageUri");
    } else if (image) {
      image.LeaveOut(image.is_single()
                         ? "has no program that runs in it"
                         : "names several images; give one as image in a study "
                           "file");
    }
    const ForeignNode variables = map["environment_variables"];
    if (variables.is_list()) return PutVariables(variables);
    if (!variables) return;
    variables.LeaveOut(
        "has variables by kind of device; give them as env in a study file");
  }

  static void PutVariables(const ForeignNode& list) {
    ConfigNode* const map = list.job().Map(list.at());
    for (const ForeignNode& item : list.items()) {
      const std::string text = item.text();
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos) {
        item.Called(list.word())
            .LeaveOut(absl::StrCat("\"", ShowText(text),
                                   "\" has no value; name it with --env"));
        continue;
      }
      map->members.push_back({text.substr(0, equals), item.at(),
                              item.With(text.substr(equals + 1)).get()});
    }
    list.With(map).Put("vernier.environment");
  }

  static std::optional<SearcherKind> KindOf(const std::string& name) {
    if (name == "single") return SearcherKind::kSingle;
    if (name == "random") return SearcherKind::kRandom;
    if (name == "grid") return SearcherKind::kGrid;
    if (name == "adaptive_asha") return SearcherKind::kAsha;
    return std::nullopt;
  }

  void PutSearcher(const ForeignNode& searcher) {
    const ForeignNode name = searcher["name"];
    const std::optional<SearcherKind> kind = KindOf(name.text());
    if (!kind.has_value()) {
      return name.Error(
          absl::StrCat("has no counterpart here: ", ShowText(name.text()),
                       "; take adaptive_asha, random, grid or single"));
    }
    searcher.Read(kSearcherFields);
    is_grid_ = *kind == SearcherKind::kGrid;
    if (const ForeignNode map = file_["hyperparameters"]; map.is_map()) {
      PutMembers(map, "");
    } else if (map) {
      map.Error("must be a mapping by name");
    }
    if (parameters_.is_empty() && *kind == SearcherKind::kSingle) {
      if (!has_program_) {
        return searcher.Error(
            "searches nothing, and entrypoint is for Determined alone, so that "
            "nothing of it is left");
      }
      // One trial without parameters is no search.
      return searcher.LeaveOut(
          "searches nothing: the job is one run of the program");
    }
    if (!parameters_.has_choice() && *kind != SearcherKind::kSingle &&
        !file_.has_errors()) {
      return searcher.Called("hyperparameters")
          .Error("has none with more than one value");
    }
    parameters_.PutIntoJob("hyperparameters");
    PutMetric(searcher);
    PutAlgorithm(searcher, *kind);
    PutCounts(searcher, *kind);
  }

  static void PutMetric(const ForeignNode& searcher) {
    const ForeignNode metric = searcher["metric"];
    if (!metric) {
      return metric.Error("is needed to say which trial is the best");
    }
    metric.Put(kMetricPath);
    ForeignNode smaller = searcher["smaller_is_better"];
    if (!smaller) smaller = metric.Called(smaller.word()).With("true");
    if (smaller.text() != "true" && smaller.text() != "false") {
      return smaller.Error("must be true or false");
    }
    smaller.PutText(kGoalPath,
                    smaller.text() == "true" ? "MINIMIZE" : "MAXIMIZE");
  }

  static void PutAlgorithm(const ForeignNode& searcher, SearcherKind kind) {
    const ForeignNode name = searcher["name"];
    const ForeignNode divisor = searcher["divisor"];
    if (kind == SearcherKind::kGrid) {
      name.PutText("vernier.algorithm", "GRID_SEARCH");
    } else if (kind == SearcherKind::kRandom) {
      name.PutText("vernier.algorithm", "RANDOM_SEARCH");
    } else if (kind == SearcherKind::kAsha) {
      name.PutText("vernier.earlyStopping.rule", "ASHA");
      return divisor.Put("vernier.earlyStopping.reductionFactor");
    }
    if (divisor) divisor.LeaveOut("is for adaptive_asha");
  }

  void PutCounts(const ForeignNode& searcher, SearcherKind kind) {
    ForeignNode trials = searcher["max_trials"];
    if (kind == SearcherKind::kSingle || kind == SearcherKind::kGrid) {
      const std::int64_t count = kind == SearcherKind::kSingle
                                     ? 1
                                     : parameters_.combinations().value_or(1);
      if (trials) {
        trials.LeaveOut(absl::StrCat("is not for ", searcher["name"].text()));
      }
      trials = searcher.Called(trials.word()).With(absl::StrCat(count), true);
    }
    const ForeignNode parallel = searcher["max_concurrent_trials"];
    // Zero stands for as many as there are.
    PutTrials(trials,
              parallel.number() == 0.0 ? parallel.With(nullptr) : parallel);
  }

  void PutMembers(const ForeignNode& map, const std::string& prefix) {
    if (prefix.size() > kMaxParameterName) {
      return map.Called("hyperparameters").Error("has too long names");
    }
    for (const ForeignNode& member : map.members()) {
      const std::string name = prefix + member.key();
      PutOne(name, member.Called("hyperparameters." + ShowText(name)));
    }
  }

  void PutOne(const std::string& name, const ForeignNode& member) {
    const ForeignParameter parameter = {name, member.word(), member.at()};
    if (!member.is_map()) return PutConstant(parameter, member);
    const ForeignNode value = member.value();
    const ForeignNode given = value["type"];
    const std::string type = given.text();
    if (!given) return PutMembers(value, name + ".");
    if (type == "const") {
      value.Read(kConstantFields);
      if (const ForeignNode constant = value.Find("val")) {
        return PutConstant(parameter, member.With(constant.get()));
      }
      return value.Error("must have val");
    }
    if (type == "categorical") {
      value.Read(kCategoryFields);
      const ForeignNode values = value["vals"];
      if (values.items().empty()) return value.Error("must have a list, vals");
      parameters_.AddValues(parameter, values.get()->items);
      return;
    }
    if (type == "int" || type == "double" || type == "log") {
      value.Read(kRangeFields);
      return PutRange(parameter, value, type);
    }
    given.Error(absl::StrCat("must be const, categorical, int, double or log: ",
                             ShowValue(*given.get())));
  }

  void PutConstant(const ForeignParameter& parameter,
                   const ForeignNode& value) {
    const bool is_nothing = value.get()->kind == ConfigNode::Kind::kNull ||
                            (value.is_single() && value.text().empty());
    if (!is_nothing) {
      parameters_.AddValues(parameter, {value.get()});
      return;
    }
    value.LeaveOut(
        "is nothing, which cannot be a parameter; the program must do without "
        "it");
  }

  void PutRange(const ForeignParameter& parameter, const ForeignNode& value,
                const std::string& type) {
    const auto low = value["minval"].number();
    const auto high = value["maxval"].number();
    if (!low.has_value() || !high.has_value()) {
      return value.Error("must have minval and maxval, both numbers");
    }
    double base = 0;
    if (type == "log") {
      const ForeignNode written = value["base"];
      base = written ? written.number().value_or(0) : 10;
      if (!(base > 1)) return written.Error("must be a number > 1");
    }
    if (is_grid_) return PutGridValues(parameter, value, *low, *high, base);
    if (const ForeignNode count = value["count"]) {
      count.LeaveOut("is for the searcher grid");
    }
    if (type != "log") {
      parameters_.AddRange(parameter, {*low, *high, type == "int"});
    } else {
      parameters_.AddRange(parameter,
                           {std::pow(base, *low), std::pow(base, *high), false,
                            ForeignScale::kLog});
    }
  }

  // Determined's grid has `count` values from end to end, and fewer only of
  // whole numbers of which there are fewer. `base` is 0 if it is no exponent.
  void PutGridValues(const ForeignParameter& parameter,
                     const ForeignNode& value, double low, double high,
                     double base) {
    constexpr double kMostGridValues = 1000;
    const bool is_whole = value["type"].text() == "int";
    const ForeignNode at_count = value.Called(value["count"].word());
    auto count = value["count"].number();
    if (!count.has_value() || *count < 1 || std::trunc(*count) != *count) {
      return at_count.Error("must be a whole number > 0 for the searcher grid");
    }
    if (is_whole) count = std::min(*count, high - low + 1);
    if (!(*count <= kMostGridValues)) {
      return at_count.Error("must be at most 1000");
    }
    std::vector<double> values;
    for (double i = 0; i < *count; ++i) {
      double at = *count == 1 ? (low + high) / 2
                              : low + i * (high - low) / (*count - 1);
      if (is_whole) at = std::round(at);
      values.push_back(base > 0 ? std::pow(base, at) : at);
    }
    parameters_.AddNumbers(
        parameter, std::move(values),
        base > 0 ? ForeignScale::kLog : ForeignScale::kLinear);
  }

  ForeignNode file_;
  ForeignParameters parameters_;
  bool is_grid_ = false;
  bool has_program_ = false;  // One that runs without Determined.
};

}  // namespace

bool IsDeterminedFile(const ConfigNode* root) {
  if (!IsOfAnotherTool(root)) return false;
  const ConfigNode* const searcher = root->Find("searcher");
  return searcher != nullptr && ValueAt(*searcher, "name") != nullptr;
}

bool ExpandDeterminedFile(ConfigTree& tree, SpecDiagnostics& diagnostics) {
  return ExpandForeignFile(
      tree, diagnostics, "an experiment of Determined",
      [](const ForeignNode& file) { DeterminedExpansion(file).Run(); });
}

}  // namespace vernier
