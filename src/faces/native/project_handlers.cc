#include "faces/native/project_handlers.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "access/request_names.h"
#include "base/status_macros.h"
#include "study/job_id.h"
#include "trials/budgets/quota_budget.h"

namespace vernier {
namespace {

constexpr int kNoLimit = -1;

v1::Project ProjectToProto(const std::string& project,
                           const ProjectQuota& quota, const ProjectUse& use,
                           const BucketUse& buckets) {
  v1::Project proto;
  proto.set_project_id(project);
  v1::Quota* limits = proto.mutable_quota();
  if (quota.max_parallel_trials) {
    limits->set_max_parallel_trials(*quota.max_parallel_trials);
  }
  if (quota.max_gpus) limits->set_max_gpus(*quota.max_gpus);
  if (quota.max_studies) limits->set_max_studies(*quota.max_studies);
  if (quota.max_bucket_bytes) {
    limits->set_max_bucket_bytes(*quota.max_bucket_bytes);
  }
  if (quota.max_bucket_objects) {
    limits->set_max_bucket_objects(*quota.max_bucket_objects);
  }
  v1::Project::Use* now = proto.mutable_use();
  now->set_parallel_trials(use.parallel_trials);
  now->set_gpus(use.gpus);
  now->set_studies(use.studies);
  now->set_bucket_bytes(buckets.bytes);
  now->set_bucket_objects(buckets.objects);
  return proto;
}

template <typename Number>
std::optional<Number> Limit(Number given) {
  if (given == kNoLimit) return std::nullopt;
  return given;
}

}  // namespace

absl::StatusOr<v1::Project> ProjectHandlers::Describe(
    const std::string& project, const ProjectQuota& quota,
    const ProjectUse& use) {
  BucketUse buckets;
  if (dependencies_.bucket_use) {
    VERNIER_ASSIGN_OR_RETURN(buckets, dependencies_.bucket_use(project));
  }
  return ProjectToProto(project, quota, use, buckets);
}

absl::Status ProjectHandlers::ListProjects(
    const v1::ListProjectsRequest& request,
    v1::ListProjectsResponse* response) {
  const std::map<std::string, ProjectQuota> quotas = dependencies_.quotas.All();
  std::map<std::string, ProjectUse> uses =
      UseByProject(*dependencies_.store.Snapshot());
  for (const auto& [project, quota] : quotas) uses[project];
  for (const TokenRecord& token : dependencies_.tokens.List()) {
    if (!token.revoked_at.has_value()) uses[token.project];
  }
  for (const auto& [project, use] : uses) {
    // Administrators' tokens have no project, nor have studies whose parent
    // names none.
    if (project.empty()) continue;
    if (!request.project().empty() && request.project() != project) continue;
    const auto quota = quotas.find(project);
    VERNIER_ASSIGN_OR_RETURN(
        *response->add_projects(),
        Describe(project,
                 quota == quotas.end() ? ProjectQuota{} : quota->second, use));
  }
  return absl::OkStatus();
}

absl::Status ProjectHandlers::GetProject(const v1::GetProjectRequest& request,
                                         v1::Project* response) {
  const std::string project = ProjectOrDefault(request.project());
  VERNIER_RETURN_IF_ERROR(CheckProjectId(project));
  VERNIER_ASSIGN_OR_RETURN(
      *response,
      Describe(project, dependencies_.quotas.Of(project),
               UseByProject(*dependencies_.store.Snapshot())[project]));
  return absl::OkStatus();
}

absl::Status ProjectHandlers::SetQuota(const v1::SetQuotaRequest& request,
                                       v1::Project* response) {
  ProjectQuota quota = dependencies_.quotas.Of(request.project());
  const v1::Quota& given = request.quota();
  if (given.has_max_parallel_trials()) {
    quota.max_parallel_trials = Limit(given.max_parallel_trials());
  }
  if (given.has_max_gpus()) quota.max_gpus = Limit(given.max_gpus());
  if (given.has_max_studies()) quota.max_studies = Limit(given.max_studies());
  if (given.has_max_bucket_bytes()) {
    quota.max_bucket_bytes = Limit<std::int64_t>(given.max_bucket_bytes());
  }
  if (given.has_max_bucket_objects()) {
    quota.max_bucket_objects = Limit<std::int64_t>(given.max_bucket_objects());
  }
  VERNIER_RETURN_IF_ERROR(dependencies_.quotas.Set(request.project(), quota));
  dependencies_.wake();
  v1::GetProjectRequest get;
  get.set_project(request.project());
  return GetProject(get, response);
}

}  // namespace vernier
