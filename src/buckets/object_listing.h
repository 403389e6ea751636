#ifndef VERNIER_BUCKETS_OBJECT_LISTING_H_
#define VERNIER_BUCKETS_OBJECT_LISTING_H_

#include <sys/stat.h>

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "buckets/confined_folder.h"

namespace vernier {

/// Selects some of a bucket's objects.
struct ListQuery {
  std::string prefix;
  /// Names that contain this text after the prefix are listed as one prefix:
  /// the part up to and including it. If empty, there are no prefixes.
  std::string delimiter;
  bool include_trailing_delimiter = false;  ///< List "a/" as an object, too.
  std::string start_offset;                 ///< Names before it are left out.
  std::string end_offset;  ///< So are those from it on; empty: none.
  std::string after;  ///< Only items after this one; empty: from the start.
  int max_results = 1000;  ///< Of items and prefixes together; >= 1.
};

/// An object's file, or its folder if the name ends with '/'.
struct ListedFile {
  std::string name;
  struct stat info {};
};

struct ObjectPage {
  std::vector<ListedFile> files;      ///< In byte order of their names.
  std::vector<std::string> prefixes;  ///< Likewise.
  std::string next;  ///< For `after` of the next page; empty: this is the last.
};

/// Lists a bucket's folder in byte order of the whole names. Folders that the
/// query excludes are not read, nor, with delimiter "/", those below the
/// prefixes. Of the other folders, one at a time is held in memory. Links count
/// if they lead to a file of the bucket. A folder that vanishes meanwhile is
/// empty. Each entry that is read is counted by UseInCall, whose errors end the
/// listing.
///
/// `is_placeholder` returns whether a folder, given by its name with '/' at the
/// end, is an object itself.
absl::StatusOr<ObjectPage> ListObjects(
    const ConfinedFolder& root, const ListQuery& query,
    const std::function<bool(const std::string& name, const struct stat& info)>&
        is_placeholder);

}  // namespace vernier

#endif  // VERNIER_BUCKETS_OBJECT_LISTING_H_
