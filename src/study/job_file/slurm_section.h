#ifndef VERNIER_STUDY_JOB_FILE_SLURM_SECTION_H_
#define VERNIER_STUDY_JOB_FILE_SLURM_SECTION_H_

#include <string>
#include <vector>

#include "study/config/object_reader.h"
#include "study/engines/slurm_options.h"

namespace vernier {

/// Reads `slurm` of the vernier section: a job's settings for the site.
SlurmOptions ReadSlurmOptions(ObjectReader& section);

/// Returns the fault of further words for sbatch; empty: there is none. Each
/// must be an option that a job may set (the list is in docs/slurm.md), by its
/// whole name and in one word, such as "--mail-type=END".
std::string CheckSlurmArguments(const std::vector<std::string>& words);

/// Returns the number of options in that list.
int NumSlurmSiteOptions();

/// Returns the fault of the name of a partition, an account and the like;
/// empty: there is none.
std::string CheckSlurmName(const std::string& name);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_SLURM_SECTION_H_
