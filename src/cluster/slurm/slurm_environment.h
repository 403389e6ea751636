#ifndef VERNIER_CLUSTER_SLURM_SLURM_ENVIRONMENT_H_
#define VERNIER_CLUSTER_SLURM_SLURM_ENVIRONMENT_H_

#include "cluster/trial_environment.h"

namespace vernier {

/// The environment of Slurm's commands and, since sbatch passes it on, of batch
/// scripts: what programs and installers may inherit of `environ` (as in
/// environ(7)), and where Slurm's configuration lies. The service's secrets are
/// thus not passed on.
Environment SlurmEnvironment(const char* const* environ);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_SLURM_ENVIRONMENT_H_
