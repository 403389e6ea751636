#ifndef VERNIER_CLUSTER_CODE_TRIAL_OUTPUTS_H_
#define VERNIER_CLUSTER_CODE_TRIAL_OUTPUTS_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace vernier {

/// Files that a job's programs left.
struct OutputCount {
  std::int64_t files = 0;
  std::int64_t bytes = 0;
  bool is_cut = false;  ///< There are more.
};

/// Counts the files that programs left in the working directories of all
/// attempts below a job's `run_dir`, without links, which lead to the code, and
/// without what NeverCopied calls caches. Looks at no more than `most` entries.
OutputCount CountOutputsBelow(const std::string& run_dir,
                              std::size_t most = 100'000);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_TRIAL_OUTPUTS_H_
