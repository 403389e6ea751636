#ifndef VERNIER_CLUSTER_LOST_OUTPUT_H_
#define VERNIER_CLUSTER_LOST_OUTPUT_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace vernier {

/// The part of a replica's output that could not be written to its log.
struct LostOutput {
  std::int64_t bytes = 0;     ///< 0: nothing was lost.
  std::int64_t unmarked = 0;  ///< Of them, those that no mark in the log names.
  int error = 0;              ///< The errno of the first write that failed.
};

/// Returns, for instance, "37 bytes of output were lost here: no space left on
/// device".
std::string DescribeLostOutput(std::int64_t bytes, int error);

/// Stores a LostOutput in `NAME.lost` beside the log. The file has its final
/// size from the start and is written in place, so that it can be written even
/// on a full disk. Not thread-safe: the log's writer owns it.
class LostOutputFile {
 public:
  /// Continues from the file's contents, if there are any.
  static absl::StatusOr<LostOutputFile> Open(const std::string& log_dir,
                                             const std::string& name);

  const LostOutput& lost() const { return lost_; }

  /// Counts further bytes. A failed write is not an error: the current count is
  /// in lost(), and the next call writes it.
  void Add(std::int64_t bytes, int error);

  /// Notes that a mark in the log names everything that was lost.
  void SetMarked();

 private:
  LostOutputFile(UniqueFd file, LostOutput lost)
      : file_(std::move(file)), lost_(lost) {}

  void Write();

  UniqueFd file_;
  LostOutput lost_;
};

/// Returns the file's contents; nothing lost if there is no file, as for logs
/// of releases that wrote none.
LostOutput ReadLostOutput(const std::string& log_dir, const std::string& name);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOST_OUTPUT_H_
