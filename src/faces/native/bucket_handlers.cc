#include "faces/native/bucket_handlers.h"

#include <string>

#include "access/request_names.h"
#include "base/status_macros.h"
#include "faces/messages/proto_time.h"

namespace vernier {
namespace {

BucketUser UserOf(const std::string& project) {
  return project.empty() ? BucketUser::Administrator()
                         : BucketUser::Of(project);
}

v1::Bucket Describe(const Bucket& bucket, const BucketPolicy& policy,
                    const BucketUser& user) {
  v1::Bucket proto;
  proto.set_name(bucket.name());
  proto.set_project(policy.project);
  proto.set_folder(bucket.folder());
  *proto.mutable_create_time() = ToProto(bucket.created());
  // A project with which the bucket is shared does not learn of the others.
  if (RightOf(policy, user) != BucketRight::kOwn) return proto;
  for (const auto& [project, right] : policy.shares) {
    (*proto.mutable_shares())[project] =
        right == BucketRight::kWrite ? v1::Bucket::WRITE : v1::Bucket::READ;
  }
  return proto;
}

absl::StatusOr<BucketRight> RightFrom(v1::Bucket::Right right) {
  switch (right) {
    case v1::Bucket::NONE:
      return BucketRight::kNone;
    case v1::Bucket::READ:
      return BucketRight::kRead;
    case v1::Bucket::WRITE:
      return BucketRight::kWrite;
    default:
      return absl::InvalidArgumentError("right must be NONE, READ or WRITE");
  }
}

}  // namespace

absl::Status BucketHandlers::Fill(const std::string& name,
                                  const BucketUser& user,
                                  v1::Bucket* response) {
  VERNIER_ASSIGN_OR_RETURN(const BucketStore::BucketPtr bucket,
                           buckets_.Find(name, user, BucketRight::kRead));
  VERNIER_ASSIGN_OR_RETURN(const BucketPolicy policy, buckets_.PolicyOf(name));
  *response = Describe(*bucket, policy, user);
  return absl::OkStatus();
}

absl::Status BucketHandlers::ListBuckets(const v1::ListBucketsRequest& request,
                                         v1::ListBucketsResponse* response) {
  const BucketUser user = UserOf(request.project());
  VERNIER_ASSIGN_OR_RETURN(const auto buckets, buckets_.List(user));
  for (const BucketStore::Listed& each : buckets) {
    *response->add_buckets() = Describe(*each.bucket, each.policy, user);
  }
  return absl::OkStatus();
}

absl::Status BucketHandlers::GetBucket(const v1::GetBucketRequest& request,
                                       v1::Bucket* response) {
  return Fill(request.bucket(), UserOf(request.project()), response);
}

absl::Status BucketHandlers::CreateBucket(
    const v1::CreateBucketRequest& request, v1::Bucket* response) {
  const std::string project = ProjectOrDefault(request.project());
  VERNIER_RETURN_IF_ERROR(buckets_.Create(request.bucket(), project).status());
  return Fill(request.bucket(), BucketUser::Of(project), response);
}

absl::Status BucketHandlers::ShareBucket(const v1::ShareBucketRequest& request,
                                         v1::Bucket* response) {
  VERNIER_ASSIGN_OR_RETURN(const BucketRight right, RightFrom(request.right()));
  VERNIER_RETURN_IF_ERROR(
      buckets_.Share(request.bucket(), request.with(), right).status());
  return Fill(request.bucket(), BucketUser::Administrator(), response);
}

absl::Status BucketHandlers::MoveBucket(const v1::MoveBucketRequest& request,
                                        v1::Bucket* response) {
  VERNIER_RETURN_IF_ERROR(
      buckets_.Move(request.bucket(), request.to_project()).status());
  return Fill(request.bucket(), BucketUser::Administrator(), response);
}

}  // namespace vernier
