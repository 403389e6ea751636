#ifndef VERNIER_CLUSTER_GANG_PACKAGE_PREPARATION_H_
#define VERNIER_CLUSTER_GANG_PACKAGE_PREPARATION_H_

#include <optional>

#include "cluster/attempt/exit_record.h"
#include "cluster/attempt/launch_file.h"
#include "study/job_spec.h"

namespace vernier {

/// Installs the job's packages, or waits for the attempt that installs them.
/// Returns the record of a failure, or null once they are installed. For an
/// attempt's process; the conditions of InstallPackages hold.
std::optional<ExitRecord> PreparePackages(const LaunchFile& launch,
                                          const JobSpec& spec);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_GANG_PACKAGE_PREPARATION_H_
