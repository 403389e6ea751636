#ifndef VERNIER_FACES_REPORTS_ATTEMPT_REPORTS_H_
#define VERNIER_FACES_REPORTS_ATTEMPT_REPORTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "store/store.h"
#include "trials/user_attributes.h"

namespace vernier {

/// The largest number of values in one report.
inline constexpr std::size_t kMaxReportedValues = 10000;

/// Returns OK if the programs of an attempt may report by calls. NOT_FOUND if
/// its job is gone; FAILED_PRECONDITION if the job does not read metrics from
/// reports.
absl::Status CheckListens(const StoreSnapshot& snapshot,
                          const AttemptKey& attempt);

/// Returns the step of the trial's last value of the objective; 0 if it has
/// none. A call without a step is placed after it.
std::int64_t LastStepOf(const StoreSnapshot& snapshot,
                        const AttemptKey& attempt);

/// Returns the metrics that the attempt's job is tuned for.
std::vector<std::string> TunedOf(const StoreSnapshot& snapshot,
                                 const AttemptKey& attempt);

/// The content of a call by which an attempt's program reports.
struct AttemptReport {
  std::vector<Measurement> measurements;
  UserAttributes attributes;  ///< The attributes that it gives its trial.
};

/// Stores a report, and returns true if the attempt should stop. A report may
/// be repeated. `problems` lists the parts that could not be read, and gets the
/// attributes that cannot be set; the trial keeps these messages. Errors:
/// INVALID_ARGUMENT with the problems if nothing could be read; those of
/// Store::Commit.
absl::StatusOr<bool> TakeReport(Store& store, const Clock& clock,
                                const AttemptKey& attempt, AttemptReport report,
                                std::vector<std::string>* problems);

}  // namespace vernier

#endif  // VERNIER_FACES_REPORTS_ATTEMPT_REPORTS_H_
