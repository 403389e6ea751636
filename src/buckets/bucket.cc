#include "buckets/bucket.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "buckets/bucket_name.h"
#include "buckets/reserved_inode.h"

namespace vernier {
namespace {

std::string StagingFolder() {
  return std::string(kReservedFolder) + "/staging";
}

// Removes the files of uploads whose service was killed. Another service on the
// same folder locks the files that it is writing.
void SweepStaging(const ConfinedFolder& root) {
  auto folder = root.OpenFolder(StagingFolder());
  if (!folder.ok()) return;
  const FolderStream dir = EntriesOf(*std::move(folder));
  if (dir == nullptr) return;
  while (const dirent* entry = ::readdir(dir.get())) {
    const auto file =
        root.OpenFile(absl::StrCat(StagingFolder(), "/", entry->d_name),
                      O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!file.ok() || ::flock(file->get(), LOCK_EX | LOCK_NB) != 0) continue;
    ::unlinkat(::dirfd(dir.get()), entry->d_name, 0);
  }
}

Timestamp BirthOf(int fd) {
  struct statx info {};
  constexpr unsigned kWanted = STATX_BTIME | STATX_MTIME;
  ::statx(fd, "", AT_EMPTY_PATH, kWanted, &info);
  const statx_timestamp& time =
      (info.stx_mask & STATX_BTIME) != 0 ? info.stx_btime : info.stx_mtime;
  return Timestamp(std::chrono::seconds(time.tv_sec) +
                   std::chrono::microseconds(time.tv_nsec / 1000));
}

bool IsFolderName(const std::string& name) { return name.back() == '/'; }

std::string WithoutSlash(const std::string& name) {
  return IsFolderName(name) ? name.substr(0, name.size() - 1) : name;
}

std::int64_t MicrosecondsOf(Timestamp time) {
  return time.time_since_epoch().count();
}

absl::Status CheckHash(const char* field, const std::string& expected,
                       const std::string& actual) {
  if (expected.empty() || expected == actual) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the bytes that came have another ", field, " than the ",
                   "sender says: ", actual, ", not ", expected));
}

absl::Status NoObject(const std::string& bucket, const std::string& name) {
  return absl::NotFoundError(
      absl::StrCat("No such object: ", bucket, "/", name));
}

