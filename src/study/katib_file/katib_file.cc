#include "study/katib_file/katib_file.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "study/foreign_files/foreign_job.h"
#include "study/foreign_files/foreign_node.h"
#include "study/katib_file/katib_parameters.h"
#include "study/katib_file/katib_trial_template.h"

namespace vernier {
namespace {

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

constexpr std::string_view kNoCounterpart = "has no counterpart";
constexpr std::string_view kReadAnyway =
    "has no counterpart: what the program prints is read, and its metric files";

void PutMetadata(const ForeignNode& metadata) {
  for (const ForeignNode& member : metadata.members()) {
    if (member.key() == "name") {
      member.Put("jobId");
    } else if (member.key() == "namespace") {
      member.Put("vernier.kubernetes.namespace");
    } else {
      member.LeaveOut("is about the object in a cluster, which a job is not");
    }
  }
}

// Without a strategy the best value of a training counts.
void PutReduction(const ForeignNode& objective) {
  const bool is_more = objective.Find("type").text() == "maximize";
  const std::string best = is_more ? "max" : "min";
  const ForeignNode list = objective.Find("metricStrategies");
  const ForeignNode usual = objective.Called(list.word()).With(best);
  ForeignNode strategy = usual;
  for (const ForeignNode& item : list.items()) {
    if (item.Find("name").text() ==
        objective.Find("objectiveMetricName").text()) {
      const ForeignNode value = item.Find("value");
      strategy = value ? value.Called(list.word()) : usual;
    } else {
      item.LeaveOut("is of a metric that is only recorded");
    }
  }
  const std::string text = strategy.text();
  if (text != best && text != "latest") {
    return strategy.Error(absl::StrCat("must be ", best, " or latest: ",
                                       ShowText(text), " has no counterpart"));
  }
  strategy.PutText("vernier.objectiveReduction",
                   text == "latest" ? "LAST" : "BEST");
}

void PutObjective(const ForeignNode& objective) {
  for (const ForeignNode& member : objective.members()) {
    if (member.key() == "type") {
      PutGoal(member, member.text(),
              "must be minimize or maximize: " + ShowText(member.text()));
    } else if (member.key() == "objectiveMetricName") {
      member.Put(kMetricPath);
    } else if (member.key() == "goal") {
      member.Put("vernier.limits.target");
    } else if (member.key() != "metricStrategies" &&
               member.key() != "additionalMetricNames") {
      member.LeaveOut(kNoCounterpart);
    }
  }
  PutReduction(objective);
}

void PutAlgorithm(const ForeignNode& algorithm) {
  const ForeignNode name = algorithm.Find("algorithmName");
  const std::string text = name.text();
  const auto* const search =
      std::find_if(std::begin(kSearches), std::end(kSearches),
                   [&](const auto& each) { return each.name == text; });
  if (search == std::end(kSearches)) {
    return name.Error(absl::StrCat("has no counterpart: \"", ShowText(text),
                                   "\"; use random, grid, sobol, tpe, "
                                   "multivariate-tpe, cmaes or "
                                   "bayesianoptimization"));
  }
  if (!search->algorithm.empty()) {
    name.PutText("vernier.algorithm", std::string(search->algorithm));
  }
  for (const ForeignNode& item : algorithm.Find("algorithmSettings").items()) {
    const ForeignNode value = item.Find("value");
    if (item.Find("name").text() == "random_state" && value) {
      item.With(value.With(value.text(), true).get()).Put("vernier.seed");
    } else {
      item.LeaveOut("shapes an algorithm of Katib's, and not the one here");
    }
  }
}

void PutEarlyStopping(const ForeignNode& stopping) {
  const ForeignNode name = stopping.Find("algorithmName");
  if (name.text() != "medianstop") return name.Error("must be medianstop");
  name.PutText("vernier.earlyStopping", "MEDIAN");
  if (const ForeignNode settings = stopping.Find("algorithmSettings")) {
    settings.LeaveOut("has no counterpart in the rule for early stopping here");
  }
}

// What is printed, and event files, are read anyway.
void PutCollector(const ForeignNode& collector) {
  const ForeignNode inner = collector.Find("collector");
  const ForeignNode kind = inner.Find("kind");
  if (inner && kind.text() != "StdOut" && kind.text() != "TensorFlowEvent" &&
      kind.text() != "None") {
    inner.Called(kind.word()).LeaveOut(kReadAnyway);
  }
  for (const ForeignNode& member : collector.Find("source").members()) {
    member.LeaveOut(kReadAnyway);
  }
}

void PutField(const ForeignNode& member) {
  const ForeignNode value = member.value();
  if (member.key() == "objective") {
    PutObjective(value);
  } else if (member.key() == "algorithm") {
    PutAlgorithm(value);
  } else if (member.key() == "earlyStopping") {
    PutEarlyStopping(value);
  } else if (member.key() == "parameters") {
    PutKatibParameters(value);
  } else if (member.key() == "trialTemplate") {
    PutKatibTrialTemplate(value);
  } else if (member.key() == "metricsCollectorSpec") {
    PutCollector(value);
  } else if (member.key() == "nasConfig") {
    member.Error("the search for architectures has no counterpart");
  } else if (member.key() == "resumePolicy") {
    member.LeaveOut("has no counterpart: every job can be resumed");
  } else if (member.key() != "maxTrialCount" &&
             member.key() != "parallelTrialCount" &&
             member.key() != "maxFailedTrialCount") {
    member.LeaveOut(kNoCounterpart);
  }
}

void PutCounts(const ForeignNode& spec) {
  const ForeignNode trials = spec.Find("maxTrialCount");
  if (!trials) return trials.Error("is required: a job has a last trial");
  trials.Put(kTrialsPath);
  const std::int64_t most = ParseInteger(trials.text()).value_or(0);
  const ForeignNode parallel = spec.Find("parallelTrialCount");
  const std::optional<std::int64_t> wanted =
      parallel ? ParseInteger(parallel.text()) : kUsualParallel;
  if (parallel && (!wanted.has_value() || *wanted <= most)) {
    parallel.Put(kParallelPath);
  } else {
    // Katib lets more run at once than there are.
    (parallel ? parallel : trials.Called(parallel.word()))
        .With(absl::StrCat(std::min(*wanted, most)), true)
        .Put(kParallelPath);
  }
  spec.Find("maxFailedTrialCount")
      .Put("trainingInput.hyperparameters.maxFailedTrials");
}

void PutSpec(const ForeignNode& spec) {
  if (!spec.is_map()) return spec.Error("must be a mapping");
  for (const ForeignNode& member : spec.members()) PutField(member);
  for (const char* needed : {"objective", "parameters", "trialTemplate"}) {
    const ForeignNode field = spec.Find(needed);
    if (!field) field.Error("is required");
  }
  PutCounts(spec);
}

void PutExperiment(const ForeignNode& file) {
  for (const ForeignNode& member : file.members()) {
    if (member.key() == "metadata") {
      PutMetadata(member);
    } else if (member.key() == "spec") {
      PutSpec(member.value());
    } else if (member.key() != "apiVersion" && member.key() != "kind" &&
               member.key() != "status") {
      member.LeaveOut(kNoCounterpart);
    }
  }
  const ForeignNode spec = file.Find("spec");
  if (!spec) spec.Error("is required");
  file.job().Call("trainingInput.hyperparameters", "spec");
  file.job().Call("trainingInput.pythonModule", "spec.trialTemplate");
}

}  // namespace

bool IsKatibFile(const ConfigNode* root) {
  if (root == nullptr || root->kind != ConfigNode::Kind::kMap) return false;
  const ConfigNode* const version = root->Find("apiVersion");
  const ConfigNode* const kind = root->Find("kind");
  return version != nullptr && version->scalar == "kubeflow.org/v1beta1" &&
         kind != nullptr && kind->scalar == "Experiment";
}

bool ExpandKatibFile(ConfigTree& tree, SpecDiagnostics& diagnostics) {
  return ExpandForeignFile(tree, diagnostics, "an experiment of Katib",
                           &PutExperiment,
                           [](const std::string& message) { return message; });
}

}  // namespace vernier
