#ifndef VERNIER_STUDY_JOB_FILE_SLURM_SECTION_H_
#define VERNIER_STUDY_JOB_FILE_SLURM_SECTION_H_

#include <string>
#include <vector>

#include "study/config/object_reader.h"
#include "study/engines/slurm_options.h"

namespace vernier {

/// Reads `slurm` of the vernier section: what a job on Slurm asks of the site.
SlurmOptions ReadSlurmOptions(ObjectReader& section);

/// What is wrong with further words for sbatch; empty: nothing. Each must be an
/// option that a job may set (the list is in docs/slurm.md), by its whole name
/// and in one word, such as "--mail-type=END".
std::string CheckSlurmArguments(const std::vector<std::string>& words);

/// How many options that list has.
int NumSlurmSiteOptions();

/// What is wrong with the name of a partition, an account and the like; empty:
/// nothing.
std::string CheckSlurmName(const std::string& name);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_SLURM_SECTION_H_
