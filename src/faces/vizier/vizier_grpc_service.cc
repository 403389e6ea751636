#include "faces/vizier/vizier_grpc_service.h"

#include <string>
#include <utility>

#include "edge/grpc/grpc_status.h"
#include "edge/grpc/unary_call.h"

namespace vernier {
namespace {

std::string RequestIdOf(const grpc::CallbackServerContext& context) {
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find("x-request-id");
  if (found == metadata.end()) return "";
  return {found->second.data(), found->second.size()};
}

}  // namespace

template <typename Request, typename Response>
VizierGrpcService::Unary* VizierGrpcService::Handle(
    Context* context, const Request* request, Response* response,
    absl::Status (VizierHandlers::*handler)(const Request&, Response*)) {
  return AnswerUnaryCall(CheckVizierCaller(context->peer(), over_tcp_),
                         dependencies_.pool, dependencies_.activity, context,
                         dependencies_.handlers, request, response, handler);
}

template <typename Request>
VizierGrpcService::Unary* VizierGrpcService::HandleRepeatable(
    Context* context, const Request* request, vizier::Trial* response,
    absl::Status (VizierHandlers::*handler)(const Request&, const std::string&,
                                            vizier::Trial*)) {
  VizierHandlers& handlers = dependencies_.handlers;
  return RunOnPool(CheckVizierCaller(context->peer(), over_tcp_),
                   dependencies_.pool, dependencies_.activity, context,
                   [&handlers, context, request, response, handler] {
                     return (handlers.*handler)(*request, RequestIdOf(*context),
                                                response);
                   });
}

VizierGrpcService::Unary* VizierGrpcService::SuggestTrials(
    Context* context, const vizier::SuggestTrialsRequest* request,
    vizier::Operation* response) {
  Unary* reactor = context->DefaultReactor();
  const absl::Status allowed = CheckVizierCaller(context->peer(), over_tcp_);
  if (!allowed.ok()) {
    reactor->Finish(ToGrpc(allowed));
    return reactor;
  }
  VizierHandlers& handlers = dependencies_.handlers;
  CallActivity& activity = dependencies_.activity;
  activity.Begin();
  dependencies_.pool.Run([&handlers, &activity, reactor, request, response] {
    const auto done = [&activity, reactor](const absl::Status& status) {
      activity.End();
      reactor->Finish(ToGrpc(status));
    };
    handlers.SuggestTrials(*request, response, done);
  });
  return reactor;
}

VizierGrpcService::Unary* VizierGrpcService::CreateStudy(
    Context* context, const vizier::CreateStudyRequest* request,
    vizier::Study* response) {
  return Handle(context, request, response, &VizierHandlers::CreateStudy);
}

VizierGrpcService::Unary* VizierGrpcService::GetStudy(
    Context* context, const vizier::GetStudyRequest* request,
    vizier::Study* response) {
  return Handle(context, request, response, &VizierHandlers::GetStudy);
}

VizierGrpcService::Unary* VizierGrpcService::ListStudies(
    Context* context, const vizier::ListStudiesRequest* request,
    vizier::ListStudiesResponse* response) {
  return Handle(context, request, response, &VizierHandlers::ListStudies);
}

VizierGrpcService::Unary* VizierGrpcService::DeleteStudy(
    Context* context, const vizier::DeleteStudyRequest* request,
    Empty* response) {
  return Handle(context, request, response, &VizierHandlers::DeleteStudy);
}

VizierGrpcService::Unary* VizierGrpcService::SetStudyState(
    Context* context, const vizier::SetStudyStateRequest* request,
    vizier::Study* response) {
  return Handle(context, request, response, &VizierHandlers::SetStudyState);
}

VizierGrpcService::Unary* VizierGrpcService::GetOperation(
    Context* context, const vizier::GetOperationRequest* request,
    vizier::Operation* response) {
  return Handle(context, request, response, &VizierHandlers::GetOperation);
}

VizierGrpcService::Unary* VizierGrpcService::CreateTrial(
    Context* context, const vizier::CreateTrialRequest* request,
    vizier::Trial* response) {
  return HandleRepeatable(context, request, response,
                          &VizierHandlers::CreateTrial);
}

VizierGrpcService::Unary* VizierGrpcService::GetTrial(
    Context* context, const vizier::GetTrialRequest* request,
    vizier::Trial* response) {
  return Handle(context, request, response, &VizierHandlers::GetTrial);
}

VizierGrpcService::Unary* VizierGrpcService::ListTrials(
    Context* context, const vizier::ListTrialsRequest* request,
    vizier::ListTrialsResponse* response) {
  return Handle(context, request, response, &VizierHandlers::ListTrials);
}

VizierGrpcService::Unary* VizierGrpcService::AddTrialMeasurement(
    Context* context, const vizier::AddTrialMeasurementRequest* request,
    vizier::Trial* response) {
  return HandleRepeatable(context, request, response,
                          &VizierHandlers::AddTrialMeasurement);
}

VizierGrpcService::Unary* VizierGrpcService::CompleteTrial(
    Context* context, const vizier::CompleteTrialRequest* request,
    vizier::Trial* response) {
  return HandleRepeatable(context, request, response,
                          &VizierHandlers::CompleteTrial);
}

VizierGrpcService::Unary* VizierGrpcService::DeleteTrial(
    Context* context, const vizier::DeleteTrialRequest* request,
    Empty* response) {
  return Handle(context, request, response, &VizierHandlers::DeleteTrial);
}

VizierGrpcService::Unary* VizierGrpcService::CheckTrialEarlyStoppingState(
    Context* context,
    const vizier::CheckTrialEarlyStoppingStateRequest* request,
    vizier::CheckTrialEarlyStoppingStateResponse* response) {
  return Handle(context, request, response,
                &VizierHandlers::CheckTrialEarlyStoppingState);
}

VizierGrpcService::Unary* VizierGrpcService::StopTrial(
    Context* context, const vizier::StopTrialRequest* request,
    vizier::Trial* response) {
  return Handle(context, request, response, &VizierHandlers::StopTrial);
}

VizierGrpcService::Unary* VizierGrpcService::ListOptimalTrials(
    Context* context, const vizier::ListOptimalTrialsRequest* request,
    vizier::ListOptimalTrialsResponse* response) {
  return Handle(context, request, response, &VizierHandlers::ListOptimalTrials);
}

VizierGrpcService::Unary* VizierGrpcService::UpdateMetadata(
    Context* context, const vizier::UpdateMetadataRequest* request,
    vizier::UpdateMetadataResponse* response) {
  return Handle(context, request, response, &VizierHandlers::UpdateMetadata);
}

}  // namespace vernier
