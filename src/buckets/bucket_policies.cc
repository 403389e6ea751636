#include "buckets/bucket_policies.h"

#include <dirent.h>

#include <cerrno>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "buckets/bucket_name.h"
#include "study/job_id.h"

namespace vernier {
namespace {

constexpr std::string_view kSuffix = ".json";

std::string PoliciesFolder() {
  return std::string(kReservedFolder) + "/policies";
}

std::string FileOf(const std::string& bucket) {
  return absl::StrCat(PoliciesFolder(), "/", bucket, std::string(kSuffix));
}

// Returns the names of the buckets that have a policy file.
absl::StatusOr<std::vector<std::string>> NamesIn(const ConfinedFolder& root) {
  VERNIER_ASSIGN_OR_RETURN(UniqueFd folder, root.MakeFolder(PoliciesFolder()));
  const FolderStream dir = EntriesOf(std::move(folder));
  if (dir == nullptr) return FileError(errno, root.path());
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(dir.get())) {
    std::string_view name = entry->d_name;
    if (name.size() <= kSuffix.size() ||
        name.substr(name.size() - kSuffix.size()) != kSuffix) {
      continue;
    }
    name.remove_suffix(kSuffix.size());
    if (CheckBucketName(name).ok()) names.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) return FileError(errno, root.path());
  return names;
}

}  // namespace

absl::StatusOr<std::unique_ptr<BucketPolicies>> BucketPolicies::Open(
    const std::string& root,
    const std::function<bool(const std::string& bucket)>& exists) {
  VERNIER_ASSIGN_OR_RETURN(ConfinedFolder folder, ConfinedFolder::Open(root));
  std::unique_ptr<BucketPolicies> policies(
      new BucketPolicies(std::move(folder)));
  VERNIER_RETURN_IF_ERROR(policies->Load(exists));
  return policies;
}

absl::Status BucketPolicies::Load(
    const std::function<bool(const std::string& bucket)>& exists) {
  VERNIER_ASSIGN_OR_RETURN(const std::vector<std::string> names,
                           NamesIn(root_));
  MutexLock lock(mu_);
  for (const std::string& bucket : names) {
    if (!exists(bucket)) {
      VERNIER_RETURN_IF_ERROR(root_.RemoveFile(FileOf(bucket)));
      continue;
    }
    auto text = root_.ReadFile(FileOf(bucket));
    absl::StatusOr<BucketPolicy> policy =
        text.ok() ? ParseBucketPolicy(*text)
                  : absl::StatusOr<BucketPolicy>(text.status());
    if (!policy.ok()) {
      policy = absl::DataLossError(absl::StrCat(
          "whose bucket ", bucket, " is cannot be read from ", PathOf(bucket),
          "; an administrator can say it anew (vernier buckets move): ",
          std::string(policy.status().message())));
    }
    policies_.emplace(bucket, std::move(policy));
  }
  return absl::OkStatus();
}

std::string BucketPolicies::PathOf(const std::string& bucket) const {
  return absl::StrCat(root_.path(), "/", FileOf(bucket));
}

absl::StatusOr<BucketPolicy> BucketPolicies::Get(
    const std::string& bucket) const {
  MutexLock lock(mu_);
  const auto found = policies_.find(bucket);
  if (found != policies_.end()) return found->second;
  return BucketPolicy{std::string(kDefaultProject), {}};
}

absl::Status BucketPolicies::Put(const std::string& bucket,
                                 const BucketPolicy& policy) {
  MutexLock lock(mu_);
  VERNIER_RETURN_IF_ERROR(root_.ReplaceFile(FileOf(bucket),
                                            absl::StrCat(bucket, ".tmp"),
                                            FormatBucketPolicy(policy)));
  policies_.insert_or_assign(bucket, policy);
  return absl::OkStatus();
}

absl::Status BucketPolicies::Erase(const std::string& bucket) {
  MutexLock lock(mu_);
  VERNIER_RETURN_IF_ERROR(root_.RemoveFile(FileOf(bucket)));
  policies_.erase(bucket);
  return absl::OkStatus();
}

}  // namespace vernier
