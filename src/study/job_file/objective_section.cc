#include "study/job_file/objective_section.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "base/number_text.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

// Reads the field `metric` of one entry, which no earlier entry may have.
std::string ReadMetricName(ObjectReader& entry, std::set<std::string>* names) {
  std::string name = entry.String("metric").value_or("");
  if (name.empty()) {
    entry.Error("metric", "must name a metric that the program reports");
  } else if (!names->insert(name).second) {
    entry.Error("metric", "is there twice: " + ShowText(name));
  }
  return name;
}

}  // namespace

std::vector<MetricGoal> ReadObjectives(ObjectReader& section) {
  std::vector<MetricGoal> objectives;
  if (!section.HasAtMost("objectives", kMostMetrics, "metrics")) return {};
  std::vector<ObjectReader> entries = section.Children("objectives");
  std::set<std::string> names;
  for (ObjectReader& entry : entries) {
    MetricGoal metric{ReadMetricName(entry, &names)};
    metric.goal = entry.Enum("goal", kGoalNames).value_or(metric.goal);
    metric.reference = entry.Number("reference");
    objectives.push_back(std::move(metric));
  }
  section.AttachList("objectives", entries);
  return objectives;
}

std::vector<OutcomeConstraint> ReadMetricConstraints(ObjectReader& section) {
  constexpr std::string_view kKey = "metricConstraints";
  std::vector<OutcomeConstraint> constraints;
  if (!section.HasAtMost(kKey, kMostConstraints, "constraints")) return {};
  std::vector<ObjectReader> entries = section.Children(kKey);
  std::set<std::string> names;
  for (ObjectReader& entry : entries) {
    OutcomeConstraint constraint{ReadMetricName(entry, &names)};
    constraint.min = entry.Number("min");
    constraint.max = entry.Number("max");
    if (!entry.Has("min") && !entry.Has("max")) {
      entry.Error("max", "must be given, or min: the bound of the metric");
    } else if (constraint.min.has_value() && constraint.max.has_value() &&
               *constraint.min > *constraint.max) {
      entry.Error("max", "must be >= min: " + NumberText(*constraint.max) +
                             " < " + NumberText(*constraint.min));
    }
    constraints.push_back(std::move(constraint));
  }
  section.AttachList(kKey, entries);
  return constraints;
}

FormerNames ReadFormerNames(ObjectReader& section) {
  constexpr std::string_view kKey = "renamedFrom";
  constexpr std::size_t kMost = kMostMetrics + kMostConstraints;
  FormerNames former;
  if (!section.Has(kKey)) return former;
  ObjectReader reader = section.Child(kKey);
  std::vector<std::string_view> metrics = reader.Keys();
  if (metrics.size() > kMost) {
    section.Error(kKey, "must be about at most " + std::to_string(kMost) +
                            " metrics: " + std::to_string(metrics.size()));
    return former;
  }
  // The normal form has one order, however the file is written.
  std::sort(metrics.begin(), metrics.end());
  for (const std::string_view metric : metrics) {
    if (!reader.HasAtMost(metric, kMostFormerNames, "names")) continue;
    former[std::string(metric)] = reader.Strings(metric);
  }
  section.Attach(kKey, reader);
  return former;
}

}  // namespace vernier
