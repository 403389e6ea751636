#ifndef VERNIER_FACES_NATIVE_BUCKET_HANDLERS_H_
#define VERNIER_FACES_NATIVE_BUCKET_HANDLERS_H_

#include <vernier/v1/bucket_service.pb.h>

#include "absl/status/status.h"
#include "buckets/bucket_store.h"

namespace vernier {

/// The calls of vernier.v1.BucketService, without the transport. The gate has
/// compared a request's project with the caller's; an administrator may leave
/// it out. Thread-safe.
class BucketHandlers {
 public:
  /// Borrows `buckets`, which must outlive this object.
  explicit BucketHandlers(BucketStore& buckets) : buckets_(buckets) {}

  absl::Status ListBuckets(const v1::ListBucketsRequest& request,
                           v1::ListBucketsResponse* response);
  absl::Status GetBucket(const v1::GetBucketRequest& request,
                         v1::Bucket* response);
  absl::Status CreateBucket(const v1::CreateBucketRequest& request,
                            v1::Bucket* response);
  absl::Status ShareBucket(const v1::ShareBucketRequest& request,
                           v1::Bucket* response);
  absl::Status MoveBucket(const v1::MoveBucketRequest& request,
                          v1::Bucket* response);

 private:
  absl::Status Fill(const std::string& name, const BucketUser& user,
                    v1::Bucket* response);

  BucketStore& buckets_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_NATIVE_BUCKET_HANDLERS_H_
