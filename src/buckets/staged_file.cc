#include "buckets/staged_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr std::size_t kPieceBytes = 256 << 10;
// After this many bytes the kernel is told to write to the disk while more come
// in, so that the sync at the end has little left to do.
constexpr std::int64_t kWritebackBytes = 8 << 20;

using Piece = std::array<char, kPieceBytes>;

}  // namespace

absl::StatusOr<StagedFile> StagedFile::Create(const ConfinedFolder& root,
                                              const std::string& path,
                                              const BucketRoom& room) {
  VERNIER_RETURN_IF_ERROR(
      root.MakeFolder(SplitAtLastSlash(path).folder).status());
  constexpr mode_t kAsTheUmaskSays = 0666;
  VERNIER_ASSIGN_OR_RETURN(
      UniqueFd fd,
      root.OpenFile(path, O_RDWR | O_CREAT | O_EXCL, kAsTheUmaskSays));
  // A sweep after a crash leaves locked files alone, but it may have found this
  // one before it was locked.
  struct stat info {};
  const bool is_swept =
      (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) ||
      (::fstat(fd.get(), &info) == 0 && info.st_nlink == 0);
  if (is_swept) {
    return absl::UnavailableError(
        "the upload was swept up as it began; try again");
  }
  return StagedFile(root, path, std::move(fd), room);
}

absl::StatusOr<StagedFile> StagedFile::Reopen(const ConfinedFolder& root,
                                              const std::string& path,
                                              std::int64_t size,
                                              const BucketRoom& room) {
  VERNIER_ASSIGN_OR_RETURN(UniqueFd fd, root.OpenFile(path, O_RDWR));
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return FileError(errno, path);
  StagedFile file(root, path, std::move(fd), room);
  if (::ftruncate(file.fd(), size) != 0) return FileError(errno, path);
  // The room for these bytes was taken before.
  file.taken_ = size;
  if (info.st_size > size) room.GiveBack({info.st_size - size, 0});
  VERNIER_RETURN_IF_ERROR(file.HashAll());
  if (file.size_ != size || ::lseek(file.fd(), size, SEEK_SET) != size) {
    return absl::DataLossError("a staged file is shorter than it was: " + path);
  }
  return file;
}

StagedFile::~StagedFile() {
  // If it was moved from, kept or published, there is nothing to remove.
  if (path_.empty() || !fd_.is_open()) return;
  root_->RemoveFile(path_).IgnoreError();
  room_->GiveBack({taken_, 0});
}

absl::Status StagedFile::Take(std::int64_t bytes) {
  VERNIER_RETURN_IF_ERROR(room_->Take(fd_.get(), {bytes, 0}));
  taken_ += bytes;
  return absl::OkStatus();
}

absl::Status StagedFile::Append(std::string_view data) {
  VERNIER_RETURN_IF_ERROR(Take(static_cast<std::int64_t>(data.size())));
  hasher_.Update(data);
  VERNIER_RETURN_IF_ERROR(WriteFully(fd_.get(), data));
  size_ += static_cast<std::int64_t>(data.size());
  StartWriteback();
  return absl::OkStatus();
}

void StagedFile::StartWriteback() {
  if (size_ - written_back_ < kWritebackBytes) return;
  // This only starts the write; an error shows in the sync at the end.
  ::sync_file_range(fd_.get(), written_back_, size_ - written_back_,
                    SYNC_FILE_RANGE_WRITE);
  written_back_ = size_;
}

absl::Status StagedFile::AppendFile(int source, std::int64_t size) {
  const auto piece = std::make_unique<Piece>();
  std::int64_t offset = 0;
  while (offset < size) {
    const auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(
        size - offset, static_cast<std::int64_t>(kPieceBytes)));
    const ssize_t n = ::pread(source, piece->data(), wanted, offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileError(errno, "cannot read an object");
    if (n == 0)
      return absl::AbortedError("an object was cut while it was read");
    VERNIER_RETURN_IF_ERROR(
        Append(std::string_view(piece->data(), static_cast<std::size_t>(n))));
    offset += n;
  }
  return absl::OkStatus();
}

absl::Status StagedFile::CopyFile(int source, std::int64_t size,
                                  const std::optional<ObjectHashes>& hashes) {
  if (!hashes) return AppendFile(source, size);
  VERNIER_RETURN_IF_ERROR(Take(size));
  loff_t from = 0;
  while (from < size) {
    const ssize_t n =
        ::copy_file_range(source, &from, fd_.get(), nullptr,
                          static_cast<std::size_t>(size - from), 0);
    if (n < 0 && errno == EINTR) continue;
    // Some kernels cannot copy between two file systems.
    if (n < 0 && from == 0) {
      room_->GiveBack({size, 0});
      taken_ -= size;
      return AppendFile(source, size);
    }
    if (n < 0) return FileError(errno, "cannot copy an object");
    if (n == 0)
      return absl::AbortedError("an object was cut while it was read");
  }
  size_ = size;
  known_hashes_ = hashes;
  return absl::OkStatus();
}

absl::Status StagedFile::HashAll() {
  const auto piece = std::make_unique<Piece>();
  while (true) {
    const ssize_t n = ::pread(fd_.get(), piece->data(), piece->size(), size_);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileError(errno, "cannot read a staged file");
    if (n == 0) return absl::OkStatus();
    hasher_.Update(
        std::string_view(piece->data(), static_cast<std::size_t>(n)));
    size_ += n;
  }
}

absl::Status StagedFile::Sync() {
  if (::fsync(fd_.get()) != 0) return FileError(errno, "cannot sync");
  return absl::OkStatus();
}

ObjectHashes StagedFile::Hashes() const {
  return known_hashes_ ? *known_hashes_ : hasher_.Value();
}

absl::Status StagedFile::Publish(int folder, const std::string& name) {
  const SplitName split = SplitAtLastSlash(path_);
  VERNIER_ASSIGN_OR_RETURN(const UniqueFd parent,
                           root_->OpenFolder(split.folder));
  // The bytes are synced already. A rename replaces the old object in one step,
  // and the sync of the folder below makes it durable.
  if (::renameat(parent.get(), split.file.c_str(), folder, name.c_str()) != 0) {
    return FileError(errno, name);
  }
  path_.clear();
  // The object needs no lock against a sweep any more.
  ::flock(fd_.get(), LOCK_UN);
  if (::fsync(folder) != 0) return FileError(errno, name);
  return absl::OkStatus();
}

}  // namespace vernier
