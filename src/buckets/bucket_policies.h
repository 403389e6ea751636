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

/// The policies of all buckets of a service. Each is a small file beside the
/// buckets, in a folder without objects. A bucket without a policy belongs to
/// the default project. All are kept in memory. Thread-safe.
class BucketPolicies {
 public:
  /// Reads the policies below `root`, the folder of the buckets. Policies of
  /// buckets that do not exist, by `exists`, are removed, so that a later
  /// bucket of that name does not inherit one. An errno's code if the folder
  /// cannot be read or made.
  static absl::StatusOr<std::unique_ptr<BucketPolicies>> Open(
      const std::string& root,
      const std::function<bool(const std::string& bucket)>& exists);

  /// Returns DATA_LOSS, naming the file, if the policy cannot be parsed. Such a
  /// bucket belongs to nobody until an administrator moves it to a project.
  absl::StatusOr<BucketPolicy> Get(const std::string& bucket) const;
  /// Stores a policy; it is durable when this returns.
  absl::Status Put(const std::string& bucket, const BucketPolicy& policy);
  /// Removes a policy; call it when the bucket is deleted. OK if there is none.
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
