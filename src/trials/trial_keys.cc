#include "trials/trial_keys.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/add_once.h"
#include "store/study_kinds.h"
#include "study/needed_metrics.h"
#include "study/study_spec.h"
#include "study/unknown_metric.h"

namespace vernier {
namespace {

constexpr std::string_view kMetricPrefix = "metrics.";

}  // namespace

std::vector<const std::vector<ParameterSpec>*> SearchSpacesOf(
    const StudyRecord& study) {
  std::vector<const std::vector<ParameterSpec>*> spaces;
  if (IsJob(study)) {
    for (const auto& version : JobRunOf(study).earlier_versions) {
      spaces.push_back(&SearchSpaceOf(*version->spec));
    }
  } else {
    for (const auto& edit : ClientRunOf(study).edits) {
      spaces.push_back(&edit->replaced->parameters);
    }
  }
  spaces.push_back(&study.spec->parameters);
  std::reverse(spaces.begin(), spaces.end());
  return spaces;
}

std::vector<const ParameterSpec*> SpecsNamed(const StudyRecord& study,
                                             std::string_view name) {
  std::vector<const ParameterSpec*> specs;
  for (const std::vector<ParameterSpec>* space : SearchSpacesOf(study)) {
    for (const ParameterSpec& spec : *space) {
      if (spec.name == name) specs.push_back(&spec);
    }
  }
  return specs;
}

std::vector<std::string> CategoriesOf(const StudyRecord& study,
                                      std::string_view name) {
  std::vector<std::string> categories;
  for (const ParameterSpec* spec : SpecsNamed(study, name)) {
    for (const std::string& category : spec->categorical_values) {
      AddOnce(category, &categories);
    }
  }
  return categories;
}

std::optional<std::string> MetricOfKey(const StudyRecord& study,
                                       std::string_view key) {
  const std::vector<std::string> metrics = NeededMetrics(*study.spec);
  const auto find = [&](std::string_view name) -> std::optional<std::string> {
    const auto found = std::find(metrics.begin(), metrics.end(), name);
    return found == metrics.end() ? std::nullopt : std::optional(*found);
  };
  const auto metric = find(key);
  if (metric.has_value() || !key.starts_with(kMetricPrefix)) {
    return metric;
  }
  return find(key.substr(kMetricPrefix.size()));
}

absl::Status CheckHasMetric(const StudyRecord& study, const TrialRecord& trial,
                            const std::string& metric) {
  std::vector<std::string> known = NeededMetrics(*study.spec);
  for (const SeenMetric& seen : trial.metrics_seen) AddOnce(seen.name, &known);
  if (trial.final_report.has_value()) {
    for (const MetricValue& value : trial.final_report->metrics) {
      AddOnce(value.metric, &known);
    }
  }
  if (std::find(known.begin(), known.end(), metric) != known.end()) {
    return absl::OkStatus();
  }
  return UnknownMetricError(absl::StrCat("trial ", ToInt(trial.id)), metric,
                            known);
}

std::vector<std::string> NamesOfTrialKeys(const StudyRecord& study) {
  std::vector<std::string> names;
  for (const std::vector<ParameterSpec>* space : SearchSpacesOf(study)) {
    for (const ParameterSpec& spec : *space) AddOnce(spec.name, &names);
  }
  if (!HasOtherMetrics(*study.spec)) return names;
  for (const std::string& metric : NeededMetrics(*study.spec)) {
    AddOnce(metric, &names);
  }
  return names;
}

}  // namespace vernier
