#include "server/study_grpc_service.h"

#include "server/unary_call.h"

namespace vernier {

template <typename Request, typename Response>
StudyGrpcService::Unary* StudyGrpcService::Handle(
    Context* context, const Request* request, Response* response,
    absl::Status (StudyHandlers::*handler)(const Request&, Response*)) {
  return RunUnaryCall(
      {dependencies_.gate, dependencies_.pool, dependencies_.activity}, context,
      dependencies_.handlers, request, response, handler);
}

StudyGrpcService::Unary* StudyGrpcService::ListStudies(
    Context* context, const v1::ListStudiesRequest* request,
    v1::ListStudiesResponse* response) {
  return Handle(context, request, response, &StudyHandlers::ListStudies);
}

StudyGrpcService::Unary* StudyGrpcService::GetStudy(
    Context* context, const v1::GetStudyRequest* request, v1::Study* response) {
  return Handle(context, request, response, &StudyHandlers::GetStudy);
}

StudyGrpcService::Unary* StudyGrpcService::DeleteStudy(
    Context* context, const v1::DeleteStudyRequest* request,
    v1::DeleteStudyResponse* response) {
  return Handle(context, request, response, &StudyHandlers::DeleteStudy);
}

}  // namespace vernier
