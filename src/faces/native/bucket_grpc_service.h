#ifndef VERNIER_FACES_NATIVE_BUCKET_GRPC_SERVICE_H_
#define VERNIER_FACES_NATIVE_BUCKET_GRPC_SERVICE_H_

#include <vernier/v1/bucket_service.grpc.pb.h>

#include "absl/status/status.h"
#include "edge/call_activity.h"
#include "edge/call_pool.h"
#include "edge/grpc/call_gate.h"
#include "faces/native/bucket_handlers.h"

namespace vernier {

/// vernier.v1.BucketService on gRPC's callback API. Thread-safe.
class BucketGrpcService final : public v1::BucketService::CallbackService {
 public:
  struct Dependencies {
    BucketHandlers& handlers;
    const CallGate& gate;
    CallPool& pool;
    CallActivity& activity;
  };

  /// Borrows what `dependencies` refers to; it must outlive this object and
  /// every call.
  explicit BucketGrpcService(const Dependencies& dependencies)
      : dependencies_(dependencies) {}

  using Context = grpc::CallbackServerContext;
  using Unary = grpc::ServerUnaryReactor;

  Unary* ListBuckets(Context* context, const v1::ListBucketsRequest* request,
                     v1::ListBucketsResponse* response) override;
  Unary* GetBucket(Context* context, const v1::GetBucketRequest* request,
                   v1::Bucket* response) override;
  Unary* CreateBucket(Context* context, const v1::CreateBucketRequest* request,
                      v1::Bucket* response) override;
  Unary* ShareBucket(Context* context, const v1::ShareBucketRequest* request,
                     v1::Bucket* response) override;
  Unary* MoveBucket(Context* context, const v1::MoveBucketRequest* request,
                    v1::Bucket* response) override;

 private:
  const Dependencies dependencies_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_NATIVE_BUCKET_GRPC_SERVICE_H_
