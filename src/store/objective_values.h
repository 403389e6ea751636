#ifndef VERNIER_STORE_OBJECTIVE_VALUES_H_
#define VERNIER_STORE_OBJECTIVE_VALUES_H_

#include "store/store.h"

namespace vernier {

/// True if a trial has a value of the study's metric, or runs and may get one;
/// the metric must not change then. O(trials) at worst.
bool MayHaveValues(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_STORE_OBJECTIVE_VALUES_H_
