#include "buckets/bucket_policy.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "study/job_id.h"

namespace vernier {
namespace {

constexpr BucketRight kShared[] = {BucketRight::kRead, BucketRight::kWrite};

absl::StatusOr<BucketRight> ParseRight(const std::string& text) {
  for (const BucketRight right : kShared) {
    if (text == ToString(right)) return right;
  }
  return absl::DataLossError(absl::StrCat("no such right: ", text));
}

absl::Status CheckSharedWith(const std::string& project) {
  if (project == kEveryProject) return absl::OkStatus();
  return CheckProjectId(project);
}

absl::StatusOr<BucketPolicy> PolicyFrom(const Json& json) {
  BucketPolicy policy;
  policy.project = json.at("project").get<std::string>();
  VERNIER_RETURN_IF_ERROR(CheckProjectId(policy.project));
  for (const auto& [project, right] : json.at("shares").items()) {
    VERNIER_RETURN_IF_ERROR(CheckSharedWith(project));
    VERNIER_ASSIGN_OR_RETURN(policy.shares[project],
                             ParseRight(right.get<std::string>()));
  }
  return policy;
}

}  // namespace

BucketRight RightOf(const BucketPolicy& policy, const BucketUser& user) {
  if (user.is_administrator()) return BucketRight::kOwn;
  const std::string project = user.project();
  if (project.empty()) return BucketRight::kNone;
  if (policy.project == project) return BucketRight::kOwn;
  BucketRight right = BucketRight::kNone;
  for (const std::string& name : {project, std::string(kEveryProject)}) {
    const auto share = policy.shares.find(name);
    if (share != policy.shares.end()) right = std::max(right, share->second);
  }
  return right;
}

std::string_view ToString(BucketRight right) {
  switch (right) {
    case BucketRight::kNone:
      return "none";
    case BucketRight::kRead:
      return "read";
    case BucketRight::kWrite:
      return "write";
    case BucketRight::kOwn:
      return "own";
  }
  return "none";
}

std::string FormatBucketPolicy(const BucketPolicy& policy) {
  Json json = Json::object();
  json["project"] = policy.project;
  json["shares"] = Json::object();
  for (const auto& [project, right] : policy.shares) {
    json["shares"][project] = std::string(ToString(right));
  }
  return DumpJson(json) + "\n";
}

absl::StatusOr<BucketPolicy> ParseBucketPolicy(const std::string& text) {
  const absl::StatusOr<Json> json = ParseJson(text);
  if (!json.ok()) return absl::DataLossError(json.status().message());
  try {
    auto policy = PolicyFrom(*json);
    if (policy.ok()) return policy;
    return absl::DataLossError(policy.status().message());
  } catch (const Json::exception& error) {
    return absl::DataLossError(error.what());
  }
}

}  // namespace vernier
