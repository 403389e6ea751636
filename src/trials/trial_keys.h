#ifndef VERNIER_TRIALS_TRIAL_KEYS_H_
#define VERNIER_TRIALS_TRIAL_KEYS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "store/records.h"
#include "study/parameter.h"

namespace vernier {

/// The names by which the trials of one study are filtered and sorted: those of
/// its parameters and its metrics. All that is returned borrows the study.

/// Returns the search spaces of the study's trials: the present one, and before
/// it those that edits have replaced, newest first.
std::vector<const std::vector<ParameterSpec>*> SearchSpacesOf(
    const StudyRecord& study);

/// Returns all parameters of that name in SearchSpacesOf.
std::vector<const ParameterSpec*> SpecsNamed(const StudyRecord& study,
                                             std::string_view name);

/// Returns the categories that the parameter has, or had before an edit, under
/// any condition, without duplicates; empty if it is a number.
std::vector<std::string> CategoriesOf(const StudyRecord& study,
                                      std::string_view name);

/// Returns the metric that a key means: its name, or "metrics.NAME"; nullopt if
/// the study needs no such metric.
std::optional<std::string> MetricOfKey(const StudyRecord& study,
                                       std::string_view key);

/// Returns OK if the study needs the metric or the trial has told it; else
/// INVALID_ARGUMENT, which names the nearest of those.
absl::Status CheckHasMetric(const StudyRecord& study, const TrialRecord& trial,
                            const std::string& metric);

/// Returns the names of the parameters in SearchSpacesOf, and then those of the
/// metrics if a result is more than the objective; without duplicates.
std::vector<std::string> NamesOfTrialKeys(const StudyRecord& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_TRIAL_KEYS_H_
