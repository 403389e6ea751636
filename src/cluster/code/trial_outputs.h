#ifndef VERNIER_CLUSTER_CODE_TRIAL_OUTPUTS_H_
#define VERNIER_CLUSTER_CODE_TRIAL_OUTPUTS_H_

#include <cstddef>
#include <string>

#include "cluster/code/code_twins.h"
#include "trials/submission/output_count.h"

namespace vernier {

/// Counts the files that programs left in the working directories of all
/// attempts below a job's `run_dir`. Links, unchanged copies of `code`, and
/// caches (NeverCopied) do not count. Examines at most `most` entries.
OutputCount CountOutputsBelow(const std::string& run_dir, const CodeTwins& code,
                              std::size_t most = 100'000);

/// Counts likewise in the folder at `path` of a working directory.
OutputCount CountOutputsIn(const std::string& work_dir, const std::string& path,
                           const CodeTwins& code, std::size_t most);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_TRIAL_OUTPUTS_H_
