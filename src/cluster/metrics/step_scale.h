#ifndef VERNIER_CLUSTER_METRICS_STEP_SCALE_H_
#define VERNIER_CLUSTER_METRICS_STEP_SCALE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "cluster/metrics/step_mark.h"

namespace vernier {

/// The one scale that the values of a curve stand on: what one program says of
/// one metric by one road, in the order in which it says it. Where a value
/// stands is never before the one before it, so the last that was said is the
/// last of the curve.
///
/// - A value stands at the whole step that it says, in the unit of the first
///   step that was said: so at 1000, 2000, ... or at the epochs 1, 2, ...
/// - Where steps begin again, as batches do in each epoch, they are counted on:
///   "epoch 2 step 10" after "epoch 1 step 100" stands at 110.
/// - What says no step, one of another unit, or a fraction of an epoch, goes by
///   order: it stands one behind the value before it, and the first at 1.
/// - A step that is said twice, one value after the other, is one step.
///
/// Depends on the marks alone. Thread-compatible.
class StepScale {
 public:
  /// `last` is where the value before the first one stood.
  explicit StepScale(std::int64_t last = 0) : last_(last) {}

  /// Where the next value stands.
  std::int64_t Take(const StepMark& mark);

  /// Whether a value has said a whole step.
  bool has_step() const { return said_.has_value(); }

  /// What of the marks so far does not go together, once there is something:
  /// "step 5000, then none". Empty: nothing, which is so of fractional epochs
  /// and of steps that begin again in each epoch, too.
  const std::string& conflict() const { return conflict_; }

 private:
  std::int64_t StandOf(const StepMark& mark);
  void NoteConflict(const StepMark& mark);

  std::int64_t last_;  // Where the last value stands.
  bool is_first_ = true;
  StepMark before_;               // Of the last value.
  std::optional<StepMark> said_;  // The last whole step of the scale's unit.
  std::int64_t offset_ = 0;       // Of such a step to where it stands.
  std::string conflict_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_STEP_SCALE_H_
