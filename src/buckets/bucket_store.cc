#include "buckets/bucket_store.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "buckets/bucket_name.h"
#include "study/job_id.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOwnersOnly = 0700;
// Each open bucket holds a descriptor; see CloseIdle.
constexpr std::size_t kMostOpen = 128;

bool IsFolder(const std::string& path) {
  struct stat info;
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

absl::Status NoBucket(const std::string& name) {
  return absl::NotFoundError(
      absl::StrCat("The specified bucket does not exist: ", name));
}

absl::Status Lacks(const std::string& name, BucketRight needed,
                   const BucketUser& user) {
  return absl::PermissionDeniedError(
      needed == BucketRight::kOwn
          ? absl::StrCat("bucket ", name, " is not project ", user.project(),
                         "'s: only its own project deletes it")
          : absl::StrCat("bucket ", name, " is lent to project ",
                         user.project(),
                         " for reading only; an administrator can lend it for "
                         "writing (vernier buckets share)"));
}

absl::Status NotTheirs(const std::string& name, const std::string& project) {
  return absl::PermissionDeniedError(
      absl::StrCat("bucket ", name, " is another project's than ", project,
                   ": choose another name, or have an administrator share it "
                   "(vernier buckets share)"));
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
  VERNIER_ASSIGN_OR_RETURN(
      store->policies_, BucketPolicies::Open(store->options_.root,
                                             [&store](const std::string& name) {
                                               return store->Exists(name);
                                             }));
  for (const auto& [name, folder] : store->options_.mapped) {
    const auto bucket =
        store->Find(name, BucketUser::Administrator(), BucketRight::kRead);
    if (bucket.ok()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("bucket ", name, " cannot be the folder ", folder, ": ",
                     std::string(bucket.status().message())));
  }
  return store;
}

BucketStore::BucketStore(BucketStoreOptions options, const Clock& clock)
    : options_(std::move(options)),
      clock_(clock),
      ledger_(
          {[this](const std::string& bucket) {
             const auto policy = policies_->Get(bucket);
             return policy.ok() ? policy->project : "";
           },
           [this](const std::string& project) { return CountedOf(project); },
           options_.quota_of},
          clock) {}

std::vector<BucketLedger::Counted> BucketStore::CountedOf(
    const std::string& project) {
  std::vector<BucketLedger::Counted> counted;
  std::error_code error;
  fs::directory_iterator entry(options_.root, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!CheckBucketName(name).ok() || options_.mapped.count(name) > 0) {
      continue;
    }
    const auto policy = policies_->Get(name);
    if (!policy.ok() || policy->project != project) continue;
    counted.push_back({name, FolderOf(name)});
  }
  return counted;
}

// Closes idle buckets: each open bucket holds a descriptor, and there may be
// very many buckets.
void BucketStore::CloseIdle() {
  for (auto each = open_.begin();
       each != open_.end() && open_.size() > kMostOpen;) {
    // Requests that still use a bucket keep it; new ones cannot reach it.
    each = each->second.use_count() == 1 ? open_.erase(each) : std::next(each);
  }
}

void BucketStore::Sweep() {
  const auto buckets = List(BucketUser::Administrator());
  if (!buckets.ok()) return;
  for (const Listed& each : *buckets) each.bucket->Sweep();
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
  // An unmapped folder that somebody has removed is no longer a bucket.
  if (!is_mapped && !IsFolder(folder)) {
    if (found != open_.end()) open_.erase(found);
    return NoBucket(name);
  }
  if (found != open_.end()) return found->second;
  VERNIER_ASSIGN_OR_RETURN(
      BucketPtr bucket,
      Bucket::Open(name, folder,
                   BucketRoom(is_mapped ? nullptr : &ledger_, name), clock_,
                   options_.make_id));
  CloseIdle();
  open_[name] = bucket;
  return bucket;
}

bool BucketStore::Exists(const std::string& name) const {
  return options_.mapped.count(name) > 0 || IsFolder(FolderOf(name));
}

absl::Status BucketStore::CheckRight(const std::string& name,
                                     const BucketUser& user,
                                     BucketRight needed) const {
  if (user.is_administrator()) return absl::OkStatus();
  // A bucket that does not exist has no policy.
  if (!Exists(name)) return NoBucket(name);
  VERNIER_ASSIGN_OR_RETURN(const BucketPolicy policy, policies_->Get(name));
  const BucketRight right = RightOf(policy, user);
  if (right == BucketRight::kNone) return NoBucket(name);
  return right >= needed ? absl::OkStatus() : Lacks(name, needed, user);
}

absl::StatusOr<BucketStore::BucketPtr> BucketStore::Find(
    const std::string& name, const BucketUser& user, BucketRight needed) {
  VERNIER_RETURN_IF_ERROR(CheckBucketName(name));
  MutexLock lock(mu_);
  VERNIER_RETURN_IF_ERROR(CheckRight(name, user, needed));
  return FindLocked(name);
}

absl::Status BucketStore::MakeFolder(const std::string& name) {
  const std::string folder = FolderOf(name);
  if (::mkdir(folder.c_str(), kOwnersOnly) != 0) {
    return FileError(errno, folder);
  }
  VERNIER_ASSIGN_OR_RETURN(const ConfinedFolder root,
                           ConfinedFolder::Open(options_.root));
  if (::fsync(root.fd()) != 0) return FileError(errno, folder);
  return absl::OkStatus();
}

