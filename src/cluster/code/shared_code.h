#ifndef VERNIER_CLUSTER_CODE_SHARED_CODE_H_
#define VERNIER_CLUSTER_CODE_SHARED_CODE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/code/code_survey.h"
#include "cluster/code/folder_tally.h"
#include "cluster/code/ignore_pattern.h"

namespace vernier {

/// How much of a job's code each attempt has a copy of its own of.
struct OwnCodeLimits {
  std::int64_t max_bytes = std::int64_t{64} << 20;
  std::int64_t max_files = 5'000;  ///< Files and links.
  /// Event files are looked for in each of them, again and again.
  std::int64_t max_folders = 500;
};

/// An entry of the code that all attempts share, with all that lies in it.
struct SharedEntry {
  std::string path;
  EntryKind kind = EntryKind::kOther;
  FolderTally::Amount amount;
};

/// The largest entries of the code, so that the rest is within the limits; none
/// lies in another. A folder is left to each attempt, and only entries in it
/// are shared, where one of them is at least half of it. Pure: the same for
/// the same code, whatever the survey's order.
std::vector<SharedEntry> SharedEntries(const CodeSurvey& survey,
                                       const OwnCodeLimits& limits = {});

/// What a user should know of them, as one of a job's code notes; empty if
/// there are none. Pure.
std::string SharedCodeNote(const std::vector<SharedEntry>& shared);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_SHARED_CODE_H_
