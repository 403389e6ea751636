#ifndef VERNIER_STORE_METRIC_NAMES_H_
#define VERNIER_STORE_METRIC_NAMES_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "store/change.h"
#include "store/store.h"
#include "study/metric_renames.h"

namespace vernier {

// The rows of a study never change, so the values of a metric that is renamed
// stay under the name that it had first (RecordedName). Here they get the
// present names, when rows are read, and the recorded ones, when they are
// written: records in memory, and all else, have present names only.

/// Gives the metrics of a trial that was read from its row their present names.
void TakePresentNames(const FormerNames& names, TrialRecord* trial);

/// A trial as its row is to have it, which is a copy only if a metric has
/// another name there. Borrows `trial`, which must outlive it.
class RecordedTrial {
 public:
  RecordedTrial(const FormerNames& names, const TrialRecord& trial);

  const TrialRecord& operator*() const {
    return recorded_.has_value() ? *recorded_ : present_;
  }

 private:
  const TrialRecord& present_;
  std::optional<TrialRecord> recorded_;
};

/// Gives the metrics of a trial in memory new names.
void Rename(const MetricRenames& renames, TrialRecord* trial);

/// Gives measurements that were read from rows their present names, and the
/// order of Store::ListMeasurements by these.
void TakePresentNames(const FormerNames& names,
                      std::vector<Measurement>* measurements);
void TakePresentNames(const FormerNames& names,
                      std::vector<TrialMeasurement>* measurements);

/// Returns what a program has reported under the names that the study's metrics
/// have now; see NameOfReported.
MetricReport AsReported(const StudySpec& spec, MetricReport report);
AddMeasurements AsReported(const StudySpec& spec, AddMeasurements change);

/// Returns OK if the metrics of the study may get the names of `after`, as far
/// as its trials are concerned. FAILED_PRECONDITION if a trial has reported
/// something else under a new name, or if a name goes from one metric to
/// another while a trial runs, whose program means the names of before.
/// O(trials), if there are renames.
absl::Status CheckRenames(const StudySnapshot& study, const StudySpec& after);

}  // namespace vernier

#endif  // VERNIER_STORE_METRIC_NAMES_H_
