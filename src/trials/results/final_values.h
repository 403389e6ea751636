#ifndef VERNIER_TRIALS_RESULTS_FINAL_VALUES_H_
#define VERNIER_TRIALS_RESULTS_FINAL_VALUES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/records.h"
#include "study/study_spec.h"

namespace vernier {

/// Returns the trial's final value of a metric, if it has one that is finite:
/// for the objective its final measurement, and for other metrics the value in
/// its final report. nullopt for a trial that has not come to an end.
std::optional<double> FinalValueOf(const StudySpec& spec,
                                   const TrialRecord& trial,
                                   std::string_view metric);

/// Returns by how much the trial meets each constraint of `spec`, in the spec's
/// order: < 0 if it does not, nullopt if that is not known.
std::vector<std::optional<double>> SlacksOf(const StudySpec& spec,
                                            const TrialRecord& trial);

/// Returns the same for each bound: two for a constraint that has a min and a
/// max, the min's first, and one for any other.
std::vector<std::optional<double>> SlacksOfBounds(const StudySpec& spec,
                                                  const TrialRecord& trial);

/// Returns whether the trial is known to meet all constraints of `spec`.
bool MeetsConstraints(const StudySpec& spec, const TrialRecord& trial);

/// Returns the constraints of `spec` that the trial is not known to meet, as
/// "memory <= 2500", or "memory <= 2500 (no value)" if it has no such metric.
std::vector<std::string> BrokenConstraints(const StudySpec& spec,
                                           const TrialRecord& trial);

/// Returns the trial's values of the study's metrics, signed so that larger is
/// better; nullopt if it lacks one.
std::optional<std::vector<double>> MeritsOf(const StudySpec& spec,
                                            const TrialRecord& trial);

}  // namespace vernier

#endif  // VERNIER_TRIALS_RESULTS_FINAL_VALUES_H_
