#ifndef VERNIER_FACES_NATIVE_PROJECT_GRPC_SERVICE_H_
#define VERNIER_FACES_NATIVE_PROJECT_GRPC_SERVICE_H_

#include <vernier/v1/project_service.grpc.pb.h>

#include "absl/status/status.h"
#include "edge/call_activity.h"
#include "edge/call_pool.h"
#include "edge/grpc/call_gate.h"
#include "faces/native/project_handlers.h"

namespace vernier {

/// vernier.v1.ProjectService on gRPC's callback API. Thread-safe.
class ProjectGrpcService final : public v1::ProjectService::CallbackService {
 public:
  struct Dependencies {
    ProjectHandlers& handlers;
    const CallGate& gate;
    CallPool& pool;
    CallActivity& activity;
  };

  /// Borrows what `dependencies` refers to; it must outlive this object and
  /// every call.
  explicit ProjectGrpcService(const Dependencies& dependencies)
      : dependencies_(dependencies) {}

  using Context = grpc::CallbackServerContext;
  using Unary = grpc::ServerUnaryReactor;

  Unary* ListProjects(Context* context, const v1::ListProjectsRequest* request,
                      v1::ListProjectsResponse* response) override;
  Unary* GetProject(Context* context, const v1::GetProjectRequest* request,
                    v1::Project* response) override;
  Unary* SetQuota(Context* context, const v1::SetQuotaRequest* request,
                  v1::Project* response) override;

 private:
  const Dependencies dependencies_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_NATIVE_PROJECT_GRPC_SERVICE_H_
