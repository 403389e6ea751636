#ifndef VERNIER_CLUSTER_METRICS_STEP_SCALE_H_
#define VERNIER_CLUSTER_METRICS_STEP_SCALE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "cluster/metrics/step_mark.h"

namespace vernier {

/// Assigns the values of one curve to steps. It takes what one program states
/// about one metric through one source, in order. Steps never decrease, so the
/// value that was reported last is the last one of the curve.
///
/// - A value gets the whole step that it states, in the unit of the first step
///   that was stated: 1000, 2000, ... or the epochs 1, 2, ...
/// - If steps start again, as batches do in each epoch, they are counted on:
///   "epoch 2 step 10" after "epoch 1 step 100" becomes step 110.
/// - A value without a step, with one in another unit, or with a fraction of an
///   epoch is numbered in order: it gets the step after the previous value's,
///   and the first one gets step 1.
/// - A step that two consecutive values state is one step.
///
/// The steps depend on the marks alone. Thread-compatible.
class StepScale {
 public:
  /// `last` is the step of the value before the first one.
  explicit StepScale(std::int64_t last = 0) : last_(last) {}

  /// Returns the step of the next value.
  std::int64_t Take(const StepMark& mark);

  /// Returns whether a value has stated a whole step.
  bool has_step() const { return said_.has_value(); }

  /// Describes the first contradiction among the marks so far: "step 5000, then
  /// none". Empty if there is none. Fractional epochs, and steps that start
  /// again in each epoch, are not contradictions.
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
