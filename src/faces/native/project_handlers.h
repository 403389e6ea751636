#ifndef VERNIER_FACES_NATIVE_PROJECT_HANDLERS_H_
#define VERNIER_FACES_NATIVE_PROJECT_HANDLERS_H_

#include <vernier/v1/project_service.pb.h>

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "buckets/bucket_ledger.h"
#include "store/access/quota_store.h"
#include "store/access/token_store.h"
#include "store/store.h"
#include "trials/budgets/quota_budget.h"

namespace vernier {

/// The calls of vernier.v1.ProjectService, without the transport. Thread-safe.
class ProjectHandlers {
 public:
  struct Dependencies {
    QuotaStore& quotas;
    const TokenStore& tokens;
    const Store& store;
    /// Tells the orchestrator that a quota changed. Any thread.
    std::function<void()> wake;
    /// The contents of a project's buckets; null: nothing. Any thread.
    std::function<absl::StatusOr<BucketUse>(const std::string& project)>
        bucket_use = nullptr;
  };

  /// Borrows the objects in `dependencies`, which must outlive this one.
  explicit ProjectHandlers(const Dependencies& dependencies)
      : dependencies_(dependencies) {}

  absl::Status ListProjects(const v1::ListProjectsRequest& request,
                            v1::ListProjectsResponse* response);
  absl::Status GetProject(const v1::GetProjectRequest& request,
                          v1::Project* response);
  absl::Status SetQuota(const v1::SetQuotaRequest& request,
                        v1::Project* response);

 private:
  absl::StatusOr<v1::Project> Describe(const std::string& project,
                                       const ProjectQuota& quota,
                                       const ProjectUse& use);

  const Dependencies dependencies_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_NATIVE_PROJECT_HANDLERS_H_
