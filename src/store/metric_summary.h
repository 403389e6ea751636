#ifndef VERNIER_STORE_METRIC_SUMMARY_H_
#define VERNIER_STORE_METRIC_SUMMARY_H_

#include <optional>
#include <span>
#include <string_view>

#include "store/records.h"
#include "study/study_spec.h"

namespace vernier {

/// Returns the goal of a metric that the study needs: kMaximize for one that is
/// only constrained, nullopt for a metric that it does not need. Pure.
std::optional<Goal> GoalOfNeeded(const StudySpec& spec,
                                 std::string_view metric);

/// Returns the trial's summary of a metric. The objective's always exists;
/// another metric's is null if nothing was reported for it or the study does
/// not need it.
const MetricSummary* FindSummary(const StudySpec& spec,
                                 const TrialRecord& trial,
                                 std::string_view metric);

/// Adds a measurement to the summary of its metric. If its source is more
/// explicit than that of all before it, those no longer count. Its source must
/// not be less explicit.
void Fold(Goal goal, int attempt, const Measurement& measurement,
          MetricSummary* summary);

/// Returns the summary of the measurements from source `road` or, if that is
/// unset, from the most explicit source among them. `measurements` are in the
/// order of Store::ListMeasurements; if several have the same time, the last
/// counts.
MetricSummary Summarize(Goal goal, std::optional<MetricRoad> road,
                        std::span<const Measurement> measurements);

}  // namespace vernier

#endif  // VERNIER_STORE_METRIC_SUMMARY_H_
