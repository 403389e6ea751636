#ifndef VERNIER_FACES_DASHBOARD_TRIAL_COLUMNS_H_
#define VERNIER_FACES_DASHBOARD_TRIAL_COLUMNS_H_

#include <string>
#include <vector>

#include "faces/dashboard/columns.h"
#include "store/store.h"

namespace vernier {

/// Returns all trials of a study by id, deleted ones included.
std::vector<TrialId> AllTrials(const StudySnapshot& study);

/// Returns the parameters of a space; of those that share a name, only the
/// first. The page shows one column for each. They point into `space`.
std::vector<const ParameterSpec*> DistinctParameters(
    const std::vector<ParameterSpec>& space);

/// Writes these trials of a study, one row each, for the page's plots and its
/// table. A value that a trial does not have is NaN; CATEGORICAL values are
/// positions in the parameter's list. docs/dashboard.md lists the columns.
/// Pure.
void WriteTrialColumns(const StudySnapshot& study,
                       const std::vector<TrialId>& trials,
                       ColumnWriter* columns);

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_TRIAL_COLUMNS_H_
