#ifndef VERNIER_CLUSTER_ATTEMPT_LAUNCH_PHASE_H_
#define VERNIER_CLUSTER_ATTEMPT_LAUNCH_PHASE_H_

#include <string>

namespace vernier {

/// Notes in the attempt's folder what its start waits for, such as "pulling the
/// image X (Copying blob ...)"; empty if it no longer waits. It is a hint for
/// people, so errors are ignored.
void NoteLaunchPhase(const std::string& attempt_dir, const std::string& phase);

/// Returns the last text of NoteLaunchPhase, or "": the first 500 bytes, with
/// U+FFFD for what is not valid UTF-8.
std::string LaunchPhaseOf(const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_ATTEMPT_LAUNCH_PHASE_H_
