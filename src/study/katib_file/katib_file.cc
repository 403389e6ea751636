#include "study/katib_file/katib_file.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "study/katib_file/katib_parameters.h"
#include "study/katib_file/katib_trial_template.h"
#include "study/study_file/job_tree.h"

namespace vernier {
namespace {

constexpr std::string_view kHyperparameters = "trainingInput.hyperparameters.";
// Katib's own default.
constexpr int kUsualParallel = 3;

/// A search of Katib and the algorithm of a job file; empty: the default.
struct KatibSearchWord {
  std::string_view name;
  std::string_view algorithm;
};
constexpr KatibSearchWord kSearches[] = {
    {"random", "RANDOM_SEARCH"},
    {"grid", "GRID_SEARCH"},
    {"sobol", "QUASI_RANDOM_SEARCH"},
    {"bayesianoptimization", ""},
    {"tpe", ""},
    {"multivariate-tpe", ""},
    {"cmaes", ""},
    {"vernier", ""},
};

/// Turns the fields of one Experiment into those of a job file.
class ExperimentExpansion {
 public:
  ExperimentExpansion(JobTree* job, SpecDiagnostics* diagnostics)
      : job_(job), diagnostics_(diagnostics) {}

  void Run(const ConfigNode& file) {
    job_->Make("trainingInput");
    for (const ConfigMember& member : file.members) {
      if (member.key == "metadata") {
        PutMetadata(*member.value);
      } else if (member.key == "spec") {
        PutSpec(*member.value);
      } else if (member.key != "apiVersion" && member.key != "kind" &&
                 member.key != "status") {
        LeaveOut(member.position, ShowText(member.key));
      }
    }
    if (file.Find("spec") == nullptr) {
      job_->Error(file, "spec", "is required");
    }
    job_->Call("trainingInput.hyperparameters", "spec");
    job_->Call("trainingInput.pythonModule", "spec.trialTemplate");
  }

 private:
  void LeaveOut(const ConfigPosition& position, std::string word,
                std::string reason = "has no counterpart") {
    diagnostics_->AddLeftOut(position, std::move(word), std::move(reason));
  }

  void PutMetadata(const ConfigNode& metadata) {
    for (const ConfigMember& member : metadata.members) {
      const std::string word = "metadata." + ShowText(member.key);
      if (member.key == "name") {
        job_->Put("jobId", word, member.position, member.value);
      } else if (member.key == "namespace") {
        job_->Put("vernier.kubernetes.namespace", word, member.position,
                  member.value);
      } else {
        LeaveOut(member.position, word,
                 "is about the object in a cluster, which a job is not");
      }
    }
  }

  void PutSpec(const ConfigNode& spec) {
    if (spec.kind != ConfigNode::Kind::kMap) {
      return job_->Error(spec, "spec", "must be a mapping");
    }
    for (const ConfigMember& member : spec.members) PutField(member);
    for (const char* needed : {"objective", "parameters", "trialTemplate"}) {
      if (spec.Find(needed) == nullptr) {
        job_->Error(spec, absl::StrCat("spec.", needed), "is required");
      }
    }
    PutCounts(spec);
  }

  void PutField(const ConfigMember& member) {
    const ConfigNode& value = *member.value;
    const std::string word = "spec." + ShowText(member.key);
    if (member.key == "objective") {
      PutObjective(value);
    } else if (member.key == "algorithm") {
      PutAlgorithm(value);
    } else if (member.key == "earlyStopping") {
      PutEarlyStopping(value);
    } else if (member.key == "parameters") {
      PutKatibParameters(value, job_, diagnostics_);
    } else if (member.key == "trialTemplate") {
      PutKatibTrialTemplate(value, job_, diagnostics_);
    } else if (member.key == "metricsCollectorSpec") {
      PutCollector(value);
    } else if (member.key == "nasConfig") {
      job_->Error(member.position, word,
                  "the search for architectures has no counterpart");
    } else if (member.key != "maxTrialCount" &&
               member.key != "parallelTrialCount" &&
               member.key != "maxFailedTrialCount") {
      LeaveOut(member.position, word,
               member.key == "resumePolicy"
                   ? "has no counterpart: every job can be resumed"
                   : "has no counterpart");
    }
  }

