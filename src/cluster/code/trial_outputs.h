#ifndef VERNIER_CLUSTER_CODE_TRIAL_OUTPUTS_H_
#define VERNIER_CLUSTER_CODE_TRIAL_OUTPUTS_H_

#include <cstddef>
#include <string>

#include "trials/submission/output_count.h"

namespace vernier {

/// Counts the files that programs left in the working directories of all
/// attempts below a job's `run_dir`, without links, which lead to the code, and
/// without what NeverCopied calls caches. Looks at no more than `most` entries.
OutputCount CountOutputsBelow(const std::string& run_dir,
                              std::size_t most = 100'000);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_TRIAL_OUTPUTS_H_
