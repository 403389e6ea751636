#ifndef VERNIER_TRIALS_RESULTS_FRONT_H_
#define VERNIER_TRIALS_RESULTS_FRONT_H_

#include <optional>
#include <string>
#include <vector>

#include "store/store.h"

namespace vernier {

/// The result of a study of several metrics, in place of one best trial.
struct Front {
  std::vector<TrialId> trials;  ///< OptimalTrials: by id, >= 1.
  /// The most balanced trial: with each metric's values on the front scaled to
  /// [0, 1], it is the nearest to the point that has the best value of each
  /// metric. Unset for fewer than three trials.
  std::optional<TrialId> knee;
  /// The reference value of each metric, in its own sign: as given, or else a
  /// tenth of the front's extent beyond its worst values (InferReference).
  std::vector<double> reference;
  /// The volume that the front dominates above the reference. Unset where
  /// computing it would take long: for more than 2,000 trials on the front, or
  /// more than 200 with more than three metrics; and where it is larger than
  /// the largest number. Finite.
  std::optional<double> hypervolume;
  std::string why_no_hypervolume;  ///< Empty where it is set.
};

/// Returns the front; nullopt while no trial has all values and meets the
/// constraints. Pure.
std::optional<Front> FrontOf(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_RESULTS_FRONT_H_
