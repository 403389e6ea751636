#ifndef VERNIER_CLUSTER_LOCAL_WORK_FOLDER_H_
#define VERNIER_CLUSTER_LOCAL_WORK_FOLDER_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"

namespace vernier {

/// Most entries of a code folder to each of which a work folder has a link.
inline constexpr std::size_t kMaxCodeLinks = 1000;

/// Makes `folder`, the working directory of an attempt, with a link to each
/// entry of `code_dir`, the job's pinned code; empty: without.
///
/// Programs thus find their code at relative paths, and the files that they add
/// there are their attempt's own: trials that run side by side and save
/// "model.pt", or TensorBoard summaries in "runs", do not meet. What the code
/// folder has already is shared, but for kOutputNames (output_folders.h), which
/// a folder that was not copied may have. With more than kMaxCodeLinks entries,
/// `folder` is itself a link to `code_dir`, so that an attempt does not cost
/// thousands of inodes. May be called again.
///
/// Errors: those of the file system.
absl::Status MakeWorkFolder(const std::string& folder,
                            const std::string& code_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOCAL_WORK_FOLDER_H_
