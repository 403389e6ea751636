#ifndef VERNIER_CLUSTER_METRICS_STEP_MARK_H_
#define VERNIER_CLUSTER_METRICS_STEP_MARK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// The unit in which a program states the position in training at which a value
/// was measured.
enum class StepUnit {
  kNone,  ///< It does not say where.
  kStep,  ///< "step", "global_step", and the step of a line of JSON.
  kEpoch,
  kIteration,
  kBatch,
  kRound,  ///< Of boosting, "[3]".
};

/// Returns the unit for people: "step", "epoch"; "" for kNone.
std::string_view ToString(StepUnit unit);

/// A position in training, as a program stated it for a value.
struct StepMark {
  StepUnit unit = StepUnit::kStep;
  std::int64_t step = 0;  ///< In that unit; 0 if it is kNone.
  /// With a step: the epoch that the step was stated for. With kEpoch: the
  /// epoch if it is a fraction; then `step` is its whole part.
  std::optional<double> epoch;

  friend bool operator==(const StepMark&, const StepMark&) = default;
};

/// Returns "step 5", "epoch 0.8", "epoch 2, batch 30"; "" for kNone.
std::string ToText(const StepMark& mark);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_STEP_MARK_H_
