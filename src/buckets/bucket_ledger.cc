#include "buckets/bucket_ledger.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "buckets/bucket_name.h"
#include "buckets/confined_folder.h"
#include "buckets/http_status_payload.h"

namespace vernier {
namespace {

// The maximal age of a measurement: in general, and before a write is refused.
constexpr std::chrono::seconds kUsualAge{600};
constexpr std::chrono::seconds kAgeBeforeRefusal{10};
constexpr std::chrono::seconds kAgeOfNames{10};

/// Selects which entries of a folder count.
enum class Part {
  kObjects,  // All but the reserved folder.
  kBelow,    // All, in a folder of objects.
  kUploads,  // Of the reserved folder: the bytes of uploads, not their notes.
};

bool Counts(Part part, std::string_view name) {
  if (name == "." || name == "..") return false;
  if (part == Part::kObjects) return name != kReservedFolder;
  return part == Part::kBelow || !name.ends_with(".json");
}

/// Adds up a tree, one folder after the other, so that only one descriptor is
/// open at a time, however deep the tree is.
class TreeMeasure {
 public:
  /// Adds everything below `folder`. Entries that vanish meanwhile do not
  /// count.
  absl::Status Add(const ConfinedFolder& folder, Part part) {
    VERNIER_ASSIGN_OR_RETURN(UniqueFd root, folder.OpenFolder(""));
    VERNIER_RETURN_IF_ERROR(AddEntries(std::move(root), "", part));
    while (!waiting_.empty()) {
      const std::string path = std::move(waiting_.back());
      waiting_.pop_back();
      absl::StatusOr<UniqueFd> child =
          folder.OpenFile(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      // The folder vanished, or a file or a link took its place.
      if (absl::IsNotFound(child.status()) ||
          absl::IsFailedPrecondition(child.status())) {
        continue;
      }
      VERNIER_RETURN_IF_ERROR(child.status());
      VERNIER_RETURN_IF_ERROR(
          AddEntries(*std::move(child), path + "/", Part::kBelow));
    }
    return absl::OkStatus();
  }

  const BucketUse& use() const { return use_; }

 private:
  // Adds the entries of `folder`; `prefix` is its path from the root.
  absl::Status AddEntries(UniqueFd folder, const std::string& prefix,
                          Part part) {
    const FolderStream entries = EntriesOf(std::move(folder));
    if (entries == nullptr) return absl::ErrnoToStatus(errno, "a bucket");
    const int fd = ::dirfd(entries.get());
    while (const dirent* entry = ::readdir(entries.get())) {
      const std::string_view name = entry->d_name;
      if (!Counts(part, name)) continue;
      struct stat info {};
      if (::fstatat(fd, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno == ENOENT) continue;
        return absl::ErrnoToStatus(errno, std::string(name));
      }
      ++use_.objects;
      if (S_ISREG(info.st_mode)) use_.bytes += info.st_size;
      if (S_ISDIR(info.st_mode) && prefix.size() + name.size() < PATH_MAX) {
        waiting_.push_back(prefix + entry->d_name);
      }
    }
    return absl::OkStatus();
  }

  std::vector<std::string> waiting_;  // Folders that are still to be read.
  BucketUse use_;
};

absl::StatusOr<BucketUse> MeasureFolder(const std::string& path, Part part) {
  const absl::StatusOr<ConfinedFolder> folder = ConfinedFolder::Open(path);
  if (absl::IsNotFound(folder.status())) return BucketUse();
  VERNIER_RETURN_IF_ERROR(folder.status());
  TreeMeasure measure;
  VERNIER_RETURN_IF_ERROR(measure.Add(*folder, part));
  return measure.use();
}

void Accumulate(const BucketUse& change, BucketUse* use) {
  use->bytes += change.bytes;
  use->objects += change.objects;
}

absl::Status NoRoom(const std::string& project, const char* what,
                    std::int64_t used, std::int64_t wanted,
                    std::int64_t limit) {
  return WithHttpStatus(
      absl::ResourceExhaustedError(absl::StrCat(
          "project ", project, " has ", used, " of ", limit, " ", what,
          " in its buckets, and there is no room for ", wanted,
          " more: delete objects, or have an administrator raise the quota "
          "(vernier projects set-quota)")),
      413);
}

}  // namespace

absl::StatusOr<BucketUse> MeasureBucket(const std::string& folder) {
  VERNIER_ASSIGN_OR_RETURN(BucketUse use,
                           MeasureFolder(folder, Part::kObjects));
  for (const char* ours : {"/staging", "/uploads"}) {
    VERNIER_ASSIGN_OR_RETURN(
        const BucketUse uploads,
        MeasureFolder(
            absl::StrCat(folder, "/", std::string(kReservedFolder), ours),
            Part::kUploads));
    use.bytes += uploads.bytes;
  }
  return use;
}

void BucketLedger::AddTo(const std::string& bucket, const BucketUse& change) {
  const auto found = entries_.find(bucket);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  if (entry.use) Accumulate(change, &*entry.use);
  if (!entry.is_being_measured) return;
  // The walk may have counted the addition already. An addition may be counted
  // twice, which the next walk corrects. Removals are left out here, since the
  // walk may never have seen what was removed.
  entry.added_meanwhile.bytes += std::max<std::int64_t>(0, change.bytes);
  entry.added_meanwhile.objects += std::max<std::int64_t>(0, change.objects);
}

BucketUse BucketLedger::Sum(const std::vector<Counted>& buckets) const {
  BucketUse sum;
  for (const Counted& counted : buckets) {
    const auto entry = entries_.find(counted.bucket);
    if (entry == entries_.end() || !entry->second.use) continue;
    // If programs removed files that were counted, the number may be negative.
    sum.bytes += std::max<std::int64_t>(0, entry->second.use->bytes);
    sum.objects += std::max<std::int64_t>(0, entry->second.use->objects);
  }
  return sum;
}

std::vector<BucketLedger::Counted> BucketLedger::BucketsOf(
    const std::string& project, std::chrono::seconds age) {
  const SteadyTime now = clock_.Steady();
  {
    MutexLock lock(mu_);
    const auto found = names_.find(project);
    if (found != names_.end() && now - found->second.listed_at < age) {
      return found->second.buckets;
    }
  }
  std::vector<Counted> buckets = dependencies_.buckets_of(project);
  MutexLock lock(mu_);
  names_[project] = {buckets, now};
  return buckets;
}

absl::Status BucketLedger::Measure(const Counted& counted) {
  {
    MutexLock lock(mu_);
    Entry& entry = entries_[counted.bucket];
    entry.is_being_measured = true;
    entry.added_meanwhile = {};
  }
  auto use = MeasureBucket(counted.folder);
  MutexLock lock(mu_);
  Entry& entry = entries_[counted.bucket];
  entry.is_being_measured = false;
  if (!use.ok()) return use.status();
  Accumulate(entry.added_meanwhile, &*use);
  entry.use = *use;
  entry.measured_at = clock_.Steady();
  return absl::OkStatus();
}

absl::Status BucketLedger::MeasureOlderThan(const std::string& project,
                                            std::chrono::seconds age) {
  const std::vector<Counted> buckets = BucketsOf(project, kAgeOfNames);
  const auto is_old = [&](const Counted& counted) {
    MutexLock lock(mu_);
    const auto entry = entries_.find(counted.bucket);
    return entry == entries_.end() || !entry->second.use ||
           clock_.Steady() - entry->second.measured_at >= age;
  };
  if (std::none_of(buckets.begin(), buckets.end(), is_old)) {
    return absl::OkStatus();
  }
  MutexLock walking(measuring_);
  for (const Counted& counted : buckets) {
    // The thread that had the lock before may have measured it.
    if (is_old(counted)) VERNIER_RETURN_IF_ERROR(Measure(counted));
  }
  return absl::OkStatus();
}

absl::Status BucketLedger::TryAdd(const std::string& project,
                                  const std::string& bucket,
                                  const BucketUse& change,
                                  const BucketQuota& quota) {
  const std::vector<Counted> buckets = BucketsOf(project, kAgeOfNames);
  MutexLock lock(mu_);
  const BucketUse use = Sum(buckets);
  if (quota.max_bytes && change.bytes > 0 &&
      change.bytes > *quota.max_bytes - use.bytes) {
    return NoRoom(project, "bytes", use.bytes, change.bytes, *quota.max_bytes);
  }
  if (quota.max_objects && change.objects > 0 &&
      change.objects > *quota.max_objects - use.objects) {
    return NoRoom(project, "objects", use.objects, change.objects,
                  *quota.max_objects);
  }
  AddTo(bucket, change);
  return absl::OkStatus();
}

absl::Status BucketLedger::Add(const std::string& bucket,
                               const BucketUse& change) {
  const bool wants_room = change.bytes > 0 || change.objects > 0;
  std::string project;
  BucketQuota quota;
  if (wants_room && dependencies_.quota_of) {
    project = dependencies_.project_of(bucket);
    if (!project.empty()) quota = dependencies_.quota_of(project);
  }
  if (!quota.has_limit()) {
    MutexLock lock(mu_);
    AddTo(bucket, change);
    return absl::OkStatus();
  }
  VERNIER_RETURN_IF_ERROR(MeasureOlderThan(project, kUsualAge));
  const absl::Status added = TryAdd(project, bucket, change, quota);
  if (!absl::IsResourceExhausted(added)) return added;
  // A program may have made room since the last measurement.
  VERNIER_RETURN_IF_ERROR(MeasureOlderThan(project, kAgeBeforeRefusal));
  return TryAdd(project, bucket, change, quota);
}

void BucketLedger::BucketChanged(const std::string& bucket) {
  MutexLock lock(mu_);
  names_.clear();
  entries_.erase(bucket);
}

absl::StatusOr<BucketUse> BucketLedger::UseOf(const std::string& project) {
  VERNIER_RETURN_IF_ERROR(MeasureOlderThan(project, kUsualAge));
  const std::vector<Counted> buckets = BucketsOf(project, kAgeOfNames);
  MutexLock lock(mu_);
  return Sum(buckets);
}

absl::Status BucketRoom::CheckDisk(int folder, std::int64_t bytes) const {
  struct statvfs disk {};
  if (::fstatvfs(folder, &disk) != 0) return FileError(errno, bucket_);
  if (disk.f_blocks == 0) return absl::OkStatus();  // It reports no size.
  const auto block = static_cast<std::int64_t>(disk.f_frsize);
  const auto whole = static_cast<std::int64_t>(disk.f_blocks);
  const auto free = static_cast<std::int64_t>(disk.f_bavail);
  constexpr std::int64_t kKept = std::int64_t{1} << 30;
  constexpr std::int64_t kFiftieth = 50;
  const std::int64_t kept = std::min(kKept, whole / kFiftieth * block);
  if (free * block - bytes >= kept) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "the disk of bucket ", bucket_, " has ", free * block,
      " bytes left, of which ", kept, " are kept for the service itself: ",
      "there is no room for ", bytes, " more"));
}

absl::Status BucketRoom::Take(int folder, const BucketUse& wanted) const {
  if (wanted.bytes > 0) {
    VERNIER_RETURN_IF_ERROR(CheckDisk(folder, wanted.bytes));
  }
  if (ledger_ == nullptr) return absl::OkStatus();
  return ledger_->Add(bucket_, wanted);
}

absl::Status BucketRoom::Expect(int folder, std::int64_t bytes) const {
  if (bytes <= 0) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(Take(folder, {bytes, 0}));
  GiveBack({bytes, 0});
  return absl::OkStatus();
}

void BucketRoom::GiveBack(const BucketUse& given) const {
  if (ledger_ == nullptr) return;
  // Giving back is never refused.
  ledger_->Add(bucket_, {-given.bytes, -given.objects}).IgnoreError();
}

}  // namespace vernier
