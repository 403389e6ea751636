#ifndef VERNIER_BUCKETS_BUCKET_POLICY_H_
#define VERNIER_BUCKETS_BUCKET_POLICY_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"

namespace vernier {

/// The user on whose behalf buckets are used: an administrator or a project.
/// There is no default, so that nobody becomes an administrator by omission.
class BucketUser {
 public:
  static BucketUser Administrator() { return BucketUser(std::nullopt); }
  static BucketUser Of(std::string project) {
    return BucketUser(std::move(project));
  }

  bool is_administrator() const { return !project_.has_value(); }
  /// The project; empty for an administrator.
  std::string project() const { return project_.value_or(""); }

 private:
  explicit BucketUser(std::optional<std::string> project)
      : project_(std::move(project)) {}

  std::optional<std::string> project_;
};

/// The rights of a user to a bucket; each includes those before it.
enum class BucketRight {
  kNone = 0,
  kRead = 1,   ///< To see it, to list and to read its objects.
  kWrite = 2,  ///< To write and delete objects.
  kOwn = 3,    ///< To delete the bucket.
};

/// The key in BucketPolicy::shares that stands for every project.
inline constexpr std::string_view kEveryProject = "*";

/// The project that owns a bucket, and the projects to which an administrator
/// has lent it.
struct BucketPolicy {
  std::string project;  ///< Never empty.
  /// kRead or kWrite, by project.
  std::map<std::string, BucketRight> shares;

  friend bool operator==(const BucketPolicy&, const BucketPolicy&) = default;
};

/// Returns the right of a user to a bucket. This is the only rule about
/// buckets. Pure.
BucketRight RightOf(const BucketPolicy& policy, const BucketUser& user);

/// Returns "read", "write".
std::string_view ToString(BucketRight right);

/// Returns one line of JSON, which ParseBucketPolicy reads.
std::string FormatBucketPolicy(const BucketPolicy& policy);
/// Returns DATA_LOSS for a text that FormatBucketPolicy did not write.
absl::StatusOr<BucketPolicy> ParseBucketPolicy(const std::string& text);

}  // namespace vernier

#endif  // VERNIER_BUCKETS_BUCKET_POLICY_H_
