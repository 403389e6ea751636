#ifndef VERNIER_TRIALS_RESULTS_TIME_LEFT_H_
#define VERNIER_TRIALS_RESULTS_TIME_LEFT_H_

#include <chrono>
#include <optional>

#include "base/clock.h"
#include "store/store.h"

namespace vernier {

/// Estimates how long a job's trials will still take, as if each took as long
/// as the last ones that completed, with as many at a time as now. The page and
/// the command line both show this number. Unset unless the job is running and
/// wants to go on, has a trial that completed, and has work left. Takes O(k)
/// for the k newest trials that it looks at, some hundred at most, besides the
/// open ones. Pure.
std::optional<std::chrono::seconds> TimeLeft(const StudySnapshot& study,
                                             Timestamp now);

}  // namespace vernier

#endif  // VERNIER_TRIALS_RESULTS_TIME_LEFT_H_
