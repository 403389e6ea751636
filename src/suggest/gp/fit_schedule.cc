#include "suggest/gp/fit_schedule.h"

#include <algorithm>

namespace vernier {
namespace {

// Returns the last number at or before `n` of first, first + growth, ...; each
// step grows by `per_mille`, and by at least 1.
std::int64_t LastStep(std::int64_t first, std::int64_t per_mille,
                      std::int64_t n) {
  std::int64_t last = first;
  while (true) {
    const std::int64_t next =
        last + std::max<std::int64_t>(1, (last * per_mille + 999) / 1000);
    if (next > n) return last;
    last = next;
  }
}

}  // namespace

std::int64_t LastColdFit(std::int64_t num_results) {
  if (num_results < kFirstFit) return 0;
  return LastStep(kFirstFit, 100, num_results);
}

std::int64_t LastFit(std::int64_t num_results) {
  if (num_results < kFirstFit) return 0;
  if (num_results <= kEveryFit) return num_results;
  return std::max(LastStep(kEveryFit, 20, num_results),
                  LastColdFit(num_results));
}

}  // namespace vernier
