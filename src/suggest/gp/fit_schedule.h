#ifndef VERNIER_SUGGEST_GP_FIT_SCHEDULE_H_
#define VERNIER_SUGGEST_GP_FIT_SCHEDULE_H_

#include <cstdint>

namespace vernier {

/// The schedule of fits of a study's hyperparameters, in numbers of results. A
/// cold fit ignores earlier fits; a warm fit begins at the last one. The
/// schedule depends on those numbers alone: a restarted service repeats the
/// fits since the last cold one and so gets the same model.

/// The smallest number of results that a model is fitted to.
inline constexpr std::int64_t kFirstFit = 3;

/// Up to this many results, a warm fit follows every result; from there, every
/// 2 % of growth.
inline constexpr std::int64_t kEveryFit = 200;

/// Returns the last fit at or before `num_results`; 0 if there is none.
std::int64_t LastFit(std::int64_t num_results);

/// Returns the last cold fit at or before `num_results`, or 0. Cold fits are 10
/// % of growth apart and belong to the schedule of all fits.
std::int64_t LastColdFit(std::int64_t num_results);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_FIT_SCHEDULE_H_
