#ifndef VERNIER_CLUSTER_METRICS_STEP_MARK_H_
#define VERNIER_CLUSTER_METRICS_STEP_MARK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// What a program counts by when it says where in training a value was
/// measured.
enum class StepUnit {
  kNone,  ///< It does not say where.
  kStep,  ///< "step", "global_step", and the step of a line of JSON.
  kEpoch,
  kIteration,
  kBatch,
  kRound,  ///< Of boosting, "[3]".
};

/// "step", "epoch", for people; "" for kNone.
std::string_view ToString(StepUnit unit);

/// Where in training a program says that a value was measured.
struct StepMark {
  StepUnit unit = StepUnit::kStep;
  std::int64_t step = 0;  ///< In that unit; 0 if it is kNone.
  /// Beside a step: the epoch that the step was said to be of. As kEpoch: the
  /// epoch, where that is no whole number; `step` is its whole part then.
  std::optional<double> epoch;

  friend bool operator==(const StepMark&, const StepMark&) = default;
};

/// "step 5", "epoch 0.8", "epoch 2, batch 30"; "" for kNone.
std::string ToText(const StepMark& mark);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_STEP_MARK_H_
