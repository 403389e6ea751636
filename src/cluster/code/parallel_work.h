#ifndef VERNIER_CLUSTER_CODE_PARALLEL_WORK_H_
#define VERNIER_CLUSTER_CODE_PARALLEL_WORK_H_

#include <functional>

namespace vernier {

/// Runs `work` in several threads at once, as many as help with many small
/// files, and returns when all calls have returned. `work` must be thread-safe
/// and must not throw.
void RunInThreads(const std::function<void()>& work);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_PARALLEL_WORK_H_
