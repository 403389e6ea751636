#include "faces/native/bucket_grpc_service.h"

#include "edge/grpc/unary_call.h"

namespace vernier {

BucketGrpcService::Unary* BucketGrpcService::ListBuckets(
    Context* context, const v1::ListBucketsRequest* request,
    v1::ListBucketsResponse* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &BucketHandlers::ListBuckets);
}

BucketGrpcService::Unary* BucketGrpcService::GetBucket(
    Context* context, const v1::GetBucketRequest* request,
    v1::Bucket* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &BucketHandlers::GetBucket);
}

BucketGrpcService::Unary* BucketGrpcService::CreateBucket(
    Context* context, const v1::CreateBucketRequest* request,
    v1::Bucket* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &BucketHandlers::CreateBucket);
}

BucketGrpcService::Unary* BucketGrpcService::ShareBucket(
    Context* context, const v1::ShareBucketRequest* request,
    v1::Bucket* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &BucketHandlers::ShareBucket);
}

BucketGrpcService::Unary* BucketGrpcService::MoveBucket(
    Context* context, const v1::MoveBucketRequest* request,
    v1::Bucket* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &BucketHandlers::MoveBucket);
}

}  // namespace vernier
