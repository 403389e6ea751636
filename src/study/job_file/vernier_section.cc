// Our own section, beside trainingInput.

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "study/algorithm_name.h"
#include "study/config/environment_file.h"
#include "study/job_file/early_stopping_section.h"
#include "study/job_file/end_rule_section.h"
#include "study/job_file/job_sections.h"
#include "study/job_file/kubernetes_section.h"
#include "study/job_file/memory_size.h"
#include "study/job_file/objective_section.h"
#include "study/job_file/slurm_section.h"
#include "study/metrics/metric_pattern.h"

namespace vernier {
namespace {

constexpr std::int64_t kMaxRetries = 100;
constexpr std::int64_t kMaxGpus = 64;
constexpr std::size_t kMaxEnvironment = 1000;
constexpr std::size_t kMaxPackages = 100;
constexpr std::size_t kMaxMetricPatterns = 100;
constexpr std::size_t kMaxRenamed = 1000;
// protobuf's longest Duration, 10,000 years.
constexpr std::chrono::seconds kLongest{315'576'000'000};

constexpr EnumName<ObjectiveReduction> kReductions[] = {
    {"LAST", ObjectiveReduction::kLast},
    {"BEST", ObjectiveReduction::kBest},
};

constexpr EnumName<NotFiniteEnd> kNotFiniteEnds[] = {
    {"INFEASIBLE", NotFiniteEnd::kInfeasible},
    {"IGNORE", NotFiniteEnd::kIgnore},
};

constexpr EnumName<ArgStyle> kArgStyles[] = {
    {"SPACE", ArgStyle::kSpace}, {"EQUALS", ArgStyle::kEquals},
    {"FLAGS", ArgStyle::kFlags}, {"PLACEHOLDERS", ArgStyle::kPlaceholders},
    {"NONE", ArgStyle::kNone},
};

constexpr EnumName<JobDirForm> kJobDirForms[] = {
    {"LOCAL_PATH", JobDirForm::kLocalPath},
    {"URI", JobDirForm::kUri},
};

constexpr EnumName<GsArgs> kGsArgs[] = {
    {"PATH", GsArgs::kPath},
    {"URI", GsArgs::kUri},
};

// Returns AI Platform's names and ours.
std::vector<std::string_view> AllAlgorithmNames() {
  std::vector<std::string_view> names;
  for (const AlgorithmNames& each : kAlgorithmNames) {
    names.push_back(each.name);
    const bool has_other_name =
        !each.ai_platform_name.empty() && each.ai_platform_name != each.name;
    if (has_other_name) names.push_back(each.ai_platform_name);
  }
  return names;
}

std::map<std::string, std::string> ReadVariables(ObjectReader& section,
                                                 std::string_view key) {
  auto variables = section.StringMap(key, kMaxEnvironment);
  for (const auto& [name, value] : variables) {
    if (IsVariableName(name)) continue;
    section.EntryError(key, name,
                       "a variable's name must be letters, digits and '_', "
                       "and not begin with a digit");
  }
  return variables;
}

bool IsSha256(std::string_view text) {
  return text.size() == 64 &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

PackageHashes ReadPackageHashes(ObjectReader& section) {
  auto hashes = section.StringMap("packageSha256", kMaxPackages);
  for (const auto& [uri, hash] : hashes) {
    if (IsSha256(hash)) continue;
    section.EntryError("packageSha256", uri,
                       "must be the package's SHA-256: 64 lower-case hex "
                       "digits");
  }
  return hashes;
}

void ReadRetry(ObjectReader& section, RetryPolicy& retry) {
  ObjectReader reader = section.Child("retry");
  const auto read = [&](std::string_view key, int& count) {
    count = reader.Integer(key, {0, kMaxRetries}).value_or(count);
  };
  read("maxInfrastructureRetries", retry.max_infrastructure_retries);
  read("maxTransientRetries", retry.max_transient_retries);
  read("maxUserErrorRetries", retry.max_user_error_retries);
  section.Attach("retry", reader);
}

std::string AllMetricSources() {
  std::string list;
  for (const auto& each : kMetricSourceKinds) {
    if (!list.empty()) list += ", ";
    list += each.name;
  }
  return list;
}

// Reads `metricSources`, or `metricSource`, the form for a single one.
std::vector<MetricSourceKind> ReadMetricSources(ObjectReader& section) {
  std::vector<MetricSourceKind> kinds;
  if (const auto one = section.Enum("metricSource", kMetricSourceKinds)) {
    kinds.push_back(*one);
    if (section.Has("metricSources")) {
      section.Error("metricSource", "must not be given beside metricSources");
    }
  }
  for (const std::string& name : section.Strings("metricSources")) {
    const auto* found = std::find_if(
        std::begin(kMetricSourceKinds), std::end(kMetricSourceKinds),
        [&](const auto& each) { return each.name == name; });
    if (found == std::end(kMetricSourceKinds)) {
      section.Error("metricSources",
                    absl::StrCat("must be a list of ", AllMetricSources(),
                                 "; not \"", ShowText(name), "\""));
      continue;
    }
    kinds.push_back(found->value);
  }
  return kinds;
}

std::vector<MetricPatternSpec> ReadMetricPatterns(ObjectReader& section) {
  std::vector<MetricPatternSpec> patterns;
  std::vector<ObjectReader> readers = section.Children("metricPatterns");
  if (readers.size() > kMaxMetricPatterns) {
    section.Error("metricPatterns",
                  absl::StrCat("must be at most ", kMaxMetricPatterns));
  }
  for (ObjectReader& reader : readers) {
    MetricPatternSpec spec;
    spec.metric = reader.String("metric").value_or("");
    spec.pattern = reader.String("pattern").value_or("");
    const auto pattern = MetricPattern::Compile(spec.pattern, spec.metric);
    if (!pattern.ok()) {
      reader.Error("pattern", std::string(pattern.status().message()));
    }
    patterns.push_back(std::move(spec));
  }
  section.AttachList("metricPatterns", readers);
  return patterns;
}

Repeats ReadRepeats(ObjectReader& section) {
  constexpr std::string_view kKey = "repeats";
  if (!section.Has(kKey)) return {};
  const std::optional<Repeats> repeats = RepeatsFromText(section.RawText(kKey));
  if (!repeats.has_value()) {
    section.ValueError(kKey, "must be " + std::string(kRepeatsWanted));
    return {};
  }
  if (repeats->policy == RepeatPolicy::kAuto) {
    section.SetText(kKey, ToString(*repeats));
  } else {
    (void)section.Integer(kKey, {2, kMostRepeats});
  }
  return *repeats;
}

}  // namespace

VernierSection ReadVernierSection(ObjectReader& section) {
  VernierSection vernier;
  vernier.seed =
      section.Int64("seed", {0, std::numeric_limits<std::int64_t>::max()});
  vernier.algorithm = ReadAlgorithm(section, AllAlgorithmNames());
  vernier.command = section.Strings("command");
  if (!vernier.command.empty() && vernier.command[0].empty()) {
    section.Error("command", "must begin with a program's name");
  }
  vernier.code_dir = section.String("codeDir").value_or("");
  vernier.environment = ReadVariables(section, "environment");
  vernier.caller_environment = ReadVariables(section, "callerEnvironment");
  vernier.secret_names = section.Strings("secretNames");
  vernier.secrets_file = section.String("secretsFile").value_or("");
  (void)section.Strings("codeNotes");  // CodeNotesOf reads them.
  vernier.package_sha256 = ReadPackageHashes(section);
  vernier.gpus_per_replica = section.Integer("gpusPerReplica", {0, kMaxGpus});
  vernier.gpu_memory_mb = ReadMegabytes(section, "gpuMemoryPerReplica");
  vernier.launcher = section.Enum("launcher", kLauncherNames);
  vernier.slurm = ReadSlurmOptions(section);
  vernier.kubernetes = ReadKubernetesOptions(section);
  vernier.metric_sources = ReadMetricSources(section);
  vernier.metric_patterns = ReadMetricPatterns(section);
  ReadRetry(section, vernier.retry);
  vernier.end_rules = ReadEndRules(section);
  vernier.is_preemptible =
      section.Bool("preemptible").value_or(vernier.is_preemptible);
  vernier.objectives = ReadObjectives(section);
  vernier.metric_constraints = ReadMetricConstraints(section);
  vernier.renamed_from = ReadFormerNames(section);
  vernier.objective_reduction =
      section.Enum("objectiveReduction", kReductions, /*any_case=*/true)
          .value_or(vernier.objective_reduction);
  vernier.not_finite_end =
      section.Enum("notFiniteEnd", kNotFiniteEnds, /*any_case=*/true)
          .value_or(vernier.not_finite_end);
  vernier.arg_style = section.Enum("argStyle", kArgStyles, /*any_case=*/true)
                          .value_or(vernier.arg_style);
  vernier.job_dir_form =
      section.Enum("jobDirForm", kJobDirForms, /*any_case=*/true)
          .value_or(vernier.job_dir_form);
  vernier.gs_args = section.Enum("gsArgs", kGsArgs, /*any_case=*/true);
  vernier.kill_grace = section
                           .Duration("killGrace", std::chrono::seconds(0),
                                     std::chrono::seconds(3600))
                           .value_or(vernier.kill_grace);
  vernier.trial_time_limit =
      section.Duration("trialTimeLimit", std::chrono::seconds(1), kLongest);
  vernier.max_instant_failures =
      section.Integer("maxInstantFailures", {1, 1000})
          .value_or(vernier.max_instant_failures);
  vernier.max_consecutive_failures =
      section.Integer("maxConsecutiveFailures", {0, 1'000'000});
  ReadEarlyStopping(section, vernier);
  vernier.repeats = ReadRepeats(section);
  vernier.prior_studies.studies = section.Strings("priorStudies");
  vernier.prior_studies.rename = section.StringMap("priorRename", kMaxRenamed);
  return vernier;
}

}  // namespace vernier
