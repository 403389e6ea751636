#include "faces/native/project_grpc_service.h"

#include "edge/grpc/unary_call.h"

namespace vernier {

ProjectGrpcService::Unary* ProjectGrpcService::ListProjects(
    Context* context, const v1::ListProjectsRequest* request,
    v1::ListProjectsResponse* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &ProjectHandlers::ListProjects);
}

ProjectGrpcService::Unary* ProjectGrpcService::GetProject(
    Context* context, const v1::GetProjectRequest* request,
    v1::Project* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &ProjectHandlers::GetProject);
}

ProjectGrpcService::Unary* ProjectGrpcService::SetQuota(
    Context* context, const v1::SetQuotaRequest* request,
    v1::Project* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &ProjectHandlers::SetQuota);
}

}  // namespace vernier
