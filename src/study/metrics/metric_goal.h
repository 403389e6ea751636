#ifndef VERNIER_STUDY_METRICS_METRIC_GOAL_H_
#define VERNIER_STUDY_METRICS_METRIC_GOAL_H_

#include <cstddef>
#include <optional>
#include <string>

namespace vernier {

enum class Goal { kMaximize = 1, kMinimize = 2 };

/// Returns `value` with its sign changed, if necessary, so that larger is
/// better; it is its own inverse.
inline double MeritOf(Goal goal, double value) {
  return goal == Goal::kMaximize ? value : -value;
}

/// True if `a` is worse than `b`; false if they are equal, or one is NaN.
inline bool IsWorse(double a, double b, Goal goal) {
  return MeritOf(goal, a) < MeritOf(goal, b);
}

inline constexpr std::size_t kMostMetrics = 100;     ///< Of a study.
inline constexpr std::size_t kMostConstraints = 16;  ///< Likewise.

/// One objective of a study.
struct MetricGoal {
  std::string name;
  Goal goal = Goal::kMaximize;
  /// With other metrics: the worst value that is still useful; finite. Unset:
  /// it is derived from the results.
  std::optional<double> reference = std::nullopt;

  friend bool operator==(const MetricGoal&, const MetricGoal&) = default;
};

/// A bound on a metric that a trial must meet besides the goals. At least one
/// of min and max is set.
struct OutcomeConstraint {
  std::string metric;  ///< May be an objective, too.
  std::optional<double> min = std::nullopt;
  std::optional<double> max = std::nullopt;

  friend bool operator==(const OutcomeConstraint&,
                         const OutcomeConstraint&) = default;
};

/// Returns the bounds in words: ">= 0.9", "<= 100", or both.
std::string BoundsText(const OutcomeConstraint& constraint);

}  // namespace vernier

#endif  // VERNIER_STUDY_METRICS_METRIC_GOAL_H_
