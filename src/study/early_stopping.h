#ifndef VERNIER_STUDY_EARLY_STOPPING_H_
#define VERNIER_STUDY_EARLY_STOPPING_H_

#include <chrono>
#include <cstdint>
#include <optional>

namespace vernier {

/// The rule that decides if a running trial should stop. Values are stored.
enum class StoppingRule {
  kNone = 0,
  kMedian = 1,  ///< Golovin et al. 2017, section 3.2.2.
  kDecayCurve =
      2,      ///< What the curve so far, and those of like trials, promise.
  kAsha = 3,  ///< Li et al. 2020.
  kHyperband = 4,  ///< Li et al. 2018, with asynchronous brackets.
  kAuto = 5,       ///< The rule that the service holds for the best.
};

/// The largest number of steps that options may name: 2^40, with which
/// arithmetic on steps does not overflow.
inline constexpr std::int64_t kMostTrainingSteps = std::int64_t{1} << 40;

/// The options of a stopping rule. Unset fields are learned from the trials.
struct EarlyStoppingOptions {
  /// No trial is stopped before this step; the first rung. >= 1.
  std::optional<std::int64_t> min_steps;
  /// The last step of a whole training; the last rung. >= min_steps.
  std::optional<std::int64_t> max_steps;
  /// ASHA and Hyperband keep one of this many trials at a rung; > 1, <= 100.
  double reduction_factor = 3;
  /// Hyperband's brackets, 1 .. 10. Unset: as many as the steps allow.
  std::optional<int> brackets;
  /// The decay curve rule stops a trial at the beginning of its training if the
  /// trial becomes the best with less than this probability; later, and in a
  /// long search, the threshold is lower (DecayCurvePolicy). > 0, < 1.
  double min_win_probability = 0.3;

  friend bool operator==(const EarlyStoppingOptions&,
                         const EarlyStoppingOptions&) = default;
};

/// A limit for a search without progress: it has stalled when the next `trials`
/// trials promise a gain below `gain`.
struct NoProgressLimit {
  int trials = 10;  ///< >= 1.
  double gain = 0;  ///< In the metric's units; > 0.

  friend bool operator==(const NoProgressLimit&,
                         const NoProgressLimit&) = default;
};

/// The limits at which a study has done enough. Running trials then end, and no
/// more are started.
struct StudyLimits {
  std::optional<double> target;  ///< A final value at least as good. Finite.
  std::optional<NoProgressLimit> no_progress;
  std::optional<std::chrono::seconds> max_time;  ///< Of the running job; > 0.
  std::optional<std::int64_t> max_steps;         ///< Of all trials; >= 1.
  std::optional<std::chrono::seconds> max_gpu_time;  ///< Of all replicas; > 0.

  friend bool operator==(const StudyLimits&, const StudyLimits&) = default;
};

}  // namespace vernier

#endif  // VERNIER_STUDY_EARLY_STOPPING_H_
