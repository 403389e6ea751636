#include "buckets/bucket_store.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "buckets/bucket_name.h"
#include "study/status_macros.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOwnersOnly = 0700;

bool IsFolder(const std::string& path) {
  struct stat info;
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

absl::Status NoBucket(const std::string& name) {
  return absl::NotFoundError(
      absl::StrCat("The specified bucket does not exist: ", name));
}

}  // namespace

absl::StatusOr<std::pair<std::string, std::string>> ParseBucketMapping(
    const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat("must be NAME=PATH: ", text));
  }
  const std::string name = text.substr(0, equals);
  VERNIER_RETURN_IF_ERROR(CheckBucketName(name));
  std::string path = text.substr(equals + 1);
  if (path.empty() || path.front() != '/') {
    return absl::InvalidArgumentError(
        absl::StrCat("a bucket's folder must be an absolute path: ", text));
  }
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return std::make_pair(name, path);
}

absl::StatusOr<std::unique_ptr<BucketStore>> BucketStore::Open(
    BucketStoreOptions options, const Clock& clock) {
  if (::mkdir(options.root.c_str(), kOwnersOnly) != 0 && errno != EEXIST) {
    return FileError(errno, options.root);
  }
  std::unique_ptr<BucketStore> store(
      new BucketStore(std::move(options), clock));
  for (const auto& [name, folder] : store->options_.mapped) {
    const auto bucket = store->Find(name);
    if (bucket.ok()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("bucket ", name, " cannot be the folder ", folder, ": ",
                     std::string(bucket.status().message())));
  }
  return store;
}

std::string BucketStore::FolderOf(const std::string& name) const {
  const auto mapped = options_.mapped.find(name);
  return mapped != options_.mapped.end()
             ? mapped->second
             : absl::StrCat(options_.root, "/", name);
}

absl::StatusOr<BucketStore::BucketPtr> BucketStore::FindLocked(
    const std::string& name) {
  VERNIER_RETURN_IF_ERROR(CheckBucketName(name));
  const std::string folder = FolderOf(name);
  const bool is_mapped = options_.mapped.count(name) > 0;
  const auto found = open_.find(name);
  // A folder of ours that somebody has removed is no bucket any more.
  if (!is_mapped && !IsFolder(folder)) {
    if (found != open_.end()) open_.erase(found);
    return NoBucket(name);
  }
  if (found != open_.end()) return found->second;
  VERNIER_ASSIGN_OR_RETURN(
      BucketPtr bucket, Bucket::Open(name, folder, clock_, options_.make_id));
  open_[name] = bucket;
  return bucket;
}

absl::StatusOr<BucketStore::BucketPtr> BucketStore::Find(
    const std::string& name) {
  MutexLock lock(mu_);
  return FindLocked(name);
}

absl::StatusOr<BucketStore::BucketPtr> BucketStore::Create(
    const std::string& name) {
  VERNIER_RETURN_IF_ERROR(CheckBucketName(name));
  MutexLock lock(mu_);
  const std::string folder = FolderOf(name);
  if (options_.mapped.count(name) > 0 ||
      (::mkdir(folder.c_str(), kOwnersOnly) != 0 && errno == EEXIST)) {
    return absl::AlreadyExistsError(
        absl::StrCat("The bucket exists already: ", name));
  }
  if (!IsFolder(folder)) return FileError(errno, folder);
  VERNIER_ASSIGN_OR_RETURN(const ConfinedFolder root,
                           ConfinedFolder::Open(options_.root));
  if (::fsync(root.fd()) != 0) return FileError(errno, folder);
  return FindLocked(name);
}

absl::StatusOr<BucketStore::BucketPtr> BucketStore::FindOrCreate(
    const std::string& name) {
  auto bucket = Find(name);
  if (!absl::IsNotFound(bucket.status())) return bucket;
  bucket = Create(name);
  return absl::IsAlreadyExists(bucket.status()) ? Find(name) : bucket;
}

absl::Status BucketStore::Remove(const std::string& name) {
  MutexLock lock(mu_);
  VERNIER_ASSIGN_OR_RETURN(const BucketPtr bucket, FindLocked(name));
  if (options_.mapped.count(name) > 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("the bucket is a folder that an administrator mapped and "
                     "cannot be deleted: ",
                     name));
  }
  VERNIER_RETURN_IF_ERROR(bucket->Close());
  open_.erase(name);
  std::error_code error;
  fs::remove_all(bucket->folder(), error);
  if (error) {
    return absl::UnavailableError(absl::StrCat(
        "cannot remove the bucket's folder: ", name, ": ", error.message()));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<BucketStore::BucketPtr>> BucketStore::List() {
  std::set<std::string> names;
  for (const auto& [name, folder] : options_.mapped) names.insert(name);
  std::error_code error;
  fs::directory_iterator entry(options_.root, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (CheckBucketName(name).ok()) names.insert(std::move(name));
  }
  if (error) return FileError(error.value(), options_.root);
  std::vector<BucketPtr> buckets;
  for (const std::string& name : names) {
    auto bucket = Find(name);
    if (bucket.ok()) buckets.push_back(*std::move(bucket));
  }
  return buckets;
}

absl::StatusOr<std::string> BucketStore::LocalPath(const std::string& uri) {
  VERNIER_ASSIGN_OR_RETURN(const ObjectUri parsed, ParseObjectUri(uri));
  VERNIER_ASSIGN_OR_RETURN(const BucketPtr bucket, Find(parsed.bucket));
  if (parsed.object.empty()) return bucket->folder();
  return absl::StrCat(bucket->folder(), "/", parsed.object);
}

}  // namespace vernier
