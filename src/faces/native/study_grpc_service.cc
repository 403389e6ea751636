#include "faces/native/study_grpc_service.h"

#include "edge/grpc/unary_call.h"

namespace vernier {

StudyGrpcService::Unary* StudyGrpcService::ListStudies(
    Context* context, const v1::ListStudiesRequest* request,
    v1::ListStudiesResponse* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &StudyHandlers::ListStudies);
}

StudyGrpcService::Unary* StudyGrpcService::GetStudy(
    Context* context, const v1::GetStudyRequest* request, v1::Study* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &StudyHandlers::GetStudy);
}

StudyGrpcService::Unary* StudyGrpcService::DeleteStudy(
    Context* context, const v1::DeleteStudyRequest* request,
    v1::DeleteStudyResponse* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &StudyHandlers::DeleteStudy);
}

}  // namespace vernier
