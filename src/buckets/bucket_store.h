#ifndef VERNIER_BUCKETS_BUCKET_STORE_H_
#define VERNIER_BUCKETS_BUCKET_STORE_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "buckets/bucket.h"
#include "buckets/bucket_ledger.h"
#include "buckets/bucket_policies.h"
#include "buckets/bucket_policy.h"

namespace vernier {

struct BucketStoreOptions {
  /// Absolute; bucket NAME is the folder NAME in it. Made if it does not exist.
  std::string root;
  /// Buckets whose folders are elsewhere, by name. The folders are absolute and
  /// exist.
  std::map<std::string, std::string> mapped;
  Bucket::MakeId make_id;
  /// Returns the quota of a project's buckets; null if there are no quotas.
  /// Mapped folders do not count. Any thread.
  std::function<BucketQuota(const std::string& project)> quota_of = nullptr;
};

/// Parses "NAME=PATH" as an entry of BucketStoreOptions::mapped.
/// INVALID_ARGUMENT for a bad name or a path that is not absolute.
absl::StatusOr<std::pair<std::string, std::string>> ParseBucketMapping(
    const std::string& text);

/// The buckets of one service, and who may use them. A bucket's name is unique
/// in the service, not in a project, just as Cloud Storage's names are unique
/// in the world. Thread-safe.
///
/// Calls on behalf of a `user` follow the bucket's policy. A bucket that the
/// user may not see is NOT_FOUND, with the message for one that does not exist;
/// PERMISSION_DENIED if the user may see it, but not do this; DATA_LOSS if its
/// policy cannot be read.
class BucketStore {
 public:
  /// Shared, because a request may still read a bucket that another one
  /// deletes.
  using BucketPtr = std::shared_ptr<Bucket>;

  struct Listed {
    BucketPtr bucket;
    BucketPolicy policy;
  };

  /// Borrows `clock`. INVALID_ARGUMENT for a bad mapping; otherwise an errno's
  /// code.
  static absl::StatusOr<std::unique_ptr<BucketStore>> Open(
      BucketStoreOptions options, const Clock& clock);

  /// Finds a bucket to which `user` has the right `needed`. NOT_FOUND;
  /// INVALID_ARGUMENT for a malformed name.
  absl::StatusOr<BucketPtr> Find(const std::string& name,
                                 const BucketUser& user, BucketRight needed);
  /// Makes a bucket of `project`, durably. ALREADY_EXISTS if there is one,
  /// whoever owns it.
  absl::StatusOr<BucketPtr> Create(const std::string& name,
                                   const std::string& project);
  /// Does the same as Find with the right to write, or else as Create, for
  /// `project`. PERMISSION_DENIED also if the bucket belongs to another
  /// project.
  absl::StatusOr<BucketPtr> FindOrCreate(const std::string& name,
                                         const std::string& project);
  /// Returns OK if FindOrCreate would succeed now; makes nothing.
  absl::Status CheckUsable(const std::string& name, const std::string& project);
  /// Deletes an empty bucket. NOT_FOUND; FAILED_PRECONDITION if it is not empty
  /// or is a mapped folder.
  absl::Status Remove(const std::string& name, const BucketUser& user);
  /// Returns the buckets that `user` may read, in byte order of their names. An
  /// administrator also gets those whose policy cannot be read, with an empty
  /// policy.
  absl::StatusOr<std::vector<Listed>> List(const BucketUser& user);

  /// Returns a bucket's policy. NOT_FOUND; DATA_LOSS.
  absl::StatusOr<BucketPolicy> PolicyOf(const std::string& name);
  /// Lends a bucket to `project`, or to kEveryProject, or takes it back with
  /// kNone. This applies to later calls, and to running uploads when they end.
  /// NOT_FOUND; INVALID_ARGUMENT.
  absl::StatusOr<BucketPolicy> Share(const std::string& name,
                                     const std::string& project,
                                     BucketRight right);
  /// Moves a bucket to `project`; its shares stay. NOT_FOUND; INVALID_ARGUMENT.
  absl::StatusOr<BucketPolicy> Move(const std::string& name,
                                    const std::string& project);

  /// Returns the contents of a project's buckets without mapped folders,
  /// possibly some minutes old. Walks the folders if no recent measurement
  /// exists. Errors are an errno's code.
  absl::StatusOr<BucketUse> UseOf(const std::string& project) {
    return ledger_.UseOf(project);
  }
  /// Removes the files of abandoned uploads in all buckets. Call it at the
  /// start, and now and then.
  void Sweep();

  /// Returns the absolute path of gs://BUCKET/OBJECT on this machine. Only the
  /// bucket must exist, and `user` must have the right `needed` to it.
  /// INVALID_ARGUMENT.
  absl::StatusOr<std::string> LocalPath(const std::string& uri,
                                        const BucketUser& user,
                                        BucketRight needed);

 private:
  BucketStore(BucketStoreOptions options, const Clock& clock);

  std::vector<BucketLedger::Counted> CountedOf(const std::string& project);
  void CloseIdle() VERNIER_REQUIRES(mu_);

  std::string FolderOf(const std::string& name) const;
  bool Exists(const std::string& name) const;
  absl::Status CheckRight(const std::string& name, const BucketUser& user,
                          BucketRight needed) const;
  absl::Status MakeFolder(const std::string& name);
  absl::StatusOr<BucketPtr> FindLocked(const std::string& name)
      VERNIER_REQUIRES(mu_);

  const BucketStoreOptions options_;
  const Clock& clock_;                        // Thread-safe.
  std::unique_ptr<BucketPolicies> policies_;  // Constant after Open.
  BucketLedger ledger_;                       // Does its own locking.
  Mutex mu_;  // Held while a bucket is opened, made or deleted.
  std::map<std::string, BucketPtr> open_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_BUCKETS_BUCKET_STORE_H_
