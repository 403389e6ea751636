#ifndef VERNIER_BUCKETS_METADATA_FILES_H_
#define VERNIER_BUCKETS_METADATA_FILES_H_

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "buckets/confined_folder.h"
#include "buckets/object_metadata.h"

namespace vernier {

/// Identifies one state of a file's bytes, because a program may rewrite the
/// file after its metadata was stored.
struct FileStamp {
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified = 0;  ///< Nanoseconds since the epoch.

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// For a folder only the inode counts, since its entries change.
FileStamp StampOf(const struct stat& info);

/// Stores the metadata of a bucket's objects in small files below
/// kReservedFolder, one for each object. Metadata is valid only for a file with
/// the same stamp, so the order of the two writes does not matter: Put also
/// keeps the previous metadata until the next Put. Thread-safe, except for two
/// writes of one object at once.
class MetadataFiles {
 public:
  /// Borrows `root`, the bucket's folder.
  explicit MetadataFiles(const ConfinedFolder& root) : root_(root) {}

  /// Returns the metadata of object `name`, whose file has this stamp, without
  /// its name and size. Null if none is stored, or only that of other bytes.
  std::optional<ObjectMetadata> Get(const std::string& name,
                                    const FileStamp& stamp) const;

  /// Stores the metadata, synced. `current` is the stamp of the object's
  /// current file, whose metadata is kept, too.
  absl::Status Put(const std::string& name, const ObjectMetadata& metadata,
                   const FileStamp& stamp,
                   const std::optional<FileStamp>& current);

  /// Removes everything stored about `name`.
  absl::Status Remove(const std::string& name);

 private:
  const ConfinedFolder& root_;
};

}  // namespace vernier

#endif  // VERNIER_BUCKETS_METADATA_FILES_H_
