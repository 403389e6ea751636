#ifndef VERNIER_SUGGEST_STOPPING_FRONT_CHANCE_H_
#define VERNIER_SUGGEST_STOPPING_FRONT_CHANCE_H_

#include <vector>

#include "suggest/curves/final_surface.h"
#include "suggest/front/free_boxes.h"

namespace vernier {

/// Returns the probability that a result lies in `free`, of which the lowest
/// bounds count as minus infinity: that no trial of the front is at least as
/// good everywhere. `finals` has the prediction of each of the m metrics, on
/// the scale of `free`. Their errors are independent, each with the tails of
/// Student's t distribution of four degrees of freedom, since predictions err
/// further, and more often, than their variances say. O(m) for each box.
double ChanceToEnter(const FreeBoxes& free,
                     const std::vector<NormalValue>& finals);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STOPPING_FRONT_CHANCE_H_
