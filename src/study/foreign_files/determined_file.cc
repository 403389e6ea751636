#include "study/foreign_files/determined_file.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "study/foreign_files/foreign_fields.h"
#include "study/foreign_files/foreign_parameters.h"
#include "study/foreign_files/foreign_program.h"
#include "study/parameter_name.h"

namespace vernier {
namespace {

constexpr std::string_view kExperimentKind = "an experiment of Determined";
constexpr std::string_view kDeterminedSearch = "trainingInput.hyperparameters.";

constexpr std::string_view kItsCluster =
    "is of Determined's cluster; what a job asks of this machine, of Slurm or "
    "of Kubernetes has fields of its own";
constexpr std::string_view kItsHarness =
    "is for Determined's own training loop; here the program decides it";
constexpr std::string_view kItsPage = "is what Determined's page shows";
constexpr std::string_view kItsCheckpoints =
    "says where Determined keeps checkpoints; outputs of a study file names a "
    "folder for each trial";

constexpr ForeignField kExperimentFields[] = {
    {"name"},
    {"entrypoint"},
    {"hyperparameters"},
    {"searcher"},
    {"environment"},
    {"resources"},
    {"reproducibility"},
    {"max_restarts", "vernier.retry.maxUserErrorRetries"},
    {"description", "", kItsPage},
    {"labels", "", kItsPage},
    {"workspace", "", kItsPage},
    {"project", "", kItsPage},
    {"tags", "", kItsPage},
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
    {"checkpoint_storage", "", kItsCheckpoints},
    {"checkpoint_policy", "", kItsCheckpoints},
    {"log_policies", "", "are rules for Determined's logs; see end_rules"},
    {"retention_policy", "", "is for Determined's logs"},
    {"min_checkpoint_period", "", kItsHarness},
    {"min_validation_period", "", kItsHarness},
    {"perform_initial_validation", "", kItsHarness},
    {"records_per_epoch", "", kItsHarness},
    {"scheduling_unit", "", kItsHarness},
    {"optimizations", "", kItsHarness},
    {"profiling", "", kItsHarness},
    {"preemption_timeout", "",
     "is the time between Determined's signal and the end; see kill_grace"},
    {"security", "", kItsCluster},
    {"slurm", "", kItsCluster},
    {"pbs", "", kItsCluster},
    {"tensorboard_storage", "", kItsCheckpoints},
};

constexpr std::string_view kOwnLength =
    "is how long Determined trains; here the program decides it, and early "
    "stopping goes by the steps that it reports";

constexpr ForeignField kSearcherFields[] = {
    {"name"},
    {"metric"},
    {"smaller_is_better"},
    {"max_trials"},
    {"max_concurrent_trials"},
    {"divisor"},
    {"max_length", "", kOwnLength},
    {"max_time", "", kOwnLength},
    {"time_metric", "", kOwnLength},
    {"unit", "", kOwnLength},
    {"max_rungs", "", "has no counterpart in the rule for early stopping here"},
    {"bracket_rungs", "",
     "has no counterpart in the rule for early stopping here"},
    {"mode", "", "has no counterpart in the rule for early stopping here"},
    {"stop_once", "", "says how Determined stops: here a stopped trial ends"},
    {"source_trial_id", "",
     "names a checkpoint at Determined; give the program its path"},
    {"source_checkpoint_uuid", "",
     "names a checkpoint at Determined; give the program its path"},
};

constexpr ForeignField kEnvironmentFields[] = {
    {"image"},
    {"environment_variables"},
    {"pod_spec", "", kItsCluster},
    {"force_pull_image", "", kItsCluster},
    {"registry_auth", "", kItsCluster},
    {"ports", "", kItsCluster},
    {"proxy_ports", "", kItsCluster},
    {"add_capabilities", "", kItsCluster},
    {"drop_capabilities", "", kItsCluster},
};

constexpr ForeignField kResourceFields[] = {
    {"slots_per_trial"},
    {"slots", "", kItsCluster},
    {"max_slots", "", kItsCluster},
    {"weight", "", kItsCluster},
    {"priority", "", kItsCluster},
    {"resource_pool", "", kItsCluster},
    {"resource_manager", "", kItsCluster},
    {"agent_label", "", kItsCluster},
    {"native_parallel", "", kItsCluster},
    {"is_single_node", "", kItsCluster},
    {"single_node", "", kItsCluster},
    {"devices", "", kItsCluster},
    {"shm_size", "", kItsCluster},
};

constexpr ForeignField kReproducibilityFields[] = {
    {"experiment_seed", "vernier.seed"},
};

constexpr ForeignField kRangeFields[] = {
    {"type"}, {"minval"}, {"maxval"}, {"base"}, {"count"}};
constexpr ForeignField kCategoryFields[] = {{"type"}, {"vals"}};
constexpr ForeignField kConstantFields[] = {{"type"}, {"val"}};

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
bool IsTrialClass(const ConfigNode& entrypoint) {
  return entrypoint.kind == ConfigNode::Kind::kScalar &&
         entrypoint.scalar.find(':') != std::string::npos &&
         entrypoint.scalar.find_first_of(" \t\n") == std::string::npos;
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
  DeterminedExpansion(JobTree* job, SpecDiagnostics* diagnostics,
                      const ConfigNode& file)
      : job_(job),
        fields_(job, diagnostics, kExperimentKind),
        parameters_(job, file.position, kDeterminedWords) {}

  void Run(const ConfigNode& file) {
    job_->Make("trainingInput");
    fields_.Read(file, "", kExperimentFields);
    if (const ConfigNode* name = ValueAt(file, "name");
        name != nullptr && !PutJobName(*name, "name", job_)) {
      fields_.LeaveOut(name->position, "name",
                       "can be no job's name here; give one with --name");
    }
    has_program_ = PutProgram(ValueAt(file, "entrypoint"));
    PutEnvironment(file);
    PutResources(file);
    if (const auto* seed = fields_.MapAt(file, "reproducibility", "")) {
      fields_.Read(*seed, "reproducibility", kReproducibilityFields);
    }
    if (const auto* searcher = fields_.MapAt(file, "searcher", "")) {
      PutSearcher(*searcher, ValueAt(file, "hyperparameters"));
    }
    job_->Call("trainingInput.hyperparameters", "searcher");
    job_->Call("trainingInput.pythonModule", "entrypoint");
  }

 private:
  // Returns false if there is no program that runs without Determined.
  bool PutProgram(const ConfigNode* entrypoint) {
    if (entrypoint == nullptr) return false;
    if (IsTrialClass(*entrypoint)) {
      fields_.LeaveOut(entrypoint->position, "entrypoint",
                       "is a class for Determined's own training loop; give a "
                       "program that trains once: vernier run --config FILE -- "
                       "python3 train.py");
      return false;
    }
    if (CallsDetermined(*entrypoint)) {
      fields_.LeaveOut(entrypoint->position, "entrypoint",
                       "starts Determined's launcher; give the program itself, "
                       "or torchrun: vernier run --config FILE -- torchrun "
                       "train.py");
      return false;
    }
    if (entrypoint->kind == ConfigNode::Kind::kList) {
      job_->Put("vernier.command", "entrypoint", entrypoint->position,
                entrypoint);
    } else if (!PutShellCommand(entrypoint->scalar, "entrypoint",
                                entrypoint->position, "sh", job_)) {
      // The names of files in a shell's text are not found.
      job_->Put("vernier.codeDir", "entrypoint", entrypoint->position,
                job_->Text(".", entrypoint->position));
    }
    // At Determined a program asks the library for its hyperparameters.
    fields_.Note(entrypoint->position, "entrypoint", std::string(kOneLine));
    job_->Put("vernier.argStyle", "entrypoint", entrypoint->position,
              job_->Text("NONE", entrypoint->position));
    return true;
  }

  void PutEnvironment(const ConfigNode& file) {
    const ConfigNode* const map = fields_.MapAt(file, "environment", "");
    if (map == nullptr) return;
    fields_.Read(*map, "environment", kEnvironmentFields);
    if (const ConfigNode* image = ValueAt(*map, "image")) {
      const bool is_one = image->kind == ConfigNode::Kind::kScalar;
      if (is_one && has_program_) {
        job_->Put("trainingInput.masterConfig.imageUri", "environment.image",
                  image->position, image);
      } else {
        fields_.LeaveOut(image->position, "environment.image",
                         is_one ? "has no program that runs in it"
                                : "names several images; give one as image in "
                                  "a study file");
      }
    }
    const ConfigNode* const variables = ValueAt(*map, "environment_variables");
    if (variables == nullptr) return;
    if (variables->kind == ConfigNode::Kind::kList) {
      return PutVariables(*variables);
    }
    fields_.LeaveOut(variables->position, "environment.environment_variables",
                     "has variables by kind of device; give them as env in a "
                     "study file");
  }

  void PutVariables(const ConfigNode& list) {
    constexpr std::string_view kWord = "environment.environment_variables";
    ConfigNode* const map = job_->Map(list.position);
    for (const ConfigNode* const item : list.items) {
      const std::size_t equals = item->scalar.find('=');
      if (equals == std::string::npos) {
        fields_.LeaveOut(item->position, std::string(kWord),
                         absl::StrCat("\"", ShowText(item->scalar),
                                      "\" has no value; name it with --env"));
        continue;
      }
      map->members.push_back(
          {item->scalar.substr(0, equals), item->position,
           job_->Text(item->scalar.substr(equals + 1), item->position)});
    }
    job_->Put("vernier.environment", kWord, list.position, map);
  }

  void PutResources(const ConfigNode& file) {
    const ConfigNode* const map = fields_.MapAt(file, "resources", "");
    if (map == nullptr) return;
    fields_.Read(*map, "resources", kResourceFields);
    const ConfigNode* const slots = ValueAt(*map, "slots_per_trial");
    if (slots == nullptr) return;
    job_->Put("vernier.gpusPerReplica", "resources.slots_per_trial",
              slots->position, slots);
  }

  static std::optional<SearcherKind> KindOf(const std::string& name) {
    if (name == "single") return SearcherKind::kSingle;
    if (name == "random") return SearcherKind::kRandom;
    if (name == "grid") return SearcherKind::kGrid;
    if (name == "adaptive_asha") return SearcherKind::kAsha;
    return std::nullopt;
  }

  void PutSearcher(const ConfigNode& searcher,
                   const ConfigNode* hyperparameters) {
    const std::string name = TextOf(ValueAt(searcher, "name"));
    const std::optional<SearcherKind> kind = KindOf(name);
    if (!kind.has_value()) {
      return job_->Error(
          *ValueAt(searcher, "name"), "searcher.name",
          absl::StrCat("has no counterpart here: ", ShowText(name),
                       "; take adaptive_asha, random, grid or single"));
    }
    fields_.Read(searcher, "searcher", kSearcherFields);
    is_grid_ = *kind == SearcherKind::kGrid;
    if (hyperparameters != nullptr) PutHyperparameters(*hyperparameters);
    if (parameters_.is_empty() && *kind == SearcherKind::kSingle &&
        !has_program_) {
      return job_->Error(searcher, "searcher",
                         "searches nothing, and entrypoint is for Determined "
                         "alone, so that nothing of it is left");
    }
    if (parameters_.is_empty() && *kind == SearcherKind::kSingle) {
      // One trial without parameters is no search.
      fields_.LeaveOut(searcher.position, "searcher",
                       "searches nothing: the job is one run of the program");
      return;
    }
    if (!parameters_.has_choice() && *kind != SearcherKind::kSingle &&
        !fields_.has_errors()) {
      return job_->Error(searcher, "hyperparameters",
                         "has none with more than one value");
    }
    parameters_.PutIntoJob("hyperparameters");
    PutMetric(searcher);
    PutAlgorithm(searcher, *kind);
    PutTrials(searcher, *kind);
  }

  void PutMetric(const ConfigNode& searcher) {
    const ConfigNode* const metric = ValueAt(searcher, "metric");
    if (metric == nullptr) {
      return job_->Error(searcher, "searcher.metric",
                         "is needed to say which trial is the best");
    }
    const std::string path(kDeterminedSearch);
    job_->Put(path + "hyperparameterMetricTag", "searcher.metric",
              metric->position, metric);
    const ConfigNode* const smaller = ValueAt(searcher, "smaller_is_better");
    const std::string text = smaller == nullptr ? "true" : smaller->scalar;
    if (text != "true" && text != "false") {
      return job_->Error(*smaller, "searcher.smaller_is_better",
                         "must be true or false");
    }
    const ConfigPosition& at =
        smaller == nullptr ? metric->position : smaller->position;
    job_->Put(path + "goal", "searcher.smaller_is_better", at,
              job_->Text(text == "true" ? "MINIMIZE" : "MAXIMIZE", at));
  }

  void PutAlgorithm(const ConfigNode& searcher, SearcherKind kind) {
    const ConfigNode& name = *ValueAt(searcher, "name");
    const auto put = [&](std::string_view path, const char* text) {
      job_->Put(path, "searcher.name", name.position,
                job_->Text(text, name.position));
    };
    const ConfigNode* const divisor = ValueAt(searcher, "divisor");
    if (kind == SearcherKind::kGrid) put("vernier.algorithm", "GRID_SEARCH");
    if (kind == SearcherKind::kRandom) {
      put("vernier.algorithm", "RANDOM_SEARCH");
    }
    if (kind == SearcherKind::kAsha) put("vernier.earlyStopping.rule", "ASHA");
    if (divisor == nullptr) return;
    if (kind == SearcherKind::kAsha) {
      job_->Put("vernier.earlyStopping.reductionFactor", "searcher.divisor",
                divisor->position, divisor);
    } else {
      fields_.LeaveOut(divisor->position, "searcher.divisor",
                       "is for adaptive_asha");
    }
  }

  void PutTrials(const ConfigNode& searcher, SearcherKind kind) {
    const ConfigNode* trials = ValueAt(searcher, "max_trials");
    if (kind == SearcherKind::kSingle || kind == SearcherKind::kGrid) {
      const std::int64_t count = kind == SearcherKind::kSingle
                                     ? 1
                                     : parameters_.combinations().value_or(1);
      if (trials != nullptr) {
        fields_.LeaveOut(
            trials->position, "searcher.max_trials",
            absl::StrCat("is not for ", TextOf(ValueAt(searcher, "name"))));
      }
      trials = job_->Text(absl::StrCat(count), searcher.position, true);
    }
    if (trials == nullptr) {
      return job_->Error(searcher, "searcher.max_trials",
                         "is required: a job has a last trial");
    }
    const std::string path(kDeterminedSearch);
    job_->Put(path + "maxTrials", "searcher.max_trials", trials->position,
              trials);
    const ConfigNode* const parallel =
        ValueAt(searcher, "max_concurrent_trials");
    const auto most = NumberOf(trials);
    const auto wanted = NumberOf(parallel);
    if (parallel == nullptr || wanted == 0.0) return;
    const bool is_more =
        wanted.has_value() && most.has_value() && *wanted > *most;
    job_->Put(path + "maxParallelTrials", "searcher.max_concurrent_trials",
              parallel->position, is_more ? trials : parallel);
  }

  void PutHyperparameters(const ConfigNode& hyperparameters) {
    if (hyperparameters.kind != ConfigNode::Kind::kMap) {
      return job_->Error(hyperparameters, "hyperparameters",
                         "must be a mapping by name");
    }
    PutMembers(hyperparameters, "");
  }

  void PutMembers(const ConfigNode& map, const std::string& prefix) {
    if (prefix.size() > kMaxParameterName) {
      return job_->Error(map, "hyperparameters", "has too long names");
    }
    for (const ConfigMember& member : map.members) {
      const ForeignParameter parameter = {
          prefix + member.key,
          absl::StrCat("hyperparameters.", ShowText(prefix + member.key)),
          member.position};
      PutOne(parameter, *member.value);
    }
  }

  void PutOne(const ForeignParameter& parameter, const ConfigNode& value) {
    if (value.kind != ConfigNode::Kind::kMap) {
      return PutConstant(parameter, value);
    }
    const std::string type = TextOf(ValueAt(value, "type"));
    if (ValueAt(value, "type") == nullptr) {
      return PutMembers(value, parameter.name + ".");
    }
    if (type == "const") {
      fields_.Read(value, parameter.word, kConstantFields);
      if (const ConfigNode* constant = value.Find("val")) {
        return PutConstant(parameter, *constant);
      }
      return job_->Error(value, parameter.word, "must have val");
    }
    if (type == "categorical") {
      fields_.Read(value, parameter.word, kCategoryFields);
      const ConfigNode* const values = ValueAt(value, "vals");
      if (values == nullptr || values->items.empty()) {
        return job_->Error(value, parameter.word, "must have a list, vals");
      }
      parameters_.AddValues(parameter, values->items);
      return;
    }
    if (type == "int" || type == "double" || type == "log") {
      fields_.Read(value, parameter.word, kRangeFields);
      return PutRange(parameter, value, type);
    }
    job_->Error(*ValueAt(value, "type"), parameter.word + ".type",
                absl::StrCat("must be const, categorical, int, double or log: ",
                             ShowValue(*ValueAt(value, "type"))));
  }

  void PutConstant(const ForeignParameter& parameter, const ConfigNode& value) {
    const bool is_nothing =
        value.kind == ConfigNode::Kind::kNull ||
        (value.kind == ConfigNode::Kind::kScalar && value.scalar.empty());
    if (is_nothing) {
      return fields_.LeaveOut(parameter.position, parameter.word,
                              "is nothing, which cannot be a parameter; the "
                              "program must do without it");
    }
    parameters_.AddValues(parameter, {&value});
  }

  void PutRange(const ForeignParameter& parameter, const ConfigNode& value,
                const std::string& type) {
    const auto low = NumberOf(ValueAt(value, "minval"));
    const auto high = NumberOf(ValueAt(value, "maxval"));
    if (!low.has_value() || !high.has_value()) {
      return job_->Error(value, parameter.word,
                         "must have minval and maxval, both numbers");
    }
    double base = 0;
    if (type == "log") {
      const ConfigNode* const written = ValueAt(value, "base");
      base = written == nullptr ? 10 : NumberOf(written).value_or(0);
      if (!(base > 1)) {
        return job_->Error(*written, parameter.word + ".base",
                           "must be a number > 1");
      }
    }
    const ConfigNode* const count = ValueAt(value, "count");
    if (is_grid_) return PutGridValues(parameter, value, *low, *high, base);
    if (count != nullptr) {
      fields_.LeaveOut(count->position, parameter.word + ".count",
                       "is for the searcher grid");
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
  void PutGridValues(const ForeignParameter& parameter, const ConfigNode& value,
                     double low, double high, double base) {
    constexpr double kMostGridValues = 1000;
    const bool is_whole = TextOf(ValueAt(value, "type")) == "int";
    auto count = NumberOf(ValueAt(value, "count"));
    if (!count.has_value() || *count < 1 || std::trunc(*count) != *count) {
      return job_->Error(value, parameter.word + ".count",
                         "must be a whole number > 0 for the searcher grid");
    }
    if (is_whole) count = std::min(*count, high - low + 1);
    if (!(*count <= kMostGridValues)) {
      return job_->Error(value, parameter.word + ".count",
                         "must be at most 1000");
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

  JobTree* job_;
  ForeignFields fields_;
  ForeignParameters parameters_;
  bool is_grid_ = false;
  bool has_program_ = false;  // One that runs without Determined.
};

}  // namespace

bool IsDeterminedFile(const ConfigNode* root) {
  if (root == nullptr || root->kind != ConfigNode::Kind::kMap) return false;
  for (const char* field : {"jobId", "trainingInput", "vernier", "run"}) {
    if (root->Find(field) != nullptr) return false;
  }
  const ConfigNode* const searcher = root->Find("searcher");
  return searcher != nullptr && searcher->kind == ConfigNode::Kind::kMap &&
         ValueAt(*searcher, "name") != nullptr;
}

bool ExpandDeterminedFile(ConfigTree& tree, SpecDiagnostics& diagnostics) {
  const ConfigNode& file = *tree.root;
  JobTree job(&tree, &diagnostics, file.position);
  DeterminedExpansion(&job, &diagnostics, file).Run(file);
  tree.root = job.root();
  diagnostics.Rename(job.TakeWords(), &ForeignMessage);
  return !diagnostics.has_errors();
}

}  // namespace vernier
