#ifndef VERNIER_TRIALS_RESULTS_FRONT_H_
#define VERNIER_TRIALS_RESULTS_FRONT_H_

#include <optional>
#include <vector>

#include "store/store.h"

namespace vernier {

/// What takes the place of the best trial where there are several metrics.
struct Front {
  std::vector<TrialId> trials;  ///< OptimalTrials: by id, >= 1.
  /// The balanced one: of the values that the front has, scaled to [0, 1] for
  /// each metric, nearest to the best of all. Unset of fewer than three trials.
  std::optional<TrialId> knee;
  /// For each metric in its own sign: as given, or else a tenth of the front's
  /// extent beyond its worst values.
  std::vector<double> reference;
  /// What the front dominates above the reference. Unset where it would take
  /// long: beyond three metrics of very many trials.
  std::optional<double> hypervolume;
};

/// nullopt while no trial has all values and meets the constraints. Pure.
std::optional<Front> FrontOf(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_RESULTS_FRONT_H_
