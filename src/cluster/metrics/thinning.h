#ifndef VERNIER_CLUSTER_METRICS_THINNING_H_
#define VERNIER_CLUSTER_METRICS_THINNING_H_

#include <cstddef>
#include <vector>

#include "study/measurement.h"

namespace vernier {

/// At most about `limit` of the measurements, in their order: of each metric
/// its last one, its smallest and its largest value, the last that is not
/// finite, and of the rest every n-th. All of them if they are not more. Pure.
std::vector<Measurement> Thinned(std::vector<Measurement> measurements,
                                 std::size_t limit);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_THINNING_H_
