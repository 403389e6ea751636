#ifndef VERNIER_CLUSTER_CODE_FILE_COPY_H_
#define VERNIER_CLUSTER_CODE_FILE_COPY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/code/code_survey.h"

namespace vernier {

/// A buffer of this size serves for most files at once.
inline constexpr std::size_t kCopyBuffer = std::size_t{64} << 10;

enum class FileCopy {
  kCopied,
  kVanished,  ///< There is no such regular file any more.
  kExists,    ///< Something lies at the copy's path, and was left alone.
};

/// Copies the file at `from`, which a survey found, to `to`. The copy has its
/// permissions, without set-uid and set-gid bits, and the time of its last
/// change, which is set last. It shares the blocks of the file if the file
/// system supports it. `buffer` must not be empty. `count` is called with the
/// number of bytes before they are written, and its error ends the copy.
absl::StatusOr<FileCopy> CopyCodeFile(
    const CodeSurvey::File& file, const std::string& from,
    const std::string& to, std::vector<char>& buffer,
    const std::function<absl::Status(std::int64_t bytes)>& count);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_FILE_COPY_H_
