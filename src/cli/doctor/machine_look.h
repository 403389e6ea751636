#ifndef VERNIER_CLI_DOCTOR_MACHINE_LOOK_H_
#define VERNIER_CLI_DOCTOR_MACHINE_LOOK_H_

#include <string>
#include <vector>

#include "cli/doctor/finding.h"

namespace vernier {

/// Checks everything that a service with this data directory would need on this
/// machine: disk, limits, clock, ports, libraries, GPUs, containers, Slurm,
/// Kubernetes. Changes nothing; takes some seconds at most, if a command of the
/// machine is slow.
std::vector<Finding> LookAtMachine(const std::string& data_dir);

}  // namespace vernier

#endif  // VERNIER_CLI_DOCTOR_MACHINE_LOOK_H_