absl::StatusOr<BucketStore::BucketPtr> BucketStore::Create(
    const std::string& name, const std::string& project) {
  VERNIER_RETURN_IF_ERROR(CheckBucketName(name));
  VERNIER_RETURN_IF_ERROR(CheckProjectId(project));
  MutexLock lock(mu_);
  struct stat info;
  if (options_.mapped.count(name) > 0 ||
      ::lstat(FolderOf(name).c_str(), &info) == 0) {
    return absl::AlreadyExistsError(
        absl::StrCat("The bucket exists already: ", name));
  }
  // The policy is written first: after a crash the bucket then belongs to its
  // project and to nobody else.
  VERNIER_RETURN_IF_ERROR(policies_->Put(name, {project, {}}));
  const absl::Status made = MakeFolder(name);
  if (!made.ok()) {
    policies_->Erase(name).IgnoreError();
    return made;
  }
  ledger_.BucketChanged(name);
  return FindLocked(name);
}

absl::StatusOr<BucketStore::BucketPtr> BucketStore::FindOrCreate(
    const std::string& name, const std::string& project) {
  const BucketUser user = BucketUser::Of(project);
  auto bucket = Find(name, user, BucketRight::kWrite);
  if (!absl::IsNotFound(bucket.status())) return bucket;
  bucket = Create(name, project);
  if (!absl::IsAlreadyExists(bucket.status())) return bucket;
  bucket = Find(name, user, BucketRight::kWrite);
  return absl::IsNotFound(bucket.status()) ? NotTheirs(name, project) : bucket;
}

absl::Status BucketStore::CheckUsable(const std::string& name,
                                      const std::string& project) {
  VERNIER_RETURN_IF_ERROR(CheckBucketName(name));
  MutexLock lock(mu_);
  if (!Exists(name)) return absl::OkStatus();
  const absl::Status status =
      CheckRight(name, BucketUser::Of(project), BucketRight::kWrite);
  return absl::IsNotFound(status) ? NotTheirs(name, project) : status;
}

absl::Status BucketStore::Remove(const std::string& name,
                                 const BucketUser& user) {
  VERNIER_RETURN_IF_ERROR(CheckBucketName(name));
  MutexLock lock(mu_);
  VERNIER_RETURN_IF_ERROR(CheckRight(name, user, BucketRight::kOwn));
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
  ledger_.BucketChanged(name);
  // The policy is erased last: a bucket without one belongs to the default
  // project.
  return policies_->Erase(name);
}

absl::StatusOr<std::vector<BucketStore::Listed>> BucketStore::List(
    const BucketUser& user) {
  std::set<std::string> names;
  for (const auto& [name, folder] : options_.mapped) names.insert(name);
  std::error_code error;
  fs::directory_iterator entry(options_.root, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (CheckBucketName(name).ok()) names.insert(std::move(name));
  }
  if (error) return FileError(error.value(), options_.root);
  std::vector<Listed> buckets;
  for (const std::string& name : names) {
    auto policy = policies_->Get(name);
    auto bucket = Find(name, user, BucketRight::kRead);
    if (!bucket.ok()) continue;
    buckets.push_back(
        {*std::move(bucket), std::move(policy).value_or(BucketPolicy())});
  }
  return buckets;
}

absl::StatusOr<BucketPolicy> BucketStore::PolicyOf(const std::string& name) {
  VERNIER_RETURN_IF_ERROR(CheckBucketName(name));
  if (!Exists(name)) return NoBucket(name);
  return policies_->Get(name);
}

absl::StatusOr<BucketPolicy> BucketStore::Share(const std::string& name,
                                                const std::string& project,
                                                BucketRight right) {
  VERNIER_RETURN_IF_ERROR(CheckBucketName(name));
  if (project != kEveryProject) {
    VERNIER_RETURN_IF_ERROR(CheckProjectId(project));
  }
  if (right > BucketRight::kWrite) {
    return absl::InvalidArgumentError(
        "a bucket is lent for reading or for writing");
  }
  MutexLock lock(mu_);
  VERNIER_ASSIGN_OR_RETURN(BucketPolicy policy, PolicyOf(name));
  if (policy.project == project) {
    return absl::InvalidArgumentError(
        absl::StrCat("bucket ", name, " is project ", project, "'s own"));
  }
  policy.shares.erase(project);
  if (right != BucketRight::kNone) policy.shares[project] = right;
  VERNIER_RETURN_IF_ERROR(policies_->Put(name, policy));
  return policy;
}

absl::StatusOr<BucketPolicy> BucketStore::Move(const std::string& name,
                                               const std::string& project) {
  VERNIER_RETURN_IF_ERROR(CheckBucketName(name));
  VERNIER_RETURN_IF_ERROR(CheckProjectId(project));
  MutexLock lock(mu_);
  auto policy = PolicyOf(name);
  // Moving the bucket also repairs a policy that cannot be read.
  if (absl::IsDataLoss(policy.status())) policy = BucketPolicy();
  if (!policy.ok()) return policy;
  policy->project = project;
  policy->shares.erase(project);
  VERNIER_RETURN_IF_ERROR(policies_->Put(name, *policy));
  ledger_.BucketChanged(name);
  return policy;
}

absl::StatusOr<std::string> BucketStore::LocalPath(const std::string& uri,
                                                   const BucketUser& user,
                                                   BucketRight needed) {
  VERNIER_ASSIGN_OR_RETURN(const ObjectUri parsed, ParseObjectUri(uri));
  VERNIER_ASSIGN_OR_RETURN(const BucketPtr bucket,
                           Find(parsed.bucket, user, needed));
  if (parsed.object.empty()) return bucket->folder();
  return absl::StrCat(bucket->folder(), "/", parsed.object);
}

}  // namespace vernier
