#ifndef VERNIER_BUCKETS_BUCKET_H_
#define VERNIER_BUCKETS_BUCKET_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/unique_fd.h"
#include "buckets/bucket_ledger.h"
#include "buckets/confined_folder.h"
#include "buckets/metadata_files.h"
#include "buckets/object_listing.h"
#include "buckets/object_metadata.h"
#include "buckets/resumable_uploads.h"
#include "buckets/staged_file.h"

namespace vernier {

/// An object that is open for reading. Its bytes do not change, even if its
/// name is reused or removed.
struct OpenObject {
  UniqueFd file;
  ObjectMetadata metadata;
};

/// A page of a listing, with metadata.
struct ObjectMetadataPage {
  std::vector<ObjectMetadata> objects;
  std::vector<std::string> prefixes;
  std::string next;
};

/// A folder of plain files as a bucket of objects. Files that programs write
/// into the folder directly are objects, too. Thread-safe.
///
/// Errors of all methods that take an object's name: INVALID_ARGUMENT for a
/// malformed name; ABORTED if a precondition does not hold; FAILED_PRECONDITION
/// if an object's name is a folder, or the reverse, or leads out through a
/// link; RESOURCE_EXHAUSTED for a full disk or a project's quota; NOT_FOUND.
class Bucket {
 public:
  /// Returns 32 hex digits that cannot be guessed.
  using MakeId = std::function<std::string()>;

  /// Removes the remains of uploads after a crash. `folder` is absolute and
  /// exists. Every write takes its bytes from `room` first. Borrows `clock`.
  static absl::StatusOr<std::unique_ptr<Bucket>> Open(std::string name,
                                                      const std::string& folder,
                                                      BucketRoom room,
                                                      const Clock& clock,
                                                      MakeId make_id);

  const std::string& name() const { return name_; }
  const std::string& folder() const { return root_.path(); }
  Timestamp created() const { return created_; }

  /// Reads the whole file to compute its checksums if they are not known yet.
  absl::StatusOr<ObjectMetadata> Stat(const std::string& name);
  absl::StatusOr<OpenObject> OpenObjectToRead(const std::string& name);
  absl::StatusOr<ObjectMetadataPage> List(const ListQuery& query);

  /// Returns an empty file for an object's bytes. RESOURCE_EXHAUSTED if there
  /// is no room for the `expected` bytes; 0 if their number is unknown.
  absl::StatusOr<StagedFile> Stage(std::int64_t expected = 0);
  /// Returns RESOURCE_EXHAUSTED unless there is room for this many bytes now.
  absl::Status CheckRoom(std::int64_t bytes) const;
  /// Makes the staged file an object: durable, and in one step for readers. The
  /// file must not be used afterwards. INVALID_ARGUMENT if its checksums are
  /// not the expected ones.
  absl::StatusOr<ObjectMetadata> Publish(StagedFile& file,
                                         const ObjectWrite& write);
  /// Changes attributes; `change` is called with the current ones.
  absl::StatusOr<ObjectMetadata> Patch(
      const std::string& name, const Preconditions& preconditions,
      const std::function<absl::Status(ObjectAttributes*)>& change);
  absl::Status Remove(const std::string& name,
                      const Preconditions& preconditions);

  /// Makes a folder for programs, with its parents; it is not an object. "" and
  /// a '/' at the end are allowed.
  absl::Status MakeFolder(const std::string& name);

  ResumableUploads& uploads() { return uploads_; }
  /// Removes the files of abandoned uploads.
  void Sweep();

  /// Refuses all later writes. FAILED_PRECONDITION, and nothing happens, unless
  /// the bucket is empty.
  absl::Status Close();

 private:
  struct Found {
    UniqueFd file;
    FileStamp stamp;
    ObjectMetadata metadata;
  };

  Bucket(std::string name, ConfinedFolder root, BucketRoom room,
         const Clock& clock, MakeId make_id);

  absl::StatusOr<Found> Find(const std::string& name) const;
  ObjectMetadata MetadataOf(const std::string& name,
                            const struct stat& info) const;
  bool IsPlaceholder(const std::string& name, const struct stat& info) const;
  absl::Status AddHashes(const std::string& name, Found* found);
  absl::Status PlaceFile(StagedFile& file, const ObjectMetadata& metadata,
                         const std::optional<FileStamp>& current);
  absl::Status PlaceFolder(StagedFile& file, const ObjectMetadata& metadata);
  Mutex& LockOf(const std::string& name);

  const std::string name_;
  const ConfinedFolder root_;
  const BucketRoom room_;
  const Clock& clock_;    // Thread-safe.
  const MakeId make_id_;  // Thread-safe.
  Timestamp created_;     // Constant after Open.
  MetadataFiles metadata_files_;
  ResumableUploads uploads_;  // Does its own locking.
  // Shared by writers, and held exclusively to close.
  std::shared_mutex closing_;
  bool is_closed_ = false;  // Under closing_.
  // Held from reading an object's state to replacing it. The object's name
  // selects the lock.
  std::array<Mutex, 64> locks_;
};

}  // namespace vernier

#endif  // VERNIER_BUCKETS_BUCKET_H_
