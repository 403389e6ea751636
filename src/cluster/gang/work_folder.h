#ifndef VERNIER_CLUSTER_GANG_WORK_FOLDER_H_
#define VERNIER_CLUSTER_GANG_WORK_FOLDER_H_

#include <string>

#include "absl/status/status.h"

namespace vernier {

/// Makes `folder`, the working directory of an attempt, with a copy of the
/// contents of `code_dir`, the job's pinned code; if that is empty, without
/// code. The folder appears with all of it or not at all; if it exists, it is
/// left unchanged.
///
/// So programs find their code at relative paths, and what they write belongs
/// to their attempt only, even where the code has a folder or file of that
/// name: no trial continues from another's "checkpoints/last.ckpt". Of code
/// beyond the limits of OwnCodeLimits, the SharedEntries are links to
/// `code_dir`, which all attempts share. The code's own links are copied as
/// they are; folders of kOutputNames and caches are left out.
///
/// Errors: those of the file system.
absl::Status MakeWorkFolder(const std::string& folder,
                            const std::string& code_dir);

/// Removes the unchanged copies that MakeWorkFolder made from the working
/// directory of an attempt that has ended, so that a thousand trials keep what
/// they wrote and not a thousand copies of the code. Errors are ignored: what
/// stays only takes space.
void TidyWorkFolder(const std::string& folder, const std::string& code_dir);

/// Does the same in a separate process, for a caller whose end is waited for.
void TidyWorkFolderBehind(const std::string& folder,
                          const std::string& code_dir);

/// Puts back what TidyWorkFolder has removed, so that the program can be run
/// again by hand. Everything that the program has left stays.
absl::Status RestoreWorkFolder(const std::string& folder,
                               const std::string& code_dir);

/// Lets replicas of any user write in the folder, since images choose their
/// users. Only the service's user can enter the parent folder.
absl::Status OpenWorkFolderToAll(const std::string& folder);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_GANG_WORK_FOLDER_H_
