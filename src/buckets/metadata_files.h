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

/// Tells one state of a file's bytes from others: a program may have rewritten
/// the file since its metadata was stored.
struct FileStamp {
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified = 0;  ///< Nanoseconds since the epoch.

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// Of a folder only the inode counts: its entries come and go.
FileStamp StampOf(const struct stat& info);

/// Remembers the metadata of a bucket's objects in small files of its own, one
/// an object, below kReservedFolder. What is stored counts only for a file with
/// the same stamp, so the order of the two writes does not matter: Put keeps
/// the previous metadata, too, until the next Put. Thread-safe, but for two
/// writes of one object at once.
class MetadataFiles {
 public:
  /// Borrows `root`, the bucket's folder.
  explicit MetadataFiles(const ConfinedFolder& root) : root_(root) {}

  /// The metadata of object `name`, whose file has this stamp; its name and
  /// size are left out. Null if none is stored, or that of other bytes.
  std::optional<ObjectMetadata> Get(const std::string& name,
                                    const FileStamp& stamp) const;

  /// Stores it, synced. `current` is the stamp of the object's present file;
  /// what is stored for that one is kept.
  absl::Status Put(const std::string& name, const ObjectMetadata& metadata,
                   const FileStamp& stamp,
                   const std::optional<FileStamp>& current);

  /// Forgets all there is on `name`.
  absl::Status Remove(const std::string& name);

 private:
  const ConfinedFolder& root_;
};

}  // namespace vernier

#endif  // VERNIER_BUCKETS_METADATA_FILES_H_
