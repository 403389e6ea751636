#ifndef VERNIER_FACES_DASHBOARD_TRIAL_COLUMNS_H_
#define VERNIER_FACES_DASHBOARD_TRIAL_COLUMNS_H_

#include <string>
#include <vector>

#include "faces/dashboard/columns.h"
#include "store/store.h"

namespace vernier {

/// All trials of a study by id, deleted ones included.
std::vector<TrialId> AllTrials(const StudySnapshot& study);

/// The names of the causes of an end, by their numbers.
std::vector<std::string> CauseNames();

/// The parameters of a space, of those that share a name the first; the page
/// shows one column for each. They point into `space`.
std::vector<const ParameterSpec*> DistinctParameters(
    const std::vector<ParameterSpec>& space);

/// Writes these trials of a study, one row each: what the page's plots and its
/// table need. A value that a trial does not have is NaN; CATEGORICAL values
/// are positions in the parameter's list. docs/dashboard.md lists the columns.
/// Pure.
void WriteTrialColumns(const StudySnapshot& study,
                       const std::vector<TrialId>& trials,
                       ColumnWriter* columns);

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_TRIAL_COLUMNS_H_
