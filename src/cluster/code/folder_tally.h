#ifndef VERNIER_CLUSTER_CODE_FOLDER_TALLY_H_
#define VERNIER_CLUSTER_CODE_FOLDER_TALLY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cluster/code/ignore_pattern.h"

namespace vernier {

/// Counts the files and bytes in each folder of a code folder that is too large
/// to copy. Paths are relative, and empty for the code folder itself.
class FolderTally {
 public:
  struct Amount {
    std::int64_t files = 0;
    std::int64_t bytes = 0;
  };
  /// The quantity that exceeds its limit.
  enum class Measure { kFiles, kBytes };
  /// A folder or file that is worth leaving out.
  struct Large {
    std::string path;
    EntryKind kind = EntryKind::kFolder;
    Amount amount;
  };
  static constexpr std::size_t kMostLarge = 5;

  /// Counts a file in `folder`.
  void Add(const std::string& folder, const std::string& name,
           std::int64_t bytes);
  void Add(const FolderTally& other);

  /// Returns the largest entries, at most kMostLarge, until the rest is within
  /// `limit` or nothing large is left. A folder is named instead of its parent
  /// if it has nearly all that the parent has. Pure.
  std::vector<Large> Largest(Measure measure, std::int64_t limit) const;

  Amount total() const;

 private:
  /// A file of at least this size may have to be named by itself.
  static constexpr std::int64_t kLargeFile = std::int64_t{16} << 20;

  std::map<std::string, Amount> own_;  ///< By folder, without those inside.
  std::map<std::string, std::int64_t> large_files_;  ///< Bytes by path.
};

/// Returns, for instance, "3,900 files, 11.2 GiB".
std::string AmountText(const FolderTally::Amount& amount);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_FOLDER_TALLY_H_
