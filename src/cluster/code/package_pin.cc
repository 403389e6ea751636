#include "cluster/code/package_pin.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/regular_file.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "buckets/bucket_name.h"
#include "buckets/sha256.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPieceBytes = 256 << 10;

absl::Status About(const std::string& uri, const absl::Status& status) {
  const bool is_mistaken =
      absl::IsNotFound(status) || absl::IsFailedPrecondition(status);
  return absl::Status(
      is_mistaken ? absl::StatusCode::kInvalidArgument : status.code(),
      absl::StrCat("trainingInput.packageUris: ", uri, ": ",
                   std::string(status.message())));
}

absl::StatusOr<UniqueFd> OpenInBucket(BucketStore& buckets,
                                      const std::string& uri,
                                      const std::string& project) {
  VERNIER_ASSIGN_OR_RETURN(const ObjectUri parsed, ParseObjectUri(uri));
  VERNIER_ASSIGN_OR_RETURN(
      const BucketStore::BucketPtr bucket,
      buckets.Find(parsed.bucket, BucketUser::Of(project), BucketRight::kRead));
  VERNIER_ASSIGN_OR_RETURN(OpenObject object,
                           bucket->OpenObjectToRead(parsed.object));
  return std::move(object.file);
}

absl::StatusOr<UniqueFd> OpenFile(const std::string& path) {
  RegularFile file = OpenRegularFile(path, O_RDONLY);
  if (file.is_other_kind) {
    return absl::InvalidArgumentError("is no regular file");
  }
  if (!file.fd.is_open()) {
    return absl::ErrnoToStatus(file.error, "cannot be read");
  }
  return std::move(file.fd);
}

}  // namespace

absl::StatusOr<UniqueFd> OpenPackage(BucketStore& buckets,
                                     const std::string& uri,
                                     const std::string& project) {
  auto file =
      IsBucketUri(uri) ? OpenInBucket(buckets, uri, project) : OpenFile(uri);
  if (!file.ok()) return About(uri, file.status());
  return file;
}

absl::StatusOr<std::string> CopyHashed(int source, const std::string& target,
                                       std::int64_t max_bytes) {
  const UniqueFd copy(::open(
      target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
      S_IRUSR | S_IWUSR));
  if (!copy.is_open()) return absl::ErrnoToStatus(errno, target);
  Sha256 hash;
  std::vector<char> piece(kPieceBytes);
  std::int64_t size = 0;
  while (true) {
    const ssize_t n = ::pread(source, piece.data(), piece.size(), size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return absl::ErrnoToStatus(errno, "cannot be read");
    if (n == 0) return hash.Hex();
    const auto count = static_cast<std::size_t>(n);
    size += n;
    if (size > max_bytes) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "packages may have ", kMaxPackageBytes >> 30, " GiB together"));
    }
    hash.Update({piece.data(), count});
    VERNIER_RETURN_IF_ERROR(WriteAll(copy.get(), piece.data(), count));
  }
}

std::string PinnedPackagePath(const std::string& folder,
                              const std::string& sha256,
                              const std::string& uri) {
  return absl::StrCat(folder, "/", sha256, "/", uri.substr(uri.rfind('/') + 1));
}

absl::StatusOr<PackageHashes> PinPackages(BucketStore& buckets,
                                          const JobSpec& spec,
                                          const std::string& project,
                                          const std::string& folder) {
  PackageHashes hashes;
  const std::string draft = folder + "/draft";
  std::int64_t room = kMaxPackageBytes;
  VERNIER_RETURN_IF_ERROR(MakeDirectories(folder));
  for (const std::string& uri : spec.training_input.package_uris) {
    VERNIER_ASSIGN_OR_RETURN(const UniqueFd source,
                             OpenPackage(buckets, uri, project));
    auto hash = CopyHashed(source.get(), draft, room);
    if (!hash.ok()) return About(uri, hash.status());
    struct stat info {};
    if (::stat(draft.c_str(), &info) == 0) room -= info.st_size;
    const std::string path = PinnedPackagePath(folder, *hash, uri);
    VERNIER_RETURN_IF_ERROR(MakeDirectories(fs::path(path).parent_path()));
    if (::rename(draft.c_str(), path.c_str()) != 0) {
      return absl::ErrnoToStatus(errno, path);
    }
    // If a package is named twice, it may have changed in between.
    const auto [known, is_new] = hashes.emplace(uri, *hash);
    if (!is_new && known->second != *hash) {
      return absl::AbortedError(absl::StrCat("trainingInput.packageUris: ", uri,
                                             " changed while it was read"));
    }
  }
  VERNIER_RETURN_IF_ERROR(SyncFileSystem(folder));
  return hashes;
}

std::string JobRunDirOf(const std::string& attempt_run_dir) {
  // The path ends with JOB/TRIAL/ATTEMPT.
  return fs::path(attempt_run_dir).parent_path().parent_path();
}

std::string PackageDirOf(const std::string& job_run_dir, int code_version) {
  return code_version == 1
             ? job_run_dir + "/packages"
             : absl::StrCat(job_run_dir, "/packages-", code_version);
}

std::string PinnedFolder(const std::string& job_run_dir) {
  return job_run_dir + "/pinned-packages";
}

}  // namespace vernier
