#ifndef VERNIER_TRIALS_SUBMISSION_JOB_MACHINES_H_
#define VERNIER_TRIALS_SUBMISSION_JOB_MACHINES_H_

#include <map>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "study/job_file/job_parser.h"

namespace vernier {

/// The numbers of GPUs of the machine types that a service knows besides the
/// usual ones.
using MachineTypeTable = std::map<std::string, int>;

/// Reads "NAME=GPUS", an entry of the table. INVALID_ARGUMENT unless NAME has
/// the shape of Compute Engine's types and is none of the usual ones, and GPUS
/// is 0 to 64.
absl::StatusOr<MachineTypeTable::value_type> ParseMachineType(
    const std::string& text);

/// Checks that each machine type of a job is known: it is one of the usual ones
/// (study/machine_type.h) or in `listed`. The GPUs of a listed one become the
/// role's acceleratorConfig, without a type, unless the job gives one; so the
/// job keeps them even if the table changes. Pure.
///
/// INVALID_ARGUMENT for the first unknown type, with the nearest known one.
absl::StatusOr<ParsedJob> ResolveMachineTypes(const ParsedJob& job,
                                              const MachineTypeTable& listed);

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_JOB_MACHINES_H_
