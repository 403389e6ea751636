#ifndef VERNIER_STUDY_METRICS_METRIC_GOAL_H_
#define VERNIER_STUDY_METRICS_METRIC_GOAL_H_

#include <cstddef>
#include <optional>
#include <string>

namespace vernier {

enum class Goal { kMaximize = 1, kMinimize = 2 };

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

}  // namespace vernier

#endif  // VERNIER_STUDY_METRICS_METRIC_GOAL_H_
