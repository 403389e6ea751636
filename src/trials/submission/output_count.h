#ifndef VERNIER_TRIALS_SUBMISSION_OUTPUT_COUNT_H_
#define VERNIER_TRIALS_SUBMISSION_OUTPUT_COUNT_H_

#include <cstdint>
#include <string>

namespace vernier {

/// Returns "12 bytes", "11.2 GiB" and the like.
std::string ByteSizeText(std::int64_t bytes);

/// Files that a job's programs left in the service's own folders.
struct OutputCount {
  std::int64_t files = 0;
  std::int64_t bytes = 0;
  bool is_cut = false;  ///< There are more than were counted.
};

/// "3 files (1.2 MiB)"; empty if there are none. Pure.
std::string OutputText(const OutputCount& outputs);

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_OUTPUT_COUNT_H_
