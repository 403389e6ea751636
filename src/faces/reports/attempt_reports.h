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

/// The most values that one report may have.
inline constexpr std::size_t kMaxReportedValues = 10000;

/// Whether the programs of an attempt may report by calls. NOT_FOUND if its job
/// is gone; FAILED_PRECONDITION if the job does not listen to reports.
absl::Status CheckListens(const StoreSnapshot& snapshot,
                          const AttemptKey& attempt);

/// The step of the last value of the objective that the attempt's trial has; 0
/// if it has none. What comes by a call without a step stands behind it.
std::int64_t LastStepOf(const StoreSnapshot& snapshot,
                        const AttemptKey& attempt);

/// The metrics that the attempt's job is tuned for.
std::vector<std::string> TunedOf(const StoreSnapshot& snapshot,
                                 const AttemptKey& attempt);

/// What an attempt's program reports by a call.
struct AttemptReport {
  std::vector<Measurement> measurements;
  UserAttributes attributes;  ///< What it says about its trial.
};

/// Stores what was reported, and returns whether the attempt should stop. A
/// report may be repeated. `problems` has what of it could not be read, and
/// gets the attributes that cannot be set; the trial keeps those. Errors:
/// INVALID_ARGUMENT with the problems if nothing could be read; those of
/// Store::Commit.
absl::StatusOr<bool> TakeReport(Store& store, const Clock& clock,
                                const AttemptKey& attempt, AttemptReport report,
                                std::vector<std::string>* problems);

}  // namespace vernier

#endif  // VERNIER_FACES_REPORTS_ATTEMPT_REPORTS_H_
