#ifndef VERNIER_BUCKETS_OBJECT_COPY_H_
#define VERNIER_BUCKETS_OBJECT_COPY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "buckets/bucket.h"

namespace vernier {

/// An object to read, and the conditions on it.
struct ObjectSource {
  std::string name;
  std::optional<std::int64_t> generation;  ///< NOT_FOUND if it is another one.
  Preconditions preconditions;
};

/// Copies an object's bytes to `write.name` in `to`; with its attributes, too,
/// unless `replaces_attributes`. Blocks for as long as the copy takes. Errors:
/// those of Bucket.
absl::StatusOr<ObjectMetadata> CopyObject(Bucket& from,
                                          const ObjectSource& source,
                                          Bucket& to, ObjectWrite write,
                                          bool replaces_attributes);

/// Makes one object of several of the same bucket, in this order. Its content
/// type is the first one's unless `write` has one. INVALID_ARGUMENT for no
/// object, or more than kMaxComposed. Errors: those of Bucket.
absl::StatusOr<ObjectMetadata> ComposeObjects(
    Bucket& bucket, const std::vector<ObjectSource>& sources,
    ObjectWrite write);

/// Cloud Storage has the same limit.
inline constexpr std::size_t kMaxComposed = 32;

}  // namespace vernier

#endif  // VERNIER_BUCKETS_OBJECT_COPY_H_
