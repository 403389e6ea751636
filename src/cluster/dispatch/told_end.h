#ifndef VERNIER_CLUSTER_DISPATCH_TOLD_END_H_
#define VERNIER_CLUSTER_DISPATCH_TOLD_END_H_

#include <string>

#include "trials/jobs/launcher.h"

namespace vernier {

/// Prepares the texts of an attempt's end for storage and display, whatever
/// launched it: the values of the job's secrets are masked (secret_mask.h), and
/// a failure caused by something that was not copied with the code says so.
/// Reads the launch file below `run_dir`. If it is unknown what is secret, the
/// texts are left out. An observation of an attempt that is not over is left
/// unchanged.
void TellEnd(const std::string& run_dir, AttemptObservation* observation);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_DISPATCH_TOLD_END_H_
