#ifndef VERNIER_STUDY_JOB_FILE_SLURM_SECTION_H_
#define VERNIER_STUDY_JOB_FILE_SLURM_SECTION_H_

#include <string>
#include <vector>

#include "study/config/object_reader.h"
#include "study/engines/slurm_options.h"

namespace vernier {

/// Reads `slurm` of the vernier section: what a job on Slurm asks of the site.
/// Reports words that sbatch must not be given, because the service needs them
/// for itself.
SlurmOptions ReadSlurmOptions(ObjectReader& section);

/// What is wrong with further words for sbatch; empty: nothing. Each must be an
/// option in one word, such as "--mail-type=END".
std::string CheckSlurmArguments(const std::vector<std::string>& words);

/// What is wrong with the name of a partition, an account and the like; empty:
/// nothing.
std::string CheckSlurmName(const std::string& name);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_SLURM_SECTION_H_
