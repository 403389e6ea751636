#ifndef VERNIER_CLUSTER_CODE_SHARED_CODE_H_
#define VERNIER_CLUSTER_CODE_SHARED_CODE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/code/code_survey.h"
#include "cluster/code/folder_tally.h"
#include "cluster/code/ignore_pattern.h"

namespace vernier {

/// The limits on the code of which each attempt has its own copy.
struct OwnCodeLimits {
  std::int64_t max_bytes = std::int64_t{64} << 20;
  std::int64_t max_files = 5'000;  ///< Files and links.
  /// The number of folders is limited because each is polled for event files.
  std::int64_t max_folders = 500;
};

/// An entry of the code that all attempts share, with all of its contents.
struct SharedEntry {
  std::string path;
  EntryKind kind = EntryKind::kOther;
  FolderTally::Amount amount;
};

/// Returns the largest entries of the code, so that the rest is within the
/// limits; none is inside another. If one entry of a folder is at least half of
/// it, the folder itself is not shared, only entries in it. Pure: the result is
/// the same for the same code, whatever the survey's order.
std::vector<SharedEntry> SharedEntries(const CodeSurvey& survey,
                                       const OwnCodeLimits& limits = {});

/// Returns what a user should know about the shared entries, as one of a job's
/// code notes; empty if there are none. Pure.
std::string SharedCodeNote(const std::vector<SharedEntry>& shared);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_SHARED_CODE_H_
