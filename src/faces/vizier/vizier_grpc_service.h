#ifndef VERNIER_FACES_VIZIER_VIZIER_GRPC_SERVICE_H_
#define VERNIER_FACES_VIZIER_VIZIER_GRPC_SERVICE_H_

#include <vizier/vizier_service.grpc.pb.h>

#include "absl/status/status.h"
#include "access/vizier_access.h"
#include "edge/call_activity.h"
#include "edge/call_pool.h"
#include "faces/vizier/vizier_handlers.h"

namespace vernier {

/// vizier.VizierService on gRPC's callback API, through the pool.
/// SuggestTrials holds no thread while it waits. Thread-safe.
class VizierGrpcService final : public vizier::VizierService::CallbackService {
 public:
  struct Dependencies {
    VizierHandlers& handlers;
    CallPool& pool;
    CallActivity& activity;
  };

  /// Borrows what `dependencies` refers to; it must outlive this object and
  /// every call.
  VizierGrpcService(const Dependencies& dependencies, VizierOverTcp over_tcp)
      : dependencies_(dependencies), over_tcp_(over_tcp) {}

  using Context = grpc::CallbackServerContext;
  using Unary = grpc::ServerUnaryReactor;
  using Empty = google::protobuf::Empty;

  Unary* CreateStudy(Context* context,
                     const vizier::CreateStudyRequest* request,
                     vizier::Study* response) override;
  Unary* GetStudy(Context* context, const vizier::GetStudyRequest* request,
                  vizier::Study* response) override;
  Unary* ListStudies(Context* context,
                     const vizier::ListStudiesRequest* request,
                     vizier::ListStudiesResponse* response) override;
  Unary* DeleteStudy(Context* context,
                     const vizier::DeleteStudyRequest* request,
                     Empty* response) override;
  Unary* SetStudyState(Context* context,
                       const vizier::SetStudyStateRequest* request,
                       vizier::Study* response) override;
  Unary* SuggestTrials(Context* context,
                       const vizier::SuggestTrialsRequest* request,
                       vizier::Operation* response) override;
  Unary* GetOperation(Context* context,
                      const vizier::GetOperationRequest* request,
                      vizier::Operation* response) override;
  Unary* CreateTrial(Context* context,
                     const vizier::CreateTrialRequest* request,
                     vizier::Trial* response) override;
  Unary* GetTrial(Context* context, const vizier::GetTrialRequest* request,
                  vizier::Trial* response) override;
  Unary* ListTrials(Context* context, const vizier::ListTrialsRequest* request,
                    vizier::ListTrialsResponse* response) override;
  Unary* AddTrialMeasurement(Context* context,
                             const vizier::AddTrialMeasurementRequest* request,
                             vizier::Trial* response) override;
  Unary* CompleteTrial(Context* context,
                       const vizier::CompleteTrialRequest* request,
                       vizier::Trial* response) override;
  Unary* DeleteTrial(Context* context,
                     const vizier::DeleteTrialRequest* request,
                     Empty* response) override;
  Unary* CheckTrialEarlyStoppingState(
      Context* context,
      const vizier::CheckTrialEarlyStoppingStateRequest* request,
      vizier::CheckTrialEarlyStoppingStateResponse* response) override;
  Unary* StopTrial(Context* context, const vizier::StopTrialRequest* request,
                   vizier::Trial* response) override;
  Unary* ListOptimalTrials(
      Context* context, const vizier::ListOptimalTrialsRequest* request,
      vizier::ListOptimalTrialsResponse* response) override;
  Unary* UpdateMetadata(Context* context,
                        const vizier::UpdateMetadataRequest* request,
                        vizier::UpdateMetadataResponse* response) override;

 private:
  template <typename Request, typename Response>
  Unary* Handle(Context* context, const Request* request, Response* response,
                absl::Status (VizierHandlers::*handler)(const Request&,
                                                        Response*));

  /// Handle, for calls that may be repeated. The messages, whose form is
  /// others', have no room for the id: it comes as metadata.
  template <typename Request>
  Unary* HandleRepeatable(Context* context, const Request* request,
                          vizier::Trial* response,
                          absl::Status (VizierHandlers::*handler)(
                              const Request&, const std::string&,
                              vizier::Trial*));

  const Dependencies dependencies_;
  const VizierOverTcp over_tcp_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_VIZIER_VIZIER_GRPC_SERVICE_H_
