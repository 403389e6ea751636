#ifndef VERNIER_CLUSTER_LOST_OUTPUT_H_
#define VERNIER_CLUSTER_LOST_OUTPUT_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace vernier {

/// What of a replica's output could not be kept in its log.
struct LostOutput {
  std::int64_t bytes = 0;     ///< 0: nothing was lost.
  std::int64_t unmarked = 0;  ///< Of them, those that no mark in the log names.
  int error = 0;              ///< The errno of the first write that failed.
};

/// "37 bytes of output were lost here: no space left on device".
std::string DescribeLostOutput(std::int64_t bytes, int error);

/// Keeps a LostOutput in `NAME.lost` beside the log. The file has its size from
/// the start and is written in place, so that it can be written on a full disk,
/// too. Not thread-safe: the log's writer owns it.
class LostOutputFile {
 public:
  /// Goes on with what the file says, if there is one.
  static absl::StatusOr<LostOutputFile> Open(const std::string& log_dir,
                                             const std::string& name);

  const LostOutput& lost() const { return lost_; }

  /// Counts further bytes. A failed write is not an error: the present count is
  /// in lost(), and the next call writes it.
  void Add(std::int64_t bytes, int error);

  /// A mark in the log names all that was lost.
  void SetMarked();

 private:
  LostOutputFile(UniqueFd file, LostOutput lost)
      : file_(std::move(file)), lost_(lost) {}

  void Write();

  UniqueFd file_;
  LostOutput lost_;
};

/// What the file says; nothing lost if there is none, as of logs of releases
/// that kept none.
LostOutput ReadLostOutput(const std::string& log_dir, const std::string& name);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOST_OUTPUT_H_
