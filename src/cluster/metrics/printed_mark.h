#ifndef VERNIER_CLUSTER_METRICS_PRINTED_MARK_H_
#define VERNIER_CLUSTER_METRICS_PRINTED_MARK_H_

#include <optional>
#include <string_view>

#include "cluster/metrics/step_mark.h"

namespace vernier {

/// Returns the position in training that a line states: the first whole number
/// after "global_step", else after "step", "iteration", "iter", "batch" or
/// "round", in any letter case, as in "step=3", "Batch 3/10" and "iter: [3]",
/// together with the epoch, which may be a fraction. Without such a number, the
/// epoch alone; without an epoch, the number with which boosting libraries
/// begin a line: "[3]" or, before a tab, "3:". Its unit is kNone if there is
/// none of these. Pure.
StepMark FindPrintedMark(std::string_view line);

/// Returns the unit that a word stands for, in any letter case; nullopt for
/// other words.
std::optional<StepUnit> UnitOfWord(std::string_view word);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_PRINTED_MARK_H_
