#ifndef VERNIER_TRIALS_RESULTS_FINAL_VALUES_H_
#define VERNIER_TRIALS_RESULTS_FINAL_VALUES_H_

#include <optional>
#include <string_view>
#include <vector>

#include "store/records.h"
#include "study/study_spec.h"

namespace vernier {

/// The trial's final value of a metric, if it has one that is finite: of the
/// objective what counts for it, and of the others what was reported at its
/// end. nullopt for a trial that has not come to an end.
std::optional<double> FinalValueOf(const StudySpec& spec,
                                   const TrialRecord& trial,
                                   std::string_view metric);

/// By how much the trial meets each constraint of `spec`, in its order;
/// nullopt: not known.
std::vector<std::optional<double>> SlacksOf(const StudySpec& spec,
                                            const TrialRecord& trial);

/// Whether it is known to meet all of them.
bool MeetsConstraints(const StudySpec& spec, const TrialRecord& trial);

/// Its values of the study's metrics, signed so that larger is better; nullopt
/// if it lacks one.
std::optional<std::vector<double>> MeritsOf(const StudySpec& spec,
                                            const TrialRecord& trial);

}  // namespace vernier

#endif  // VERNIER_TRIALS_RESULTS_FINAL_VALUES_H_
