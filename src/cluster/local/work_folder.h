#ifndef VERNIER_CLUSTER_LOCAL_WORK_FOLDER_H_
#define VERNIER_CLUSTER_LOCAL_WORK_FOLDER_H_

#include <string>

#include "absl/status/status.h"

namespace vernier {

/// Makes `folder`, the working directory of an attempt, with a copy of what
/// lies in `code_dir`, the job's pinned code; empty: without. It appears with
/// all of it or not at all, and one that is there is left as it is.
///
/// Programs thus find their code at relative paths, and what they write is
/// their attempt's own, also where the code has a folder or file of the name:
/// no trial goes on from another's "checkpoints/last.ckpt". Of code beyond the
/// limits of OwnCodeLimits the SharedEntries are links to `code_dir`, which all
/// attempts share. Links of the code stay as they are; folders of kOutputNames
/// and caches are left out.
///
/// Errors: those of the file system.
absl::Status MakeWorkFolder(const std::string& folder,
                            const std::string& code_dir);

/// Removes from the working directory of an attempt that has ended what is just
/// as MakeWorkFolder made it, so that a thousand trials keep what they wrote
/// and not a thousand copies of the code. Errors are ignored: what stays only
/// takes space.
void TidyWorkFolder(const std::string& folder, const std::string& code_dir);

/// Does so in a process of its own, for a caller whose end is waited for.
void TidyWorkFolderBehind(const std::string& folder,
                          const std::string& code_dir);

/// Puts back what TidyWorkFolder has removed, so that the program can be run
/// again by hand. What the program has left stays, whatever lies there.
absl::Status RestoreWorkFolder(const std::string& folder,
                               const std::string& code_dir);

/// Lets replicas of any user write in the folder, as images name one of their
/// own. Nobody but the service's user can enter the folder that it lies in.
absl::Status OpenWorkFolderToAll(const std::string& folder);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOCAL_WORK_FOLDER_H_
