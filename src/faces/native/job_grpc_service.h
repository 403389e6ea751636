#ifndef VERNIER_FACES_NATIVE_JOB_GRPC_SERVICE_H_
#define VERNIER_FACES_NATIVE_JOB_GRPC_SERVICE_H_

#include <vernier/v1/job_service.grpc.pb.h>

#include "absl/status/status.h"
#include "edge/call_activity.h"
#include "edge/call_pool.h"
#include "edge/grpc/call_gate.h"
#include "edge/grpc/stream_pump.h"
#include "faces/native/job_handlers.h"
#include "store/store.h"

namespace vernier {

/// vernier.v1.JobService on gRPC's callback API: unary calls go through the
/// pool, streams through the pump. Thread-safe.
class JobGrpcService final : public v1::JobService::CallbackService {
 public:
  struct Dependencies {
    JobHandlers& handlers;
    Store& store;
    const CallGate& gate;
    CallPool& pool;
    StreamPump& pump;
    CallActivity& activity;
  };

  /// Borrows what `dependencies` refers to; it must outlive this object and
  /// every call.
  explicit JobGrpcService(const Dependencies& dependencies)
      : dependencies_(dependencies) {}

  using Context = grpc::CallbackServerContext;
  using Unary = grpc::ServerUnaryReactor;

  Unary* CreateJob(Context* context, const v1::CreateJobRequest* request,
                   v1::Job* response) override;
  Unary* GetJob(Context* context, const v1::GetJobRequest* request,
                v1::Job* response) override;
  Unary* ListJobs(Context* context, const v1::ListJobsRequest* request,
                  v1::ListJobsResponse* response) override;
  Unary* CancelJob(Context* context, const v1::CancelJobRequest* request,
                   v1::Job* response) override;
  Unary* PauseJob(Context* context, const v1::PauseJobRequest* request,
                  v1::Job* response) override;
  Unary* ResumeJob(Context* context, const v1::ResumeJobRequest* request,
                   v1::Job* response) override;
  Unary* ExtendJob(Context* context, const v1::ExtendJobRequest* request,
                   v1::Job* response) override;
  Unary* AddTrials(Context* context, const v1::AddTrialsRequest* request,
                   v1::Job* response) override;
  Unary* ReviseJob(Context* context, const v1::ReviseJobRequest* request,
                   v1::ReviseJobResponse* response) override;
  Unary* DeleteJob(Context* context, const v1::DeleteJobRequest* request,
                   v1::DeleteJobResponse* response) override;
  Unary* UpdateJob(Context* context, const v1::UpdateJobRequest* request,
                   v1::Job* response) override;
  Unary* GetTrial(Context* context, const v1::GetTrialRequest* request,
                  v1::Trial* response) override;
  Unary* ListTrials(Context* context, const v1::ListTrialsRequest* request,
                    v1::ListTrialsResponse* response) override;
  Unary* ListMeasurements(Context* context,
                          const v1::ListMeasurementsRequest* request,
                          v1::ListMeasurementsResponse* response) override;
  Unary* GetTrialCommand(Context* context,
                         const v1::GetTrialCommandRequest* request,
                         v1::GetTrialCommandResponse* response) override;
  Unary* RecommendTrial(Context* context,
                        const v1::RecommendTrialRequest* request,
                        v1::RecommendTrialResponse* response) override;
  Unary* Explain(Context* context, const v1::ExplainRequest* request,
                 v1::ExplainResponse* response) override;
  Unary* GetServiceInfo(Context* context,
                        const v1::GetServiceInfoRequest* request,
                        v1::ServiceInfo* response) override;
  grpc::ServerWriteReactor<v1::LogChunk>* ReadLog(
      Context* context, const v1::ReadLogRequest* request) override;
  grpc::ServerWriteReactor<v1::Trial>* StreamTrials(
      Context* context, const v1::ListTrialsRequest* request) override;
  grpc::ServerWriteReactor<v1::Event>* WatchEvents(
      Context* context, const v1::WatchEventsRequest* request) override;

 private:
  template <typename Source, typename Message, typename Request>
  grpc::ServerWriteReactor<Message>* Stream(const Context& context,
                                            const Request& request);

  const Dependencies dependencies_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_NATIVE_JOB_GRPC_SERVICE_H_
