#include "trials/results/final_values.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "suggest/space/study_view.h"

namespace vernier {
namespace {

std::optional<double> KnownSlack(const StudySpec& spec,
                                 const TrialRecord& trial,
                                 const OutcomeConstraint& constraint) {
  const std::optional<double> value =
      FinalValueOf(spec, trial, constraint.metric);
  if (!value.has_value()) return std::nullopt;
  return SlackOf(constraint, *value);
}

}  // namespace

std::optional<double> FinalValueOf(const StudySpec& spec,
                                   const TrialRecord& trial,
                                   std::string_view metric) {
  if (metric == ObjectiveOf(spec).name && trial.final_measurement.has_value()) {
    return trial.final_measurement->value;
  }
  if (!trial.final_report.has_value()) return std::nullopt;
  for (const MetricValue& value : trial.final_report->metrics) {
    if (value.metric == metric && std::isfinite(value.value)) {
      return value.value;
    }
  }
  return std::nullopt;
}

std::vector<std::optional<double>> SlacksOf(const StudySpec& spec,
                                            const TrialRecord& trial) {
  std::vector<std::optional<double>> slacks;
  for (const OutcomeConstraint& constraint : spec.constraints) {
    slacks.push_back(KnownSlack(spec, trial, constraint));
  }
  return slacks;
}

std::vector<std::optional<double>> SlacksOfBounds(const StudySpec& spec,
                                                  const TrialRecord& trial) {
  std::vector<std::optional<double>> slacks;
  for (const OutcomeConstraint& constraint : spec.constraints) {
    for (const OutcomeConstraint& bound : BoundsOf(constraint)) {
      slacks.push_back(KnownSlack(spec, trial, bound));
    }
  }
  return slacks;
}

bool MeetsConstraints(const StudySpec& spec, const TrialRecord& trial) {
  const std::vector<std::optional<double>> slacks = SlacksOf(spec, trial);
  return std::all_of(slacks.begin(), slacks.end(), [](const auto& slack) {
    return slack.has_value() && *slack >= 0;
  });
}

std::vector<std::string> BrokenConstraints(const StudySpec& spec,
                                           const TrialRecord& trial) {
  std::vector<std::string> broken;
  const std::vector<std::optional<double>> slacks = SlacksOf(spec, trial);
  for (std::size_t i = 0; i < slacks.size(); ++i) {
    if (slacks[i].has_value() && *slacks[i] >= 0) continue;
    const OutcomeConstraint& constraint = spec.constraints[i];
    broken.push_back(absl::StrCat(constraint.metric, " ",
                                  BoundsText(constraint),
                                  slacks[i].has_value() ? "" : " (no value)"));
  }
  return broken;
}

std::optional<std::vector<double>> MeritsOf(const StudySpec& spec,
                                            const TrialRecord& trial) {
  std::vector<double> merits;
  for (const MetricGoal& metric : spec.metrics) {
    const std::optional<double> value = FinalValueOf(spec, trial, metric.name);
    if (!value.has_value()) return std::nullopt;
    merits.push_back(MeritOf(metric.goal, *value));
  }
  return merits;
}

}  // namespace vernier