  // Returns a field's text; empty if there is none.
  static std::string TextAt(const ConfigNode& map, std::string_view key) {
    const ConfigNode* const value = map.Find(key);
    return value == nullptr ? "" : value->scalar;
  }

  void PutObjective(const ConfigNode& objective) {
    const std::string type = TextAt(objective, "type");
    const std::string path(kHyperparameters);
    for (const ConfigMember& member : objective.members) {
      const std::string word = "spec.objective." + ShowText(member.key);
      const ConfigNode& value = *member.value;
      if (member.key == "type") {
        if (type != "minimize" && type != "maximize") {
          job_->Error(value, word,
                      "must be minimize or maximize: " + ShowText(type));
          continue;
        }
        job_->Put(path + "goal", word, member.position,
                  job_->Text(type == "minimize" ? "MINIMIZE" : "MAXIMIZE",
                             value.position));
      } else if (member.key == "objectiveMetricName") {
        job_->Put(path + "hyperparameterMetricTag", word, member.position,
                  &value);
      } else if (member.key == "goal") {
        job_->Put("vernier.limits.target", word, member.position, &value);
      } else if (member.key != "metricStrategies" &&
                 member.key != "additionalMetricNames") {
        LeaveOut(member.position, word);
      }
    }
    PutReduction(objective, type);
  }

  // Without a strategy the best value of a training counts.
  void PutReduction(const ConfigNode& objective, const std::string& type) {
    const std::string best = type == "maximize" ? "max" : "min";
    const ConfigNode* found = nullptr;
    const ConfigNode* const list = objective.Find("metricStrategies");
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
      const ConfigNode& item = *list->items[i];
      if (TextAt(item, "name") == TextAt(objective, "objectiveMetricName")) {
        found = item.Find("value");
      } else {
        LeaveOut(item.position,
                 absl::StrCat("spec.objective.metricStrategies[", i, "]"),
                 "is of a metric that is only recorded");
      }
    }
    const std::string word = "spec.objective.metricStrategies";
    const std::string strategy = found == nullptr ? best : found->scalar;
    const ConfigPosition& position =
        found == nullptr ? objective.position : found->position;
    if (strategy != best && strategy != "latest") {
      return job_->Error(
          position, word,
          absl::StrCat("must be ", best, " or latest: ", ShowText(strategy),
                       " has no counterpart"));
    }
    job_->Put("vernier.objectiveReduction", word, position,
              job_->Text(strategy == "latest" ? "LAST" : "BEST", position));
  }

  void PutAlgorithm(const ConfigNode& algorithm) {
    const ConfigNode* const name = algorithm.Find("algorithmName");
    const std::string text = name == nullptr ? "" : name->scalar;
    const auto* const search =
        std::find_if(std::begin(kSearches), std::end(kSearches),
                     [&](const auto& each) { return each.name == text; });
    const std::string word = "spec.algorithm.algorithmName";
    if (search == std::end(kSearches)) {
      return job_->Error(name == nullptr ? algorithm : *name, word,
                         absl::StrCat("has no counterpart: \"", ShowText(text),
                                      "\"; use random, grid, sobol, tpe, "
                                      "multivariate-tpe, cmaes or "
                                      "bayesianoptimization"));
    }
    if (!search->algorithm.empty()) {
      job_->Put("vernier.algorithm", word, name->position,
                job_->Text(std::string(search->algorithm), name->position));
    }
    const ConfigNode* const settings = algorithm.Find("algorithmSettings");
    for (std::size_t i = 0; settings != nullptr && i < settings->items.size();
         ++i) {
      const ConfigNode& item = *settings->items[i];
      const std::string own =
          absl::StrCat("spec.algorithm.algorithmSettings[", i, "]");
      const ConfigNode* const value = item.Find("value");
      if (TextAt(item, "name") == "random_state" && value != nullptr) {
        job_->Put("vernier.seed", own, item.position,
                  job_->Text(value->scalar, value->position, true));
      } else {
        LeaveOut(item.position, own,
                 "shapes an algorithm of Katib's, and not the one here");
      }
    }
  }

