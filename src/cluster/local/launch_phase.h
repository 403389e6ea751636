#ifndef VERNIER_CLUSTER_LOCAL_LAUNCH_PHASE_H_
#define VERNIER_CLUSTER_LOCAL_LAUNCH_PHASE_H_

#include <string>

namespace vernier {

/// Says in the attempt's folder what its start waits for, such as "pulling the
/// image X (Copying blob ...)"; empty: nothing any more. It is a hint for
/// people, so errors are ignored.
void NoteLaunchPhase(const std::string& attempt_dir, const std::string& phase);

/// What NoteLaunchPhase said last, or "": of any text its first 500 bytes, with
/// U+FFFD for what is not valid UTF-8.
std::string LaunchPhaseOf(const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOCAL_LAUNCH_PHASE_H_
