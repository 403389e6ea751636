#ifndef VERNIER_CLUSTER_SLURM_SLURM_ENVIRONMENT_H_
#define VERNIER_CLUSTER_SLURM_SLURM_ENVIRONMENT_H_

#include "cluster/trial_environment.h"

namespace vernier {

/// Returns the environment of Slurm's commands and, since sbatch passes it on,
/// of batch scripts: the variables of `environ` (as in environ(7)) that
/// programs and installers may inherit, and those that locate Slurm's
/// configuration. The service's secrets are thus not passed on.
Environment SlurmEnvironment(const char* const* environ);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_SLURM_ENVIRONMENT_H_
