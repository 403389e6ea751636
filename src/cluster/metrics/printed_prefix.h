#ifndef VERNIER_CLUSTER_METRICS_PRINTED_PREFIX_H_
#define VERNIER_CLUSTER_METRICS_PRINTED_PREFIX_H_

#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// Returns the number of the process that a launcher says before its lines:
/// "[rank1]:" and "[default1]:" of torchrun, "[1,1]<stdout>:" of mpirun and
/// Horovod, "[1,mpirank:1,algo-2]<stdout>:" of SageMaker, "worker-1:" of
/// DeepSpeed, "[Rank 1]", "[RANK:1]", "rank=1", "[GPU1]", "(rank 1)", "(1/2)"
/// behind icefall's "[train.py:938]"; " rank 1" behind a number at the line's
/// end; and, with its colon, "1:" of srun. nullopt if there is none. Pure.
std::optional<std::string_view> ProcessOf(std::string_view line);

/// Returns the line without what Ray puts before those of its processes:
/// "(train pid=1234, ip=10.0.0.1) ". Pure.
std::string_view BehindActor(std::string_view line);

/// Returns the logger's name, in lower case, with which a line begins: "train"
/// of "[2024-01-01 10:00:00,123][train][INFO] - ...". Empty if there is none.
/// Pure.
std::string LoggerOf(std::string_view line);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_PRINTED_PREFIX_H_
