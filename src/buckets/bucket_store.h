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
  /// Absolute; bucket NAME is the folder NAME in it. Made if missing.
  std::string root;
  /// Folders elsewhere that are buckets, by name. Absolute, and there.
  std::map<std::string, std::string> mapped;
  Bucket::MakeId make_id;
  /// What a project's buckets may hold together; null: as much as fits. Folders
  /// elsewhere do not count. Any thread.
  std::function<BucketQuota(const std::string& project)> quota_of = nullptr;
};

/// "NAME=PATH" as an entry of BucketStoreOptions::mapped. INVALID_ARGUMENT for
/// a bad name or a path that is not absolute.
absl::StatusOr<std::pair<std::string, std::string>> ParseBucketMapping(
    const std::string& text);

/// The buckets of one service, and who may use them. Names are the service's,
/// not a project's, as Cloud Storage's are the world's. Thread-safe.
///
/// What is asked on behalf of a `user` is answered by the bucket's policy: a
/// bucket that the user may not see is NOT_FOUND, in the words for one that is
/// not there; PERMISSION_DENIED if the user may see it, but not do this;
/// DATA_LOSS if nobody knows whose it is.
class BucketStore {
 public:
  /// A request may still read a bucket that another one deletes.
  using BucketPtr = std::shared_ptr<Bucket>;

  struct Listed {
    BucketPtr bucket;
    BucketPolicy policy;
  };

  /// Borrows `clock`. INVALID_ARGUMENT for a mapping that cannot be; else an
  /// errno's code.
  static absl::StatusOr<std::unique_ptr<BucketStore>> Open(
      BucketStoreOptions options, const Clock& clock);

  /// A bucket that `user` has `needed` for. NOT_FOUND; INVALID_ARGUMENT for a
  /// name that cannot be.
  absl::StatusOr<BucketPtr> Find(const std::string& name,
                                 const BucketUser& user, BucketRight needed);
  /// Makes a bucket of `project`, durably. ALREADY_EXISTS, whosever it is.
  absl::StatusOr<BucketPtr> Create(const std::string& name,
                                   const std::string& project);
  /// Find to write, or else Create, for `project`. PERMISSION_DENIED also if
  /// the bucket is another project's.
  absl::StatusOr<BucketPtr> FindOrCreate(const std::string& name,
                                         const std::string& project);
  /// OK if FindOrCreate would succeed now; makes nothing.
  absl::Status CheckUsable(const std::string& name, const std::string& project);
  /// Deletes an empty bucket. NOT_FOUND; FAILED_PRECONDITION if it is not
  /// empty, or a folder elsewhere.
  absl::Status Remove(const std::string& name, const BucketUser& user);
  /// Those that `user` may read, in byte order of their names. To an
  /// administrator the policy of one whose own cannot be read is empty.
  absl::StatusOr<std::vector<Listed>> List(const BucketUser& user);

  /// NOT_FOUND; DATA_LOSS.
  absl::StatusOr<BucketPolicy> PolicyOf(const std::string& name);
  /// Lends a bucket to `project`, or to kEveryProject, or takes it back with
  /// kNone. Calls that come afterwards heed it, and so do uploads that are
  /// under way at their end. NOT_FOUND; INVALID_ARGUMENT.
  absl::StatusOr<BucketPolicy> Share(const std::string& name,
                                     const std::string& project,
                                     BucketRight right);
  /// Gives a bucket to `project`; to whom it was lent stays. NOT_FOUND;
  /// INVALID_ARGUMENT.
  absl::StatusOr<BucketPolicy> Move(const std::string& name,
                                    const std::string& project);

  /// What a project's buckets hold, but for folders elsewhere; it may be some
  /// minutes old. Walks them if nobody has lately. An errno's code.
  absl::StatusOr<BucketUse> UseOf(const std::string& project) {
    return ledger_.UseOf(project);
  }
  /// Removes what uploads left in any bucket that nobody goes on with; to be
  /// called at the start, and now and then.
  void Sweep();

  /// Where gs://BUCKET/OBJECT lies on this machine: absolute. Only the bucket
  /// must exist, and `user` have `needed` for it. INVALID_ARGUMENT.
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
