#ifndef VERNIER_BUCKETS_BUCKET_POLICIES_H_
#define VERNIER_BUCKETS_BUCKET_POLICIES_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "buckets/bucket_policy.h"
#include "buckets/confined_folder.h"

namespace vernier {

/// The policies of all buckets of a service: a small file each, beside the
/// buckets, where no object can lie. A bucket without one belongs to the
/// default project. All are in memory. Thread-safe.
class BucketPolicies {
 public:
  /// Reads those below `root`, the folder of the buckets, and removes those of
  /// buckets that are not there, by `exists`: whoever makes such a bucket next
  /// starts anew. An errno's code if the folder cannot be read or made.
  static absl::StatusOr<std::unique_ptr<BucketPolicies>> Open(
      const std::string& root,
      const std::function<bool(const std::string& bucket)>& exists);

  /// DATA_LOSS, naming the file, if it cannot be understood: such a bucket is
  /// nobody's until an administrator puts another policy.
  absl::StatusOr<BucketPolicy> Get(const std::string& bucket) const;
  /// Durable when it returns.
  absl::Status Put(const std::string& bucket, const BucketPolicy& policy);
  /// The bucket is deleted. OK if there is none.
  absl::Status Erase(const std::string& bucket);

 private:
  explicit BucketPolicies(ConfinedFolder root) : root_(std::move(root)) {}

  absl::Status Load(
      const std::function<bool(const std::string& bucket)>& exists);
  std::string PathOf(const std::string& bucket) const;

  const ConfinedFolder root_;
  mutable Mutex mu_;  // Held while a file is replaced, too: changes are rare.
  std::map<std::string, absl::StatusOr<BucketPolicy>> policies_
      VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_BUCKETS_BUCKET_POLICIES_H_