  void PutEarlyStopping(const ConfigNode& stopping) {
    const ConfigNode* const name = stopping.Find("algorithmName");
    const std::string word = "spec.earlyStopping.algorithmName";
    if (name == nullptr || name->scalar != "medianstop") {
      return job_->Error(name == nullptr ? stopping : *name, word,
                         "must be medianstop");
    }
    job_->Put("vernier.earlyStopping", word, name->position,
              job_->Text("MEDIAN", name->position));
    if (const auto* settings = stopping.Find("algorithmSettings")) {
      LeaveOut(settings->position, "spec.earlyStopping.algorithmSettings",
               "has no counterpart in the rule for early stopping here");
    }
  }

  // What is printed, and event files, are read anyway.
  void PutCollector(const ConfigNode& collector) {
    const ConfigNode* const inner = collector.Find("collector");
    const std::string kind =
        inner == nullptr ? "StdOut" : TextAt(*inner, "kind");
    if (kind != "StdOut" && kind != "TensorFlowEvent" && kind != "None") {
      LeaveOut(inner->position, "spec.metricsCollectorSpec.collector.kind",
               "has no counterpart: what the program prints is read, and its "
               "metric files");
    }
    const ConfigNode* const source = collector.Find("source");
    if (source == nullptr) return;
    for (const ConfigMember& member : source->members) {
      LeaveOut(member.position,
               "spec.metricsCollectorSpec.source." + ShowText(member.key),
               "has no counterpart: what the program prints is read, and its "
               "metric files");
    }
  }

  void PutCounts(const ConfigNode& spec) {
    const ConfigNode* const trials = spec.Find("maxTrialCount");
    if (trials == nullptr) {
      return job_->Error(spec, "spec.maxTrialCount",
                         "is required: a job has a last trial");
    }
    const std::string path(kHyperparameters);
    job_->Put(path + "maxTrials", "spec.maxTrialCount", trials->position,
              trials);
    const std::int64_t most = ParseInteger(trials->scalar).value_or(0);
    const ConfigNode* const parallel = spec.Find("parallelTrialCount");
    const ConfigPosition& at =
        parallel == nullptr ? trials->position : parallel->position;
    // Katib lets more run at once than there are.
    const std::int64_t wanted =
        parallel == nullptr ? kUsualParallel
                            : ParseInteger(parallel->scalar).value_or(most + 1);
    const bool is_fine = parallel != nullptr && wanted <= most;
    job_->Put(path + "maxParallelTrials", "spec.parallelTrialCount", at,
              is_fine || (parallel != nullptr &&
                          !ParseInteger(parallel->scalar).has_value())
                  ? parallel
                  : job_->Text(absl::StrCat(std::min(wanted, most)), at, true));
    if (const ConfigNode* failed = spec.Find("maxFailedTrialCount")) {
      job_->Put(path + "maxFailedTrials", "spec.maxFailedTrialCount",
                failed->position, failed);
    }
  }

  JobTree* job_;
  SpecDiagnostics* diagnostics_;
};

}  // namespace

bool IsKatibFile(const ConfigNode* root) {
  if (root == nullptr || root->kind != ConfigNode::Kind::kMap) return false;
  const ConfigNode* const version = root->Find("apiVersion");
  const ConfigNode* const kind = root->Find("kind");
  return version != nullptr && version->scalar == "kubeflow.org/v1beta1" &&
         kind != nullptr && kind->scalar == "Experiment";
}

bool ExpandKatibFile(ConfigTree& tree, SpecDiagnostics& diagnostics) {
  const ConfigNode& file = *tree.root;
  JobTree job(&tree, &diagnostics, file.position);
  ExperimentExpansion(&job, &diagnostics).Run(file);
  tree.root = job.root();
  diagnostics.Rename(job.TakeWords(),
                     [](const std::string& message) { return message; });
  return !diagnostics.has_errors();
}

}  // namespace vernier
