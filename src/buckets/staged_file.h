#ifndef VERNIER_BUCKETS_STAGED_FILE_H_
#define VERNIER_BUCKETS_STAGED_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "buckets/bucket_ledger.h"
#include "buckets/confined_folder.h"
#include "buckets/object_hash.h"

namespace vernier {

/// A file that will become an object: it is written below kReservedFolder, on
/// its bucket's file system, and hashed while it is written. It is removed with
/// this C++ object, unless it was published or kept. Not thread-safe: one
/// upload owns it.
class StagedFile {
 public:
  /// Makes the file; `path` is new. Borrows `root`, the bucket's folder, and
  /// `room`. Each byte is taken from `room` before it is written, and given
  /// back if the file is removed.
  static absl::StatusOr<StagedFile> Create(const ConfinedFolder& root,
                                           const std::string& path,
                                           const BucketRoom& room);
  /// Opens a file that was kept, cuts it to its first `size` bytes, and reads
  /// it.
  static absl::StatusOr<StagedFile> Reopen(const ConfinedFolder& root,
                                           const std::string& path,
                                           std::int64_t size,
                                           const BucketRoom& room);
  StagedFile(StagedFile&&) noexcept = default;
  StagedFile& operator=(StagedFile&&) = delete;
  ~StagedFile();

  /// Returns RESOURCE_EXHAUSTED if there is no room or the disk is full; the
  /// file must not be used then.
  absl::Status Append(std::string_view data);
  /// Appends `size` bytes of another file.
  absl::Status AppendFile(int source, std::int64_t size);
  /// Makes the file, which must be empty, a copy of `source`; it shares the
  /// blocks if the file system can. `hashes` are those of the source, if known.
  absl::Status CopyFile(int source, std::int64_t size,
                        const std::optional<ObjectHashes>& hashes);

  absl::Status Sync();
  std::int64_t size() const { return size_; }
  ObjectHashes Hashes() const;
  int fd() const { return fd_.get(); }

  /// Moves the file to `name` in `folder`, in one step, replacing any file
  /// there.
  absl::Status Publish(int folder, const std::string& name);
  /// Leaves the file where it is.
  void Keep() { path_.clear(); }

 private:
  StagedFile(const ConfinedFolder& root, std::string path, UniqueFd fd,
             const BucketRoom& room)
      : root_(&root),
        room_(&room),
        path_(std::move(path)),
        fd_(std::move(fd)) {}

  absl::Status Take(std::int64_t bytes);
  absl::Status HashAll();
  void StartWriteback();

  const ConfinedFolder* root_;
  const BucketRoom* room_;
  std::int64_t taken_ = 0;  // From room_.
  std::string path_;        // Empty: not to be removed.
  UniqueFd fd_;
  std::int64_t size_ = 0;
  std::int64_t written_back_ = 0;
  ObjectHasher hasher_;
  std::optional<ObjectHashes> known_hashes_;
};

}  // namespace vernier

#endif  // VERNIER_BUCKETS_STAGED_FILE_H_
