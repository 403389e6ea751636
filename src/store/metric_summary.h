#ifndef VERNIER_STORE_METRIC_SUMMARY_H_
#define VERNIER_STORE_METRIC_SUMMARY_H_

#include <optional>
#include <span>
#include <string_view>

#include "store/records.h"
#include "study/study_spec.h"

namespace vernier {

/// The goal of a metric that the study needs, kMaximize of one that is only
/// constrained; nullopt for any other metric. Pure.
std::optional<Goal> GoalOfNeeded(const StudySpec& spec,
                                 std::string_view metric);

/// What the trial has reported of a metric that its study needs; null if it is
/// no such metric, or nothing was reported.
const MetricSummary* FindSummary(const StudySpec& spec,
                                 const TrialRecord& trial,
                                 std::string_view metric);

/// Adds a measurement of the metric. One that comes by a clearer road than all
/// before it makes those void; no road may be less clear.
void Fold(Goal goal, int attempt, const Measurement& measurement,
          MetricSummary* summary);

/// The summary of what came by `road` or, if that is unset, by the clearest
/// road there is. `measurements` are in the order of Store::ListMeasurements;
/// of those that have one time the last counts.
MetricSummary Summarize(Goal goal, std::optional<MetricRoad> road,
                        std::span<const Measurement> measurements);

}  // namespace vernier

#endif  // VERNIER_STORE_METRIC_SUMMARY_H_
