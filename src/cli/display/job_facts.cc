#include "cli/display/job_facts.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace vernier {
namespace {

std::optional<double> NumberIn(const Json& object, const std::string& key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

// Returns the trial's final value of a metric. A trial of one metric has it as
// its objective only, and the service leaves out a value of 0.
std::optional<double> FinalValueIn(const Json& trial,
                                   const std::string& metric) {
  const auto metrics = trial.find("finalMetrics");
  if (metrics != trial.end()) return NumberIn(*metrics, metric);
  const auto objective = trial.find("finalMeasurement");
  if (objective == trial.end()) return std::nullopt;
  return NumberIn(*objective, "value").value_or(0);
}

}  // namespace

JobFacts JobFactsIn(std::string_view job_json) {
  JobFacts facts;
  const absl::StatusOr<Json> job = ParseJson(job_json);
  if (!job.ok() || !job->is_object()) return facts;
  const Json section = job->value("vernier", Json::object());
  facts.outputs = section.value("outputDir", "");
  for (const Json& one : section.value("metricConstraints", Json::array())) {
    facts.constraints.push_back(
        {one.value("metric", ""), NumberIn(one, "min"), NumberIn(one, "max")});
  }
  return facts;
}

std::string BreaksText(const Json& trial,
                       const std::vector<OutcomeConstraint>& constraints) {
  if (!trial.is_object() || !trial.value("breaksConstraint", false)) return "";
  std::vector<std::string> broken;
  for (const OutcomeConstraint& one : constraints) {
    const std::optional<double> value = FinalValueIn(trial, one.metric);
    const bool is_met = value.has_value() &&
                        value >= one.min.value_or(*value) &&
                        value <= one.max.value_or(*value);
    if (is_met) continue;
    broken.push_back(absl::StrCat(one.metric, " ", BoundsText(one),
                                  value.has_value() ? "" : " (no value)"));
  }
  if (broken.empty()) return "breaks a constraint on its metrics";
  return absl::StrCat("breaks the constraint", broken.size() > 1 ? "s " : " ",
                      absl::StrJoin(broken, ", "));
}

}  // namespace vernier
