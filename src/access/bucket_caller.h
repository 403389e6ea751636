#ifndef VERNIER_ACCESS_BUCKET_CALLER_H_
#define VERNIER_ACCESS_BUCKET_CALLER_H_

#include "access/principal.h"
#include "buckets/bucket_policy.h"

namespace vernier {

/// Returns a caller's rights to buckets: those of its project. This is not in
/// principal.h, which most of this folder includes without a need for buckets.
inline BucketUser BucketUserOf(const Principal& principal) {
  return principal.role == Principal::Role::kAdmin
             ? BucketUser::Administrator()
             : BucketUser::Of(principal.project);
}

}  // namespace vernier

#endif  // VERNIER_ACCESS_BUCKET_CALLER_H_
