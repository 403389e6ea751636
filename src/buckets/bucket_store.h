#ifndef VERNIER_BUCKETS_BUCKET_STORE_H_
#define VERNIER_BUCKETS_BUCKET_STORE_H_

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "buckets/bucket.h"
#include "study/clock.h"
#include "study/mutex.h"

namespace vernier {

struct BucketStoreOptions {
  /// Absolute; bucket NAME is the folder NAME in it. Made if missing.
  std::string root;
  /// Folders elsewhere that are buckets, by name. Absolute, and there.
  std::map<std::string, std::string> mapped;
  Bucket::MakeId make_id;
};

/// "NAME=PATH" as an entry of BucketStoreOptions::mapped. INVALID_ARGUMENT for
/// a bad name or a path that is not absolute.
absl::StatusOr<std::pair<std::string, std::string>> ParseBucketMapping(
    const std::string& text);

/// The buckets of one service. Thread-safe.
class BucketStore {
 public:
  /// A request may still read a bucket that another one deletes.
  using BucketPtr = std::shared_ptr<Bucket>;

  /// Borrows `clock`. INVALID_ARGUMENT for a mapping that cannot be; else an
  /// errno's code.
  static absl::StatusOr<std::unique_ptr<BucketStore>> Open(
      BucketStoreOptions options, const Clock& clock);

  /// NOT_FOUND; INVALID_ARGUMENT for a name that cannot be.
  absl::StatusOr<BucketPtr> Find(const std::string& name);
  /// Makes a bucket, durably. ALREADY_EXISTS.
  absl::StatusOr<BucketPtr> Create(const std::string& name);
  /// Find, or else Create.
  absl::StatusOr<BucketPtr> FindOrCreate(const std::string& name);
  /// Deletes an empty bucket. NOT_FOUND; FAILED_PRECONDITION if it is not
  /// empty, or a folder elsewhere.
  absl::Status Remove(const std::string& name);
  /// All there are, in byte order of their names.
  absl::StatusOr<std::vector<BucketPtr>> List();

  /// Where gs://BUCKET/OBJECT lies on this machine: absolute. Only the bucket
  /// must exist. NOT_FOUND, INVALID_ARGUMENT.
  absl::StatusOr<std::string> LocalPath(const std::string& uri);

 private:
  BucketStore(BucketStoreOptions options, const Clock& clock)
      : options_(std::move(options)), clock_(clock) {}

  std::string FolderOf(const std::string& name) const;
  absl::StatusOr<BucketPtr> FindLocked(const std::string& name)
      VERNIER_REQUIRES(mu_);

  const BucketStoreOptions options_;
  const Clock& clock_;  // Thread-safe.
  Mutex mu_;            // Held while a bucket is opened, made or deleted.
  std::map<std::string, BucketPtr> open_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_BUCKETS_BUCKET_STORE_H_
