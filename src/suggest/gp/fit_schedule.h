#ifndef VERNIER_SUGGEST_GP_FIT_SCHEDULE_H_
#define VERNIER_SUGGEST_GP_FIT_SCHEDULE_H_

#include <cstdint>

namespace vernier {

/// When a study's hyperparameters are fitted, in numbers of results. A cold fit
/// forgets the earlier ones; a warm fit begins at the last. The schedule
/// depends on those numbers alone, so that a restarted service, which has to
/// repeat the fits since the last cold one, comes to the same model.

/// Fewest results to fit a model to.
inline constexpr std::int64_t kFirstFit = 3;

/// Warm fits follow every result up to this many; from there every 2 % growth.
inline constexpr std::int64_t kEveryFit = 200;

/// The last fit at or before `num_results`; 0 if there is none.
std::int64_t LastFit(std::int64_t num_results);

/// The last cold fit at or before `num_results`, likewise. Cold fits are 10 %
/// of growth apart, and are in the schedule of all fits, too.
std::int64_t LastColdFit(std::int64_t num_results);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_FIT_SCHEDULE_H_
