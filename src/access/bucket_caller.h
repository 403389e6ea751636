#ifndef VERNIER_ACCESS_BUCKET_CALLER_H_
#define VERNIER_ACCESS_BUCKET_CALLER_H_

#include "access/principal.h"
#include "buckets/bucket_policy.h"

namespace vernier {

/// Whose rights to buckets a caller has: those of its project. Apart from
/// Principal, which most of this folder needs and buckets do not.
inline BucketUser BucketUserOf(const Principal& principal) {
  return principal.role == Principal::Role::kAdmin
             ? BucketUser::Administrator()
             : BucketUser::Of(principal.project);
}

}  // namespace vernier

#endif  // VERNIER_ACCESS_BUCKET_CALLER_H_
