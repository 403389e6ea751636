#include "faces/native/job_grpc_service.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "access/request_names.h"
#include "edge/grpc/pumped_writer.h"
#include "edge/grpc/unary_call.h"
#include "faces/native/event_source.h"
#include "faces/native/log_source.h"
#include "faces/native/trial_source.h"

namespace vernier {
namespace {

/// A stream that is over before it began.
template <typename Message>
class FailedSource final : public MessageSource<Message> {
 public:
  explicit FailedSource(absl::Status status) : status_(std::move(status)) {}
  std::optional<absl::Status> Next(std::deque<Message>*) override {
    return status_;
  }

 private:
  const absl::Status status_;
};

/// A stream for as long as its caller may have it.
template <typename Message>
class AdmittedSource final : public MessageSource<Message> {
 public:
  AdmittedSource(std::unique_ptr<MessageSource<Message>> source,
                 std::function<absl::Status()> admitted)
      : source_(std::move(source)), admitted_(std::move(admitted)) {}
  std::optional<absl::Status> Next(std::deque<Message>* messages) override {
    if (absl::Status status = admitted_(); !status.ok()) return status;
    return source_->Next(messages);
  }

 private:
  const std::unique_ptr<MessageSource<Message>> source_;
  const std::function<absl::Status()> admitted_;
};

}  // namespace

template <typename Source, typename Message, typename Request>
grpc::ServerWriteReactor<Message>* JobGrpcService::Stream(
    const Context& context, const Request& request) {
  const auto caller = dependencies_.gate.Admit(context, Request::descriptor());
  absl::Status status = caller.status();
  Request named = request;
  if (status.ok()) status = NameInFull(*caller, &named);
  std::unique_ptr<MessageSource<Message>> source;
  if (status.ok()) {
    auto created = Source::Create(dependencies_.store, named);
    status = created.status();
    if (created.ok()) {
      source = std::make_unique<AdmittedSource<Message>>(
          std::move(created).value(), dependencies_.gate.Watch(context));
    }
  }
  if (source == nullptr) {
    source = std::make_unique<FailedSource<Message>>(status);
  }
  dependencies_.activity.Begin();
  return PumpedWriter<Message>::Start(
      dependencies_.pump, std::move(source),
      [activity = &dependencies_.activity] { activity->End(); });
}

grpc::ServerWriteReactor<v1::LogChunk>* JobGrpcService::ReadLog(
    Context* context, const v1::ReadLogRequest* request) {
  return Stream<LogSource, v1::LogChunk>(*context, *request);
}

grpc::ServerWriteReactor<v1::Trial>* JobGrpcService::StreamTrials(
    Context* context, const v1::ListTrialsRequest* request) {
  return Stream<TrialSource, v1::Trial>(*context, *request);
}

grpc::ServerWriteReactor<v1::Event>* JobGrpcService::WatchEvents(
    Context* context, const v1::WatchEventsRequest* request) {
  return Stream<EventSource, v1::Event>(*context, *request);
}

JobGrpcService::Unary* JobGrpcService::CreateJob(
    Context* context, const v1::CreateJobRequest* request, v1::Job* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::CreateJob);
}

JobGrpcService::Unary* JobGrpcService::GetJob(Context* context,
                                              const v1::GetJobRequest* request,
                                              v1::Job* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::GetJob);
}

JobGrpcService::Unary* JobGrpcService::ListJobs(
    Context* context, const v1::ListJobsRequest* request,
    v1::ListJobsResponse* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::ListJobs);
}

JobGrpcService::Unary* JobGrpcService::CancelJob(
    Context* context, const v1::CancelJobRequest* request, v1::Job* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::CancelJob);
}

JobGrpcService::Unary* JobGrpcService::PauseJob(
    Context* context, const v1::PauseJobRequest* request, v1::Job* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::PauseJob);
}

JobGrpcService::Unary* JobGrpcService::ResumeJob(
    Context* context, const v1::ResumeJobRequest* request, v1::Job* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::ResumeJob);
}

JobGrpcService::Unary* JobGrpcService::ExtendJob(
    Context* context, const v1::ExtendJobRequest* request, v1::Job* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::ExtendJob);
}

JobGrpcService::Unary* JobGrpcService::AddTrials(
    Context* context, const v1::AddTrialsRequest* request, v1::Job* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::AddTrials);
}

JobGrpcService::Unary* JobGrpcService::ReviseJob(
    Context* context, const v1::ReviseJobRequest* request,
    v1::ReviseJobResponse* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::ReviseJob);
}

JobGrpcService::Unary* JobGrpcService::DeleteJob(
    Context* context, const v1::DeleteJobRequest* request,
    v1::DeleteJobResponse* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::DeleteJob);
}

JobGrpcService::Unary* JobGrpcService::UpdateJob(
    Context* context, const v1::UpdateJobRequest* request, v1::Job* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::UpdateJob);
}

JobGrpcService::Unary* JobGrpcService::GetTrial(
    Context* context, const v1::GetTrialRequest* request, v1::Trial* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::GetTrial);
}

JobGrpcService::Unary* JobGrpcService::ListTrials(
    Context* context, const v1::ListTrialsRequest* request,
    v1::ListTrialsResponse* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::ListTrials);
}

JobGrpcService::Unary* JobGrpcService::ListMeasurements(
    Context* context, const v1::ListMeasurementsRequest* request,
    v1::ListMeasurementsResponse* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::ListMeasurements);
}

JobGrpcService::Unary* JobGrpcService::GetTrialCommand(
    Context* context, const v1::GetTrialCommandRequest* request,
    v1::GetTrialCommandResponse* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::GetTrialCommand);
}

JobGrpcService::Unary* JobGrpcService::RecommendTrial(
    Context* context, const v1::RecommendTrialRequest* request,
    v1::RecommendTrialResponse* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::RecommendTrial);
}

JobGrpcService::Unary* JobGrpcService::Explain(
    Context* context, const v1::ExplainRequest* request,
    v1::ExplainResponse* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::Explain);
}

JobGrpcService::Unary* JobGrpcService::GetServiceInfo(
    Context* context, const v1::GetServiceInfoRequest* request,
    v1::ServiceInfo* response) {
  return RunUnaryCall(dependencies_, context, request, response,
                      &JobHandlers::GetServiceInfo);
}

}  // namespace vernier