// Returns how many folders ConfinedFolder::MakeFolder would make.
std::int64_t MissingFolders(const ConfinedFolder& root,
                            const std::string& name) {
  std::int64_t missing = 0;
  for (std::string path = name; !path.empty();
       path = SplitAtLastSlash(path).folder) {
    if (!absl::IsNotFound(root.OpenFolder(path).status())) break;
    ++missing;
  }
  return missing;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Bucket>> Bucket::Open(std::string name,
                                                     const std::string& folder,
                                                     BucketRoom room,
                                                     const Clock& clock,
                                                     MakeId make_id) {
  VERNIER_ASSIGN_OR_RETURN(ConfinedFolder root, ConfinedFolder::Open(folder));
  // This reports an unreadable folder at the start, and not only at the first
  // upload.
  VERNIER_RETURN_IF_ERROR(root.OpenFolder("").status());
  std::unique_ptr<Bucket> bucket(new Bucket(std::move(name), std::move(root),
                                            std::move(room), clock,
                                            std::move(make_id)));
  bucket->created_ = BirthOf(bucket->root_.fd());
  bucket->Sweep();
  return bucket;
}

void Bucket::Sweep() {
  SweepStaging(root_);
  uploads_.Sweep();
}

Bucket::Bucket(std::string name, ConfinedFolder root, BucketRoom room,
               const Clock& clock, MakeId make_id)
    : name_(std::move(name)),
      root_(std::move(root)),
      room_(std::move(room)),
      clock_(clock),
      make_id_(std::move(make_id)),
      metadata_files_(root_),
      uploads_(root_, clock, room_, make_id_) {}

Mutex& Bucket::LockOf(const std::string& name) {
  return locks_[std::hash<std::string>()(name) % locks_.size()];
}

ObjectMetadata Bucket::MetadataOf(const std::string& name,
                                  const struct stat& info) const {
  auto metadata = metadata_files_.Get(name, StampOf(info));
  if (!metadata) {
    // A program has written this file, or changed it since its metadata was
    // stored.
    metadata.emplace();
    metadata->created =
        Timestamp(std::chrono::seconds(info.st_mtim.tv_sec) +
                  std::chrono::microseconds(info.st_mtim.tv_nsec / 1000));
    metadata->updated = metadata->created;
    metadata->generation =
        std::max<std::int64_t>(1, MicrosecondsOf(metadata->created));
  }
  metadata->name = name;
  metadata->size = S_ISDIR(info.st_mode) ? 0 : info.st_size;
  return *std::move(metadata);
}

bool Bucket::IsPlaceholder(const std::string& name,
                           const struct stat& info) const {
  return metadata_files_.Get(name, StampOf(info)).has_value();
}

absl::StatusOr<Bucket::Found> Bucket::Find(const std::string& name) const {
  VERNIER_RETURN_IF_ERROR(CheckObjectName(name));
  auto file = IsFolderName(name) ? root_.OpenFolder(WithoutSlash(name))
                                 : root_.OpenToRead(name);
  if (absl::IsNotFound(file.status())) return NoObject(name_, name);
  if (!file.ok()) return file.status();
  Found found{*std::move(file), {}, {}};
  struct stat info;
  if (::fstat(found.file.get(), &info) != 0) return FileError(errno, name);
  if (IsFolderName(name) && !IsPlaceholder(name, info)) {
    return NoObject(name_, name);
  }
  if (IsReservedInode(root_, info)) return NoObject(name_, name);
  found.stamp = StampOf(info);
  found.metadata = MetadataOf(name, info);
  return found;
}

absl::Status Bucket::AddHashes(const std::string& name, Found* found) {
  if (found->metadata.hashes) return absl::OkStatus();
  ObjectHasher hasher;
  std::vector<char> piece(256 << 10);
  std::int64_t offset = 0;
  while (true) {
    const ssize_t n =
        ::pread(found->file.get(), piece.data(), piece.size(), offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileError(errno, name);
    if (n == 0) break;
    hasher.Update(std::string_view(piece.data(), static_cast<std::size_t>(n)));
    offset += n;
  }
  struct stat info;
  if (::fstat(found->file.get(), &info) != 0) return FileError(errno, name);
  // The file is being written right now, so any checksum would soon be wrong.
  if (StampOf(info) != found->stamp) return absl::OkStatus();
  found->metadata.hashes = hasher.Value();
  MutexLock lock(LockOf(name));
  const auto now = Find(name);
  if (!now.ok() || now->stamp != found->stamp || now->metadata.hashes) {
    return absl::OkStatus();
  }
  // Storing the checksums only saves the next reader the work, so a failure,
  // for instance in a read-only folder, is ignored.
  metadata_files_.Put(name, found->metadata, found->stamp, std::nullopt)
      .IgnoreError();
  return absl::OkStatus();
}

absl::StatusOr<ObjectMetadata> Bucket::Stat(const std::string& name) {
  VERNIER_ASSIGN_OR_RETURN(Found found, Find(name));
  VERNIER_RETURN_IF_ERROR(AddHashes(name, &found));
  return std::move(found.metadata);
}

absl::StatusOr<OpenObject> Bucket::OpenObjectToRead(const std::string& name) {
  VERNIER_ASSIGN_OR_RETURN(Found found, Find(name));
  return OpenObject{std::move(found.file), std::move(found.metadata)};
}

absl::StatusOr<ObjectMetadataPage> Bucket::List(const ListQuery& query) {
  VERNIER_ASSIGN_OR_RETURN(
      ObjectPage page,
      ListObjects(root_, query,
                  [this](const std::string& name, const struct stat& info) {
                    return IsPlaceholder(name, info);
                  }));
  ObjectMetadataPage result;
  result.prefixes = std::move(page.prefixes);
  result.next = std::move(page.next);
  for (const ListedFile& file : page.files) {
    result.objects.push_back(MetadataOf(file.name, file.info));
  }
  return result;
}

absl::Status Bucket::CheckRoom(std::int64_t bytes) const {
  return room_.Expect(root_.fd(), bytes);
}

absl::StatusOr<StagedFile> Bucket::Stage(std::int64_t expected) {
  VERNIER_RETURN_IF_ERROR(CheckRoom(expected));
  return StagedFile::Create(
      root_, absl::StrCat(StagingFolder(), "/", make_id_()), room_);
}

absl::StatusOr<ObjectMetadata> Bucket::Publish(StagedFile& file,
                                               const ObjectWrite& write) {
  VERNIER_RETURN_IF_ERROR(CheckObjectName(write.name));
  VERNIER_RETURN_IF_ERROR(CheckAttributes(write.attributes));
  const ObjectHashes hashes = file.Hashes();
  VERNIER_RETURN_IF_ERROR(
      CheckHash("crc32c", write.expected.crc32c, hashes.crc32c));
  VERNIER_RETURN_IF_ERROR(CheckHash("md5Hash", write.expected.md5, hashes.md5));
  // The bytes are synced first, without a lock, because this takes longest.
  VERNIER_RETURN_IF_ERROR(file.Sync());
  const std::shared_lock<std::shared_mutex> open(closing_);
  if (is_closed_) return absl::NotFoundError("No such bucket: " + name_);
  MutexLock lock(LockOf(write.name));
  const auto current = Find(write.name);
  const bool exists = current.ok();
  if (!exists && !absl::IsNotFound(current.status())) return current.status();
  VERNIER_RETURN_IF_ERROR(CheckPreconditions(
      write.preconditions, exists ? &current->metadata : nullptr));
  ObjectMetadata metadata;
  metadata.name = write.name;
  metadata.size = file.size();
  metadata.created = clock_.Now();
  metadata.updated = metadata.created;
  metadata.generation =
      std::max(MicrosecondsOf(metadata.created),
               exists ? current->metadata.generation + 1 : std::int64_t{1});
  metadata.hashes = hashes;
  metadata.attributes = write.attributes;
  const auto stamp =
      exists ? std::optional(current->stamp) : std::optional<FileStamp>();
  // A folder counts like an object, whether it is one or only leads to one.
  const bool is_folder = IsFolderName(write.name);
  const std::string folder = is_folder ? WithoutSlash(write.name)
                                       : SplitAtLastSlash(write.name).folder;
  const std::int64_t missing = MissingFolders(root_, folder);
  const BucketUse more{0, missing + (exists || is_folder ? 0 : 1)};
  VERNIER_RETURN_IF_ERROR(room_.Take(root_.fd(), more));
  const absl::Status placed = is_folder ? PlaceFolder(file, metadata)
                                        : PlaceFile(file, metadata, stamp);
  if (!placed.ok()) {
    // Parent folders that were made stay.
    const std::int64_t made = missing - MissingFolders(root_, folder);
    room_.GiveBack({0, more.objects - made});
    return placed;
  }
  if (exists) room_.GiveBack({current->metadata.size, 0});
  return metadata;
}

absl::Status Bucket::PlaceFile(StagedFile& file, const ObjectMetadata& metadata,
                               const std::optional<FileStamp>& current) {
  const SplitName split = SplitAtLastSlash(metadata.name);
  VERNIER_ASSIGN_OR_RETURN(const UniqueFd parent,
                           root_.MakeFolder(split.folder));
  struct stat there;
  if (::fstatat(parent.get(), split.file.c_str(), &there,
                AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISDIR(there.st_mode)) {
    // A folder outlives the objects that were in it; an empty one does not
    // block the name.
    const absl::Status removed = root_.RemoveEmptyTree(metadata.name);
    if (!removed.ok()) {
      return absl::FailedPreconditionError(
          absl::StrCat("objects below ", metadata.name,
                       "/ are in the way: a bucket is a folder here, in which "
                       "a name is a file or a folder"));
    }
  }
  struct stat info;
  // The metadata is stored first: after a crash before the rename, the old file
  // still has its own, which Put keeps.
  if (::fstat(file.fd(), &info) != 0) return FileError(errno, metadata.name);
  VERNIER_RETURN_IF_ERROR(
      metadata_files_.Put(metadata.name, metadata, StampOf(info), current));
  return file.Publish(parent.get(), split.file);
}

absl::Status Bucket::PlaceFolder(StagedFile& file,
                                 const ObjectMetadata& metadata) {
  if (file.size() > 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("an object whose name ends with '/' stands for a folder "
                     "and must be empty: ",
                     metadata.name));
  }
  VERNIER_ASSIGN_OR_RETURN(const UniqueFd folder,
                           root_.MakeFolder(WithoutSlash(metadata.name)));
  struct stat info;
  if (::fstat(folder.get(), &info) != 0) return FileError(errno, metadata.name);
  return metadata_files_.Put(metadata.name, metadata, StampOf(info),
                             std::nullopt);
}

absl::StatusOr<ObjectMetadata> Bucket::Patch(
    const std::string& name, const Preconditions& preconditions,
    const std::function<absl::Status(ObjectAttributes*)>& change) {
  MutexLock lock(LockOf(name));
  VERNIER_ASSIGN_OR_RETURN(Found found, Find(name));
  ObjectMetadata& metadata = found.metadata;
  VERNIER_RETURN_IF_ERROR(CheckPreconditions(preconditions, &metadata));
  VERNIER_RETURN_IF_ERROR(change(&metadata.attributes));
  VERNIER_RETURN_IF_ERROR(CheckAttributes(metadata.attributes));
  ++metadata.metageneration;
  metadata.updated = std::max(clock_.Now(), metadata.updated);
  VERNIER_RETURN_IF_ERROR(
      metadata_files_.Put(name, metadata, found.stamp, std::nullopt));
  return std::move(metadata);
}

absl::Status Bucket::Remove(const std::string& name,
                            const Preconditions& preconditions) {
  MutexLock lock(LockOf(name));
  VERNIER_ASSIGN_OR_RETURN(const Found found, Find(name));
  VERNIER_RETURN_IF_ERROR(CheckPreconditions(preconditions, &found.metadata));
  if (!IsFolderName(name)) {
    VERNIER_RETURN_IF_ERROR(root_.RemoveFile(name));
  }
  VERNIER_RETURN_IF_ERROR(metadata_files_.Remove(name));
  // A folder with other objects in it stays, but is no longer an object itself.
  if (!IsFolderName(name) || root_.RemoveEmptyTree(WithoutSlash(name)).ok()) {
    room_.GiveBack({found.metadata.size, 1});
  }
  return absl::OkStatus();
}

absl::Status Bucket::MakeFolder(const std::string& name) {
  if (name.empty()) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(CheckObjectName(name));
  const std::shared_lock<std::shared_mutex> open(closing_);
  if (is_closed_) return absl::NotFoundError("No such bucket: " + name_);
  const std::string folder = WithoutSlash(name);
  const BucketUse missing{0, MissingFolders(root_, folder)};
  VERNIER_RETURN_IF_ERROR(room_.Take(root_.fd(), missing));
  const absl::Status made = root_.MakeFolder(folder).status();
  if (!made.ok()) room_.GiveBack({0, MissingFolders(root_, folder)});
  return made;
}

absl::Status Bucket::Close() {
  const std::unique_lock<std::shared_mutex> alone(closing_);
  ListQuery query;
  query.max_results = 1;
  VERNIER_ASSIGN_OR_RETURN(const ObjectMetadataPage page, List(query));
  if (!page.objects.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("The bucket you tried to delete is not empty: ", name_));
  }
  is_closed_ = true;
  return absl::OkStatus();
}

}  // namespace vernier
